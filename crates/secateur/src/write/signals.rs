//! Parts of files are removed when a signal ends the program.

use std::ffi::{CString, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Parts that a handler knows of; others are removed by the next writer.
const MOST: usize = 16;

/// The paths of parts. Whoever takes a pointer out owns it.
static PARTS: [AtomicPtr<libc::c_char>; MOST] = [const { AtomicPtr::new(null_mut()) }; MOST];

/// A part that a handler would remove.
pub(super) struct Listed(Option<usize>);

impl Listed {
    pub fn new(path: &Path) -> Self {
        // From the root: the program may change its folder. A path has no zero byte; without a name it is not listed.
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let Ok(name) = CString::new(whole.as_os_str().as_bytes()) else { return Self(None) };
        let name = name.into_raw();
        let taken = |slot: &AtomicPtr<libc::c_char>| {
            slot.compare_exchange(null_mut(), name, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        };
        let place = PARTS.iter().position(taken);
        if place.is_none() {
            // SAFETY: the pointer comes from `into_raw` and nobody else has it.
            drop(unsafe { CString::from_raw(name) });
        }
        Self(place)
    }

    pub fn forget(&self) {
        let Some(place) = self.0 else { return };
        let name = PARTS[place].swap(null_mut(), Ordering::SeqCst);
        if !name.is_null() {
            // SAFETY: the pointer comes from `into_raw`, and the swap made it ours.
            drop(unsafe { CString::from_raw(name) });
        }
    }
}

/// From now on an interrupt (Ctrl-C), a hang-up and a request to end remove the parts of files that are being written,
/// and then end the process as they would have. For programs, not for libraries; signals that are ignored stay so.
pub fn remove_parts_on_signals() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: plain system calls on structures that live here; the handler calls nothing but what is allowed in one.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut old) != 0 || old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = on_signal as extern "C" fn(c_int) as libc::sighandler_t;
            // With the default action back in place, the signal raised in the handler ends the process when it returns.
            new.sa_flags = libc::SA_RESETHAND;
            libc::sigemptyset(&mut new.sa_mask);
            libc::sigaction(signal, &new, null_mut());
        }
    }
}

/// Removes the parts of files that are being written, as a program does that ends at once. Allowed in a signal handler.
pub fn remove_parts() {
    for slot in &PARTS {
        let name = slot.swap(null_mut(), Ordering::SeqCst);
        if !name.is_null() {
            // SAFETY: a path ending in zero that is never freed, as the swap took it from its owner.
            unsafe { libc::unlink(name) };
        }
    }
}

extern "C" fn on_signal(signal: c_int) {
    remove_parts();
    // SAFETY: a system call that is allowed in a handler.
    unsafe { libc::raise(signal) };
}
