//! What the tests need from outside the repository: found in one place, or skipped out loud.
//!
//! A test that cannot run calls [`skip`] and returns. The line `skipped: TEST: REASON` goes to standard error even though the
//! test passes, and to the file that `SECATEUR_SKIPPED` names, from which `./test` counts at the end.
//!
//! `SECATEUR_REQUIRE` is a list of what must be there, such as `data`: such a test then fails instead.
//!
//! ```
//! if let Some(folder) = secateur_testing::data() {
//!     assert!(folder.join("INDEX.csv").is_file());
//! }
//! ```

use std::env::{var, var_os};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of public data sets: the one that `SECATEUR_DATA` names, or `shared/data` in the workspace or a folder above it.
/// Without one the test is skipped, as `data` is missing.
///
/// # Panics
/// When `SECATEUR_DATA` names no folder, or `SECATEUR_REQUIRE` asks for the data and there are none.
pub fn data() -> Option<PathBuf> {
    if let Some(named) = var_os("SECATEUR_DATA").map(PathBuf::from) {
        assert!(named.is_dir(), "SECATEUR_DATA is {}, which is not a folder", named.display());
        return Some(named);
    }
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.map(|folder| folder.join("shared/data")).find(|folder| folder.is_dir());
    if found.is_none() {
        skip("data", "public data sets are not in the repository (SECATEUR_DATA names their folder)");
    }
    found
}

/// Says that this test is skipped because something is missing.
///
/// # Panics
/// When `SECATEUR_REQUIRE` asks for it.
pub fn skip(missing: &str, reason: &str) {
    let required = var("SECATEUR_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|name| name.trim() == missing),
        "SECATEUR_REQUIRE asks for {missing}: {reason}"
    );
    let thread = std::thread::current();
    let line = format!("skipped: {}: {reason}\n", thread.name().unwrap_or("a test"));
    // Past the print macros, whose output is kept back for tests that pass. A line that cannot be written is not a failure.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(list) = var_os("SECATEUR_SKIPPED") {
        let file = OpenOptions::new().append(true).create(true).open(list);
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
}
