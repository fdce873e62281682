//! The three structs of the Arrow C data interface, owned: what a producer hands over is released when they are dropped.
//!
//! The producer promises what the interface says: buffers as long as lengths and offsets ask, children that stay alive
//! until the release. Everything read here rests on that promise, as it does for every consumer.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// A type, with a name and the types of its children.
#[repr(C)]
pub struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// Buffers of one array and its children.
#[repr(C)]
pub struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// Arrays of one type, one after the other.
#[repr(C)]
pub struct ArrowStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowStream)>,
    private_data: *mut c_void,
}

/// What the three have in common: moved out of a capsule once, released once.
macro_rules! owned {
    ($type:ident, $name:literal) => {
        impl $type {
            /// Moves the struct out of its capsule, which is left as one that was released.
            pub fn from_capsule(capsule: &Bound<'_, PyCapsule>) -> PyResult<Self> {
                let pointer = capsule.pointer_checked(Some($name))?.cast::<Self>().as_ptr();
                // SAFETY: a capsule of this name holds this struct; moving it out and marking the original as released
                // is how the interface hands it over.
                unsafe {
                    if (*pointer).release.is_none() {
                        return Err(PyValueError::new_err("the Arrow data in the capsule are used up"));
                    }
                    let moved = ptr::read(pointer);
                    (*pointer).release = None;
                    Ok(moved)
                }
            }
        }

        impl Drop for $type {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: released by its owner, once; the function marks it so.
                    unsafe { release(self) }
                }
            }
        }
    };
}

owned!(ArrowSchema, c"arrow_schema");
owned!(ArrowArray, c"arrow_array");
owned!(ArrowStream, c"arrow_array_stream");

impl ArrowStream {
    /// The type of the arrays.
    pub fn schema(&mut self) -> Result<ArrowSchema, String> {
        let mut schema = ArrowSchema {
            format: ptr::null(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        };
        let get = self.get_schema.ok_or("the Arrow stream has no schema")?;
        // SAFETY: both structs are alive, and the stream is not released.
        let code = unsafe { get(self, &mut schema) };
        if code == 0 { Ok(schema) } else { Err(self.problem(code)) }
    }

    /// The next array, if there is one.
    pub fn next(&mut self) -> Result<Option<ArrowArray>, String> {
        let mut array = ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        };
        let get = self.get_next.ok_or("the Arrow stream has no arrays")?;
        // SAFETY: as above.
        let code = unsafe { get(self, &mut array) };
        match code {
            0 => Ok(array.release.is_some().then_some(array)),
            code => Err(self.problem(code)),
        }
    }

    fn problem(&mut self, code: c_int) -> String {
        let text = self.get_last_error.and_then(|get| {
            // SAFETY: asked right after a failure; the text lives until the next call.
            let text = unsafe { get(self) };
            text_at(text)
        });
        format!("the Arrow stream failed: {}", text.unwrap_or_else(|| format!("error {code}")))
    }
}

fn text_at(text: *const c_char) -> Option<String> {
    // SAFETY: a text of the interface is null or ends with a zero byte.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// The children behind a list of pointers.
fn children<'a, T: 'a>(list: *mut *mut T, count: i64) -> impl Iterator<Item = &'a T> {
    let count = if list.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
    // SAFETY: the list holds `count` pointers to live structs.
    (0..count).filter_map(move |i| unsafe { (*list.add(i)).as_ref() })
}

impl ArrowSchema {
    /// The type in the letters of the interface.
    pub fn format(&self) -> String {
        text_at(self.format).unwrap_or_default()
    }

    /// The name; empty when there is none.
    pub fn name(&self) -> String {
        text_at(self.name).unwrap_or_default()
    }

    /// The types of the children.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        children(self.children, self.n_children)
    }

    /// The type of the values, where the array holds places in a dictionary.
    pub fn dictionary(&self) -> Option<&Self> {
        // SAFETY: null or alive as long as this struct.
        unsafe { self.dictionary.as_ref() }
    }
}

impl ArrowArray {
    /// The number of cells.
    pub fn len(&self) -> usize {
        usize::try_from(self.length).unwrap_or(0)
    }

    /// Cells before the first one.
    pub fn offset(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(0)
    }

    /// The columns of a table.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        children(self.children, self.n_children)
    }

    /// The values that the cells are places of.
    pub fn dictionary(&self) -> Option<&Self> {
        // SAFETY: null or alive as long as this struct.
        unsafe { self.dictionary.as_ref() }
    }

    /// The number of buffers.
    pub fn buffers(&self) -> usize {
        usize::try_from(self.n_buffers).unwrap_or(0)
    }

    /// The start of a buffer; null when it is not there.
    pub fn buffer(&self, place: usize) -> *const u8 {
        if self.buffers.is_null() || place >= self.buffers() {
            return ptr::null();
        }
        // SAFETY: there are that many buffers.
        unsafe { *self.buffers.add(place) }.cast()
    }

    /// `count` numbers of a buffer, from the cell `start` of the array.
    pub fn numbers<T: Copy>(
        &self,
        place: usize,
        start: usize,
        count: usize,
    ) -> impl Iterator<Item = T> + use<T> {
        let first = self.buffer(place).cast::<T>();
        let count = if first.is_null() { 0 } else { count };
        // SAFETY: the buffer reaches to the end of the array; it need not be aligned.
        (start..start + count).map(move |i| unsafe { first.add(i).read_unaligned() })
    }

    /// A bit of a buffer.
    pub fn bit(&self, place: usize, bit: usize) -> Option<bool> {
        let first = self.buffer(place);
        // SAFETY: the buffer has a bit for every cell.
        (!first.is_null()).then(|| unsafe { *first.add(bit / 8) } >> (bit % 8) & 1 == 1)
    }

    /// Bytes of a buffer.
    pub fn bytes(&self, place: usize, from: usize, length: usize) -> &[u8] {
        let first = self.buffer(place);
        if first.is_null() || length == 0 {
            return &[];
        }
        // SAFETY: offsets stay within their buffer.
        unsafe { std::slice::from_raw_parts(first.add(from), length) }
    }
}
