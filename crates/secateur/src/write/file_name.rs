//! Names from data that become names of files.

use crate::error::shown;

/// Names that Windows keeps for devices, whatever their extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// The bytes that leave room for an extension and for the part beside a file: names have at most 255 in most file systems.
const MOST: usize = 200;

/// Checks that a name from data can begin the name of a file, on every system, and that the file stays in the folder it is written to.
/// The problem stands behind the words "the name".
///
/// ```
/// use secateur::write::check_file_name;
/// assert!(check_file_name("shi-4.14").is_ok());
/// let problem = check_file_name("../../evil").unwrap_err();
/// assert_eq!(problem, "the name '../../evil' cannot be that of a file, as it contains '/'");
/// ```
///
/// # Errors
/// When the name is empty, too long, that of a folder or a device, or contains characters that separate folders or that no file
/// name should have.
pub fn check_file_name(name: &str) -> Result<(), String> {
    let reason = match name.chars().find(|c| matches!(c, '/' | '\\' | ':') || c.is_control()) {
        Some(c) => format!("it contains {c:?}"),
        None if name.is_empty() => return Err("an empty name cannot be that of a file".into()),
        None if name.len() > MOST => format!("it is longer than {MOST} bytes"),
        None if name.chars().all(|c| c == '.') => "it stands for a folder".into(),
        None if is_device(name) => "Windows keeps it for a device".into(),
        None => return Ok(()),
    };
    Err(format!("the name {} cannot be that of a file, as {reason}", shown(name)))
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = |device: &&str| {
        let number = stem.strip_prefix(*device).unwrap_or_default();
        number.chars().count() == 1 && number.contains(|c: char| matches!(c, '0'..='9' | '¹' | '²' | '³'))
    };
    DEVICES.contains(&&*stem) || NUMBERED_DEVICES.iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_folder_or_are_no_files_are_refused() {
        let long = "x".repeat(MOST + 1);
        for bad in [
            "",
            ".",
            "..",
            "...",
            "a/b",
            "/a",
            "../a",
            "..\\a",
            "a\\b",
            "C:",
            "C:a",
            "a\0b",
            "a\nb",
            "\u{1b}[2J",
            "con",
            "CON.txt",
            "nul",
            "Aux.tar.gz",
            "com1",
            "LPT9.x",
            "COM²",
            "nul .x",
            &long,
        ] {
            assert!(check_file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_of_tables_and_experiments_are_taken() {
        for good in [
            "iris",
            "shi-4.14",
            "friedman?n=60&seed=2",
            "two words",
            "Länge",
            "木",
            ".a",
            "a..b",
            "com",
            "com12",
            "lpta",
            "consul",
            "aux2",
        ] {
            assert_eq!(check_file_name(good), Ok(()), "{good:?}");
        }
    }
}
