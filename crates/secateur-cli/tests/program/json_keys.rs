//! The JSON of every command is one object, and its keys are in snake_case.

use serde_json::Value;

use super::Folder;

fn check(value: &Value, at: &str) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let is_good = key.starts_with(|c: char| c.is_ascii_lowercase())
                    && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
                assert!(is_good, "{at}: {key:?} is not in snake_case");
                check(value, &format!("{at}.{key}"));
            }
        }
        Value::Array(list) => list.iter().for_each(|value| check(value, at)),
        _ => {}
    }
}

#[test]
fn every_command_prints_one_object_with_keys_in_snake_case() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    folder.run(&["fit", "builtin:friedman?n=100", "-o", "r.json", "-q"]).ok();
    folder.run(&["export", "m.json", "-o", "m.pmml", "-q"]).ok();
    folder.write("small.toml", super::suite::SMALL);
    let calls: &[&[&str]] = &[
        &["data", "builtin:iris"],
        &["data", "--list"],
        &["fit", "builtin:iris"],
        &["fit", "builtin:friedman?n=100"],
        &["path", "builtin:iris"],
        &["prune", "m.json", "--with", "mdl"],
        &["predict", "m.json", "builtin:iris", "--keep", "petalwidth", "--reliability"],
        &["predict", "r.json", "builtin:friedman?n=100"],
        &["predict", "m.json", "builtin:iris", "--sets", "0.9"],
        &["predict", "r.json", "builtin:friedman?n=100", "--sets", "0.9", "--reliability"],
        &["evaluate", "builtin:iris", "--sets", "0.9"],
        &["fit", "builtin:iris", "--estimate", "nested"],
        &["explain", "m.json", "builtin:iris", "--row", "1-2"],
        &["show", "m.json"],
        &["export", "m.json", "--format", "python"],
        &["export", "--list"],
        &["import", "m.pmml"],
        &["import", "--list"],
        &["evaluate", "builtin:iris"],
        &["evaluate", "builtin:iris", "builtin:weather", "--cv", "2"],
        &["evaluate", "builtin:friedman?n=100", "--learning-curve", "0.5,1"],
        &["compare", "builtin:iris", "-s", "cart", "-s", "cart/mdl", "--measure", "log-loss,fit-seconds"],
        &["suite", "small.toml", "builtin:iris", "builtin:monks-1"],
        &["reproduce"],
        &["reproduce", "shi-2.1"],
        &["schemes"],
        &["schemes", "cart"],
        &["completions", "bash"],
        &["man", "fit"],
    ];
    for call in calls {
        let told = folder.json(call);
        assert!(told.is_object(), "{call:?}");
        check(&told, call[0]);
    }
    let commands = folder.run(&["--help"]).ok();
    let (_, list) = commands.split_once("Commands:\n").unwrap();
    for line in list.lines().take_while(|line| !line.is_empty()) {
        let name = line.trim().split(' ').next().unwrap();
        if line.starts_with("   ") || name == "help" {
            continue;
        }
        assert!(calls.iter().any(|call| call[0] == name), "{name} is not in the list of this test");
    }
}
