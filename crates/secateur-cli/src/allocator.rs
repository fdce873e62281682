//! Memory for the program. Where the library asks for much and there is none left, it gets that answer and says in an error
//! what was too large; where a small piece is missing, in any library, the program says so and ends with exit code 1.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The system's memory, with words when there is no more.
pub struct ReportingAllocator;

/// What the program is doing, for the words; as much of it as fits.
static DOING: [AtomicU8; 64] = [const { AtomicU8::new(0) }; 64];

/// Notes what the program is doing.
pub fn doing(stage: &str) {
    let bytes = stage.bytes().chain(std::iter::repeat(0));
    DOING.iter().zip(bytes).for_each(|(place, byte)| place.store(byte, Ordering::Relaxed));
}

// SAFETY: all work is the system allocator's; its answers are passed on as they are, or the process ends.
unsafe impl GlobalAlloc for ReportingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        given(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline(always)]
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        refused(size);
    }
    memory
}

/// Ends the program, unless the request was a question.
#[cold]
#[inline(never)]
fn refused(size: usize) {
    if secateur::memory::is_trying() {
        return;
    }
    static TOLD: AtomicBool = AtomicBool::new(false);
    while TOLD.swap(true, Ordering::SeqCst) {
        // Another thread is reporting it and ends the process.
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    // Nothing here asks for memory.
    let mut text = [0u8; 400];
    let mut rest = &mut text[..];
    let _ = write!(rest, "error: there is not enough memory");
    let stage = DOING.each_ref().map(|place| place.load(Ordering::Relaxed));
    let stage = stage.split(|byte| *byte == 0).next().and_then(|stage| std::str::from_utf8(stage).ok());
    if let Some(stage) = stage.filter(|stage| !stage.is_empty()) {
        let _ = write!(rest, " ({stage})");
    }
    let _ = writeln!(
        rest,
        ": {} kB more wanted; leave out columns (--ignore) or rows, or keep fewer values of numbers apart (the option bins)",
        size.div_ceil(1 << 10)
    );
    let left = rest.len();
    end(&text[..400 - left]);
}

#[cfg(unix)]
fn end(text: &[u8]) -> ! {
    secateur::write::remove_parts();
    // SAFETY: system calls with a buffer that lives; nothing of this process runs afterwards.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::_exit(1)
    }
}

#[cfg(not(unix))]
fn end(text: &[u8]) -> ! {
    let _ = std::io::stderr().write_all(text);
    std::process::exit(1)
}
