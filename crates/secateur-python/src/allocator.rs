//! Memory for the package. Where a small piece is missing, in any library, there is spare memory to go on with until the work
//! notices that it must stop: the answer is a `MemoryError`, and not the end of the process.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

/// The system's memory, and some that is kept for its end.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

/// Memory that is kept: asked for and not used, so that it takes room among the addresses only.
static SPARE: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Whether the spare memory was needed.
static LACKING: AtomicBool = AtomicBool::new(false);

/// As much as work can take before it notices, on many threads.
const SPARE_LAYOUT: Layout = Layout::new::<[u8; 64 << 20]>();

/// Keeps spare memory for work that begins, or refuses work that would begin with less.
pub fn prepare() -> secateur::Result<()> {
    LACKING.store(false, Ordering::Relaxed);
    if SPARE.load(Ordering::Relaxed).is_null() {
        // SAFETY: the layout has a size.
        let spare = unsafe { System.alloc(SPARE_LAYOUT) };
        if spare.is_null() {
            return Err(secateur::Error::Memory {
                what: "work to begin".into(),
                bytes: SPARE_LAYOUT.size() as u64,
            });
        }
        keep(spare);
    }
    Ok(())
}

/// Whether memory has ended since work began, so that it should stop.
pub fn is_lacking() -> bool {
    LACKING.load(Ordering::Relaxed)
}

/// Keeps memory of the layout above, and gives back what was kept before.
fn keep(memory: *mut u8) {
    let before = SPARE.swap(memory, Ordering::AcqRel);
    if !before.is_null() {
        // SAFETY: it came from the same allocator with this layout, and whoever swapped it out is alone in having it.
        unsafe { System.dealloc(before, SPARE_LAYOUT) };
    }
}

/// Whether a refused request is worth repeating: the spare memory is free now.
#[cold]
fn is_relieved() -> bool {
    if secateur::memory::is_trying() {
        return false;
    }
    let is_first = !LACKING.swap(true, Ordering::AcqRel);
    keep(null_mut());
    if !is_first {
        // Another thread may be giving it back just now.
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

// SAFETY: all work is the system allocator's, and its answers are passed on as they are.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.alloc(layout) };
        // SAFETY: likewise.
        if memory.is_null() && is_relieved() { unsafe { System.alloc(layout) } } else { memory }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.alloc_zeroed(layout) };
        // SAFETY: likewise.
        if memory.is_null() && is_relieved() { unsafe { System.alloc_zeroed(layout) } } else { memory }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.realloc(old, layout, size) };
        // SAFETY: likewise; what was refused has left the old memory as it was.
        if memory.is_null() && is_relieved() { unsafe { System.realloc(old, layout, size) } } else { memory }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(old, layout) }
    }
}
