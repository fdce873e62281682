//! The rooms of the library depend one way, in the order that ARCHITECTURE.md draws.
//!
//! The graph is computed from the sources: every path that begins with `crate::` or climbs out of its room with `super::`,
//! outside comments, texts and code for tests. An edge from a room to one that comes later in the drawing breaks the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{files, without_texts};

/// For every room the rooms that it uses, each with a file that does.
type Graph = BTreeMap<String, BTreeMap<String, PathBuf>>;

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

/// The names that stand first in a path or in a list of paths: `a::b` gives `a`, `{a::b, c}` gives `a` and `c`.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(list) = path.strip_prefix('{') else { return vec![word(path)] };
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
    items.iter().map(|item| word(item.trim())).filter(|name| !name.is_empty()).collect()
}

/// What the code of a file names at the root of the crate.
fn named(code: &str, depth: usize) -> Vec<String> {
    let climbs = "super::".repeat(depth);
    let (mut names, before) = (Vec::new(), |c: char| c.is_alphanumeric() || c == '_' || c == ':');
    for start in ["crate::", climbs.as_str()] {
        let mut rest = code;
        while let Some(place) = rest.find(start) {
            let alone = !rest[..place].ends_with(before);
            rest = &rest[place + start.len()..];
            if alone {
                names.extend(heads(rest));
            }
        }
    }
    names
}

fn graph(folder: &Path) -> Graph {
    let (list, mut graph) = (files(folder), Graph::new());
    let tests: BTreeSet<PathBuf> = list.iter().flat_map(|path| test_files(path)).collect();
    for path in list.iter().filter(|path| !tests.contains(*path)) {
        let inside = path.strip_prefix(folder).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if room == "lib" {
            continue;
        }
        // How often `super` has to be said to come to the root.
        let is_mod = path.file_stem().is_some_and(|stem| stem == "mod");
        let depth = inside.iter().count() - usize::from(is_mod);
        let uses = graph.entry(room.clone()).or_default();
        for name in named(&code(path), depth) {
            // What the root names again is an error, or its result; an exported macro always stands at the root.
            let name = match name.as_str() {
                "Error" | "Place" | "Result" => "error".into(),
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
                (None, _) => wrong.push(format!("{room} is not drawn")),
                (_, None) => wrong.push(format!("{} names {used}, which is not a room", file.display())),
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
    let lib = fs::read_to_string(sources().join("lib.rs")).unwrap();
    let module = |line: &str| {
        Some(line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    let mut modules: Vec<String> = lib.lines().filter_map(module).collect();
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
fn an_edge_against_the_order_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let order = ["low".to_owned(), "high".to_owned()];
    write("lib.rs", "pub mod low;\npub mod high;\n");
    write("high/mod.rs", "use crate::low::Thing;\nmod part;\n");
    write("high/part.rs", "use super::Thing;\n");
    let clean = "//! See crate::high.\nconst A: &str = \"crate::high\";\n#[cfg(test)]\nmod tests {\n    use crate::high::B;\n}\n";
    write("low.rs", clean);
    assert_eq!(against(&graph(folder.path()), &order), Vec::<String>::new());
    for back in [
        "use crate::high::Thing;",
        "use crate::{low, high::Thing};",
        "use super::high::Thing;",
        "fn f(x: crate::high::Thing) {}",
        "pub(crate) use crate::high;",
    ] {
        write("low.rs", &format!("{clean}{back}\n"));
        let wrong = against(&graph(folder.path()), &order);
        assert_eq!(wrong, ["low.rs uses high, which stands above low"], "{back}");
    }
    write("low.rs", "use crate::cellar::Thing;");
    assert_eq!(against(&graph(folder.path()), &order), ["low.rs names cellar, which is not a room"]);
}

/// Work that goes another way would start the threads of a pool that nobody asked for: in a process that forks later, its child
/// would wait for them for ever.
#[test]
fn work_is_divided_by_the_room_of_threads() {
    let found = files(&sources());
    let known = |path: &PathBuf| {
        let place = path.strip_prefix(sources()).unwrap();
        // Files are read on the threads of the pool, and the workers of an experiment have pools of their own.
        place.starts_with("data/read")
            || ["threads.rs", "evaluate/workers.rs"].iter().any(|file| place == Path::new(file))
    };
    let outside: Vec<_> =
        found.iter().filter(|path| !known(path) && code(path).contains("rayon::")).collect();
    assert!(
        outside.iter().all(|path| path.ends_with("tests.rs")),
        "use `threads` instead of rayon: {outside:?}"
    );
}
