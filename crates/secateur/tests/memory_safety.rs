//! Code whose use of memory the compiler does not check stands in few files, each of which has a reason.
//!
//! The files are computed from the sources of all crates. One that comes to them needs a line in the list below, and one that needs
//! no such code any more loses its line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{files, without_texts};

/// The files that the compiler does not check in full, and why. Places are in the folder of the crates.
const KNOWN: [(&str, &str); 10] = [
    ("secateur/src/simd/avx512/descend.rs", "vector instructions read and write through pointers"),
    (
        "secateur/src/simd/avx512/mod.rs",
        "vector instructions are called where the processor was seen to have them",
    ),
    ("secateur/src/simd/avx512/partition.rs", "vector instructions read and write through pointers"),
    ("secateur/src/simd/avx512/scores.rs", "vector instructions read and write through pointers"),
    ("secateur/src/simd/mod.rs", "allows it for the files of its folder"),
    ("secateur/src/simd/prefetch.rs", "fetching memory ahead is an instruction of the processor"),
    ("secateur/tests/scorer.rs", "an allocator that counts"),
    ("secateur-cli/src/allocator.rs", "an allocator that says what is missing when memory ends"),
    ("secateur-python/src/allocator.rs", "an allocator that keeps spare memory for when it ends"),
    ("secateur-python/src/arrow.rs", "tables of other libraries come as C structs behind pointers"),
];

/// The folder of all crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Whether code is unchecked, or lets other code be: a word of it is `unsafe`, or the name of the lint that denies it.
fn is_unchecked(code: &str) -> bool {
    let code = without_texts(code);
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "unsafe" || word == "unsafe_code")
}

/// The files of a folder with unchecked code, by their places in it.
fn unchecked(folder: &Path) -> BTreeSet<String> {
    let found = files(folder).into_iter().filter(|path| is_unchecked(&fs::read_to_string(path).unwrap()));
    let place = |path: PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    found.map(place).collect()
}

#[test]
fn unchecked_code_stands_where_it_has_a_reason() {
    let reasons = BTreeMap::from(KNOWN);
    let (known, found) = (reasons.keys().map(|&file| file.to_owned()).collect(), unchecked(&crates()));
    let new: Vec<_> = found.difference(&known).collect();
    assert!(
        new.is_empty(),
        "unsafe code in files that are not in the list of this test, with a reason: {new:?}"
    );
    let old: Vec<_> = known.difference(&found).collect();
    assert!(old.is_empty(), "no unsafe code any more, take them from the list of this test: {old:?}");
}

#[test]
fn unchecked_code_is_denied_in_every_crate() {
    let denies = |text: &str| text.lines().any(|line| line.starts_with("unsafe_code = \"deny\""));
    assert!(denies(&fs::read_to_string(crates().join("../Cargo.toml")).unwrap()));
    for entry in fs::read_dir(crates()).unwrap() {
        let file = entry.unwrap().path().join("Cargo.toml");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let denied = text.contains("\n[lints]\nworkspace = true\n") || denies(&text);
        assert!(denied, "{}: deny unsafe_code", file.display());
    }
}

#[test]
fn every_form_of_unchecked_code_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "one/src/lib.rs",
        "//! Nothing unsafe.\n#![deny(warnings)]\nconst A: &str = \"unsafe { }\";\nfn f(x: UnwindSafe) {}\n",
    );
    assert_eq!(unchecked(folder.path()), BTreeSet::new());
    for newcomer in [
        "fn f() { unsafe { g() } }",
        "fn f() { unsafe{ g() } }",
        "pub unsafe fn f() {}",
        "unsafe impl Send for A {}",
        "unsafe extern \"C\" { fn f(); }",
        "#[unsafe(no_mangle)]\npub fn f() {}",
        "#![allow(unsafe_code, reason = \"it is quick\")]",
        "#[expect(missing_docs, unsafe_code)]\nfn f() {}",
    ] {
        write("one/tests/deep/new.rs", newcomer);
        assert_eq!(unchecked(folder.path()), BTreeSet::from(["one/tests/deep/new.rs".into()]), "{newcomer}");
    }
}
