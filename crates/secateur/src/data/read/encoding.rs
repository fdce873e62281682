//! Text in other encodings than UTF-8, turned into it.
//!
//! A byte order mark decides; UTF-16 without one is seen by its NUL bytes. A file that is not UTF-8 is taken for Windows-1252
//! (which Latin-1 is a part of), unless most of its letters beyond ASCII are good UTF-8: then it is a damaged file.

use std::borrow::Cow;

use crate::data::note::{Note, NoteKind};
use crate::error::{Error, Place, Result, shown};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The text in UTF-8, with the name of the encoding where it was another one; UTF-8 is not checked here.
pub(super) fn utf8<'a>(
    file: &str,
    bytes: &'a [u8],
    given: Option<&str>,
) -> Result<(Cow<'a, [u8]>, Option<&'static str>)> {
    let encoding = match given {
        Some(name) => Encoding::for_label(name.as_bytes()).ok_or_else(|| {
            Error::parameter(format!(
                "unknown encoding {}; expected a name such as utf-8, windows-1252, iso-8859-2 or utf-16le",
                shown(name)
            ))
        })?,
        None => of_bytes(bytes),
    };
    if encoding == UTF_8 {
        return Ok((Cow::Borrowed(bytes), None));
    }
    let (text, _, broken) = encoding.decode(bytes);
    if broken {
        return Err(Error::input(
            Place::file(file),
            format!("it is not in {}; some bytes have no meaning there", encoding.name()),
        ));
    }
    Ok((Cow::Owned(text.into_owned().into_bytes()), Some(encoding.name())))
}

fn of_bytes(bytes: &[u8]) -> &'static Encoding {
    match bytes {
        [0xff, 0xfe, ..] => UTF_16LE,
        [0xfe, 0xff, ..] => UTF_16BE,
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => UTF_16BE,
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => UTF_16LE,
        _ => UTF_8,
    }
}

/// A text that is not UTF-8, read as Windows-1252, with a note on it; nothing if it looks like another kind of file.
pub(super) fn western(bytes: &[u8]) -> Option<(Vec<u8>, Note)> {
    let fault = std::str::from_utf8(bytes).err()?.valid_up_to();
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    // Control characters stand in no table.
    let control =
        |b: &u8| *b < 32 && !b"\t\n\r".contains(b) || matches!(*b, 0x7f | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
    if good >= bad || bytes.iter().any(control) {
        return None;
    }
    let (text, _, _) = WINDOWS_1252.decode(bytes);
    let line = memchr::memchr_iter(b'\n', &bytes[..fault]).count() as u64 + 1;
    let note = Note { line: Some(line), ..Note::new(NoteKind::Encoding).values(["windows-1252"]) };
    Some((text.into_owned().into_bytes(), note))
}
