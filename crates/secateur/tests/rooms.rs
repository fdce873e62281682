//! The rooms of the library depend one way, in the order that ARCHITECTURE.md draws.
//!
//! The graph is computed from the sources: every path that begins with `crate` or climbs out of its room with `super`, in lists and
//! behind `self` as well, outside comments, texts and code for tests. An edge from a room to one that comes later in the drawing
//! breaks the test, and so does another name for the root, behind which edges would not be seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{files, without_texts};

/// For every room the rooms that it uses, each with a file that does.
type Graph = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// What stands for a name where code gives the root one of its own (`use crate as root`).
const ROOT: &str = "the root by another name";

/// The folder of the library's sources.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The rooms that ARCHITECTURE.md draws, in their order: the lines of the first block under "Rooms" that are indented by two
/// more than the crate's.
fn drawn() -> Vec<String> {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let rooms = text.split("\n## Rooms\n").nth(1).unwrap();
    let lines = rooms.lines().skip_while(|line| !line.starts_with("    crates/secateur ")).skip(1);
    let lines = lines.take_while(|line| line.starts_with("      "));
    let room = |line: &str| line.strip_prefix("      ")?.split([' ', '/']).next().map(str::to_owned);
    lines.filter_map(room).filter(|name| !name.is_empty()).collect()
}

/// The code of a file without comments, texts and what only tests see.
fn code(path: &Path) -> String {
    without_tests(&without_texts(&fs::read_to_string(path).unwrap()))
}

/// Leaves out items that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some(place) = rest.find("#[cfg(test)]") {
        kept.push_str(&rest[..place]);
        rest = &rest[place..];
        let (mut depth, mut end) = (0, rest.len());
        for (i, c) in rest.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 && (c == ';' || c == '}') {
                end = i + 1;
                break;
            }
        }
        rest = &rest[end..];
    }
    kept + rest
}

/// Files that a module declares for tests only: `#[cfg(test)] mod NAME;`, perhaps at another path.
fn test_files(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).unwrap();
    let own = path.file_stem().unwrap().to_str().unwrap();
    let folder = path.parent().unwrap();
    let beside = if ["mod", "lib"].contains(&own) { folder.to_owned() } else { folder.join(own) };
    let mut found = Vec::new();
    for item in text.split("#[cfg(test)]").skip(1) {
        let item = item.split([';', '{']).next().unwrap();
        if let Some(place) = item.split("#[path = \"").nth(1).and_then(|p| p.split('"').next()) {
            found.push(folder.join(place));
        } else if let Some(name) = item.split("mod ").nth(1) {
            found.push(beside.join(format!("{}.rs", name.trim())));
            found.push(beside.join(name.trim()).join("mod.rs"));
        }
    }
    found
}

/// Whether a character is of a word.
fn of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that a text begins with.
fn first_word(text: &str) -> &str {
    text.split(|c| !of_word(c)).next().unwrap_or_default()
}

/// The items of a list of paths, whose opening brace is taken away already: `a::b, {c, d}}` gives `a::b` and `{c, d}`.
fn items(list: &str) -> Vec<String> {
    let (mut depth, mut items, mut item) = (0, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => items.push(std::mem::take(&mut item)),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                item.push(c);
            }
        }
    }
    items.push(item);
    items.iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

/// What a path, or a list of paths, names at the root; so many modules lie above the place where it begins.
fn follow(path: &str, above: usize, names: &mut Vec<String>) {
    let path = path.trim_start();
    if let Some(list) = path.strip_prefix('{') {
        items(list).iter().for_each(|item| follow(item, above, names));
        return;
    }
    let word = first_word(path);
    let above = match word {
        "crate" => 0,
        "self" => above,
        "super" if above > 0 => above - 1,
        _ => {
            // A star, for all there is, names no room.
            let name = if word.is_empty() { path.chars().take(1).collect() } else { word.to_owned() };
            names.extend((above == 0).then_some(name));
            return;
        }
    };
    let rest = path[word.len()..].trim_start();
    match rest.strip_prefix("::") {
        Some(rest) => follow(rest, above, names),
        None => names.extend((above == 0 && first_word(rest) == "as").then(|| ROOT.to_owned())),
    }
}

/// What the code of a file names at the root of the crate, above which it lies so deep.
fn named(code: &str, depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    for start in ["crate", "self", "super"] {
        for (place, _) in code.match_indices(start) {
            let before = &code[..place];
            let is_word = !before.ends_with(of_word) && first_word(&code[place..]) == start;
            if is_word && !before.trim_end().ends_with("::") {
                follow(&code[place..], depth, &mut names);
                names.extend(before.trim_end().ends_with("extern crate").then(|| ROOT.to_owned()));
            }
        }
    }
    names
}

/// The modules that code declares, however visible.
fn modules(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (place, start) in code.match_indices("mod ") {
        let (name, before) = (first_word(&code[place + start.len()..]), &code[..place]);
        let after = code[place + start.len() + name.len()..].trim_start();
        if !before.ends_with(of_word) && after.starts_with([';', '{']) {
            found.push(name.to_owned());
        }
    }
    found
}

/// What every room uses.
fn graph(folder: &Path) -> Graph {
    let (list, mut graph) = (files(folder), Graph::new());
    let tests: BTreeSet<PathBuf> = list.iter().flat_map(|path| test_files(path)).collect();
    for path in list.iter().filter(|path| !tests.contains(*path)) {
        let inside = path.strip_prefix(folder).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if room == "lib" {
            if named(&code(path), 0).iter().any(|name| name == ROOT) {
                graph.entry(room).or_default().insert(ROOT.to_owned(), inside.to_owned());
            }
            continue;
        }
        // How often `super` has to be said to come to the root.
        let is_mod = path.file_stem().is_some_and(|stem| stem == "mod");
        let depth = inside.iter().count() - usize::from(is_mod);
        let uses = graph.entry(room.clone()).or_default();
        for name in named(&code(path), depth) {
            // What the root names again is an error, or its result; an exported macro always stands at the root.
            let name = match name.as_str() {
                "Error" | "Result" => "error".into(),
                "row" => "predict".into(),
                _ => name,
            };
            if name != room {
                uses.entry(name).or_insert_with(|| inside.to_owned());
            }
        }
    }
    graph
}

/// Edges against an order of rooms, in words.
fn against(graph: &Graph, order: &[String]) -> Vec<String> {
    let place = |room: &str| order.iter().position(|r| r == room);
    let mut wrong = Vec::new();
    for (room, uses) in graph {
        for (used, file) in uses {
            match (place(room), place(used)) {
                (Some(own), Some(other)) if other < own => {}
                (Some(_), Some(_)) => {
                    wrong.push(format!("{} uses {used}, which stands above {room}", file.display()));
                }
                (_, None) => wrong.push(format!("{} names {used}, which is not a room", file.display())),
                (None, _) => wrong.push(format!("{room} is not drawn")),
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

#[test]
fn every_room_uses_only_rooms_below_it() {
    let graph = graph(&sources());
    assert!(graph.len() > 20 && graph["grow"].contains_key("split") && graph["fit"].contains_key("scheme"));
    let wrong = against(&graph, &drawn());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_is_drawn_once() {
    let mut modules = modules(&code(&sources().join("lib.rs")));
    let mut drawn = drawn();
    modules.sort();
    drawn.sort();
    assert_eq!(drawn, modules);
}

#[test]
fn files_that_the_drawing_names_are_there() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let rooms = drawn();
    let named = text.split('`').skip(1).step_by(2);
    let files: Vec<&str> = named
        .filter(|n| n.split_once('/').is_some_and(|(room, _)| rooms.iter().any(|r| r == room)))
        .collect();
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        let place = sources().join(file);
        assert!(place.is_dir() || place.with_extension("rs").is_file(), "{file} is not there");
    }
}

#[test]
fn modules_are_found_however_visible() {
    let code = "mod a;\npub mod b;\npub(crate) mod c;\n#[doc(hidden)] pub(in crate) mod d;\nmod e { }\nuse a::amod as x;\n";
    assert_eq!(modules(code), ["a", "b", "c", "d", "e"]);
}

/// A library of a lower room, with a part, and a higher one.
struct Library(tempfile::TempDir);

impl Library {
    /// Code in which nothing is wrong.
    const CLEAN: &str = "//! See crate::high.\nconst A: &str = \"crate::high\";\n#[cfg(test)]\nmod tests {\n    use crate::high::B;\n}\n";

    fn new() -> Self {
        let library = Self(tempfile::tempdir().unwrap());
        library.write("lib.rs", "pub mod low;\npub mod high;\n");
        library.write("high/mod.rs", "use crate::low::Thing;\nmod part;\n");
        library.write("high/part.rs", "use super::Thing;\n");
        library.write("low/mod.rs", Self::CLEAN);
        library.write("low/part.rs", Self::CLEAN);
        library
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What is wrong.
    fn wrong(&self) -> Vec<String> {
        against(&graph(self.0.path()), &["low".to_owned(), "high".to_owned()])
    }

    /// What is wrong with a line more in a file of the lower room.
    fn wrong_with(&self, file: &str, line: &str) -> Vec<String> {
        self.write(file, &format!("{}{line}\n", Self::CLEAN));
        let wrong = self.wrong();
        self.write(file, Self::CLEAN);
        wrong
    }
}

#[test]
fn an_edge_against_the_order_is_found() {
    let library = Library::new();
    assert_eq!(library.wrong(), Vec::<String>::new());
    for back in [
        "use crate::high::Thing;",
        "use crate::{low, high::Thing};",
        "use crate::{\n    low,\n    high::Thing,\n};",
        "use {crate::low, crate::high};",
        "use super::high::Thing;",
        "use super::{high::Thing};",
        "use self::super::high::Thing;",
        "use self::{super::high::Thing, part};",
        "use self::{super::{low, high}, part};",
        "fn f(x: crate::high::Thing) {}",
        "fn f(x:crate::high::Thing) {}",
        "fn f() { low::<crate::high::Thing>(super::low::A) }",
        "pub(crate) use crate::high;",
        "use crate::high as other;",
        "macro_rules! m { () => { $crate::high::f() } }",
    ] {
        let expected = "low/mod.rs uses high, which stands above low";
        assert_eq!(library.wrong_with("low/mod.rs", back), [expected], "{back}");
    }
    for back in [
        "use super::super::high::Thing;",
        "use super::{super::high::Thing};",
        "use super::{Other, super::{low, high::Thing}};",
        "use self::super::super::high::Thing;",
        "use self::{super::{super::high::Thing}};",
        "fn f(x: super::super::high::Thing) {}",
    ] {
        let expected = "low/part.rs uses high, which stands above low";
        assert_eq!(library.wrong_with("low/part.rs", back), [expected], "{back}");
    }
    let wrong = library.wrong_with("low/mod.rs", "use crate::cellar::Thing;");
    assert_eq!(wrong, ["low/mod.rs names cellar, which is not a room"]);
}

#[test]
fn files_of_a_room_may_name_each_other() {
    let library = Library::new();
    for inside in [
        "use super::high::Thing;",
        "use super::{high, other as another, self as low};",
        "use self::high::Thing;",
        "use super as low;",
        "use other::{self as another};",
        "pub(super) fn f(self, supper: A) -> Self { self as A }",
        "pub(in crate::low) fn f(x: crate::low::Thing) { crate::low::g(x) }",
        "pub(in super::super) fn f() {}",
    ] {
        assert_eq!(library.wrong_with("low/part.rs", inside), Vec::<String>::new(), "{inside}");
    }
}

#[test]
fn the_root_has_no_other_name() {
    let library = Library::new();
    for other in [
        "use crate as root;",
        "pub(crate) use crate as root;",
        "use {crate as root};",
        "use crate::{self as root};",
        "use super as root;",
        "use super::{self as root};",
        "use self::super as root;",
        "extern crate self as root;",
    ] {
        let expected = format!("low/mod.rs names {ROOT}, which is not a room");
        assert_eq!(library.wrong_with("low/mod.rs", other), [expected], "{other}");
    }
    for all in ["use crate::*;", "use super::*;", "use crate::{low, *};"] {
        let expected = "low/mod.rs names *, which is not a room";
        assert_eq!(library.wrong_with("low/mod.rs", all), [expected], "{all}");
    }
    library.write("lib.rs", "extern crate self as root;\npub mod low;\npub mod high;\n");
    assert_eq!(library.wrong(), [format!("lib.rs names {ROOT}, which is not a room")]);
}

/// Work that goes another way would start the threads of a pool that nobody asked for: in a process that forks later, its child
/// would wait for them for ever.
#[test]
fn work_is_divided_by_the_room_of_threads() {
    let found = files(&sources());
    let known = |path: &PathBuf| {
        let place = path.strip_prefix(sources()).unwrap();
        // Files are read on the threads of the pool, and the workers of an experiment have pools of their own.
        ["data/read", "threads"].iter().any(|folder| place.starts_with(folder))
            || place == Path::new("evaluate/workers.rs")
    };
    let outside: Vec<_> =
        found.iter().filter(|path| !known(path) && code(path).contains("rayon::")).collect();
    assert!(
        outside.iter().all(|path| path.ends_with("tests.rs")),
        "use `threads` instead of rayon: {outside:?}"
    );
}
