//! Result files with numbers that no run comes to, under checksums that fit: refused in words, or reported like any other.

use super::*;

/// A line with a checksum of what stands in it.
fn sealed(line: &Value) -> String {
    let mut text = line.to_string();
    text.pop();
    let mut crc = flate2::Crc::new();
    crc.update(text.as_bytes());
    format!("{text},\"check\":\"{:08x}\"}}\n", crc.sum())
}

/// The places of the numbers of a record, one for every kind: of the entries of a list the first and the last.
fn numbers(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(place),
        Value::Array(items) => {
            let ends = [0, items.len().saturating_sub(1)];
            for i in &ends[..items.len().min(2)] {
                numbers(&items[*i], format!("{place}/{i}"), found);
            }
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| numbers(item, format!("{place}/{key}"), found))
        }
        _ => {}
    }
}

#[test]
fn every_number_of_a_record_can_be_extreme() {
    let folder = Folder::new();
    let (mut refused, mut reported) = (0, 0);
    for data in ["builtin:iris", "builtin:friedman?n=60"] {
        let call = [
            "evaluate",
            data,
            "-s",
            "cart:max-leaves=4",
            "--cv",
            "2",
            "--sets",
            "0.5",
            "--calibrate",
            "0.3",
            "--results",
            "r.jsonl",
        ];
        let text = |folder: &Folder| folder.run(&call);
        text(&folder).ok();
        let lines: Vec<Value> =
            folder.read("r.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let plain = |line: &Value| {
            let mut line = line.clone();
            line.as_object_mut().unwrap().remove("check");
            line
        };
        let head = folder.read("r.jsonl").lines().next().unwrap().to_owned() + "\n";
        let (first, second) = (plain(&lines[1]), plain(&lines[2]));
        let write = |first: &Value| folder.write("r.jsonl", head.clone() + &sealed(first) + &sealed(&second));
        write(&first);
        text(&folder).ok();
        let mut places = Vec::new();
        numbers(&first, String::new(), &mut places);
        assert!(places.len() > 12, "{places:?}");
        for place in places {
            for extreme in ["1.7e308", "-1", "1e17"] {
                let mut changed = first.clone();
                *changed.pointer_mut(&place).unwrap() = serde_json::from_str(extreme).unwrap();
                write(&changed);
                let done = text(&folder);
                match done.code {
                    0 => reported += 1,
                    _ => {
                        refused += 1;
                        contains(&done.refused(&[&place, extreme]), &["r.jsonl, line 2: "]);
                    }
                }
            }
        }
        let _ = std::fs::remove_file(folder.path("r.jsonl"));
    }
    assert!(refused > 40 && reported > 10, "{refused} were refused, {reported} reported");
}
