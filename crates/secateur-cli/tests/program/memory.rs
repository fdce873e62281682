//! Too little memory is an error with exit code 1, whatever the limit; damaged files print one error and nothing else.

use std::process::Command;

use super::*;

/// The program with this many kilobytes of addresses.
#[cfg(target_os = "linux")]
pub(super) fn limited(folder: &Folder, kilobytes: u64, args: &[&str]) -> Done {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kilobytes} || exit 99; exec \"$0\" \"$@\"")]);
    command.arg(assert_cmd::cargo::cargo_bin!("secateur")).args(args);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    use std::os::unix::process::ExitStatusExt;
    Done {
        code: output.status.code().unwrap_or_else(|| -output.status.signal().unwrap_or(0)),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs a command with ever more memory until it succeeds; before that it must fail in words. Says how often it did.
#[cfg(target_os = "linux")]
fn fails_in_words_until_it_succeeds(folder: &Folder, args: &[&str], most: u64) -> usize {
    // Less than this, and the system cannot load the program.
    let mut kilobytes = 8_000;
    while limited(folder, kilobytes, &["schemes", "cart"]).code != 0 {
        kilobytes += 4_000;
        assert!(kilobytes < most, "the program does not even start");
    }
    let (mut refused, mut succeeded) = (0, 0);
    while kilobytes < most {
        let done = limited(folder, kilobytes, args);
        match done.code {
            0 => succeeded += 1,
            1 => {
                refused += 1;
                let err = &done.err;
                assert!(
                    err.starts_with("error: there is not enough memory"),
                    "{args:?} in {kilobytes} kB: {err:?}"
                );
                assert!(err.contains("leave out columns"), "{err:?}");
                assert_eq!(err.lines().count(), 1, "{err:?}");
            }
            code => panic!("{args:?} in {kilobytes} kB ended with {code}: {}", done.err),
        }
        if succeeded > 1 {
            break;
        }
        kilobytes += kilobytes / 10;
    }
    assert!(succeeded > 0, "{args:?} did not succeed in {most} kB");
    refused
}

#[cfg(target_os = "linux")]
#[test]
fn every_stage_says_that_memory_is_lacking() {
    let folder = Folder::new();
    let rows: String = (0..40_000u32)
        .map(|i| {
            let x = i.wrapping_mul(2_654_435_761);
            format!("{},{},{},{},w{}\n", x % 99_991, x % 7, x % 1013, f64::from(x) / 3.0, x % 5)
        })
        .collect();
    folder.write("t.csv", format!("a,b,c,d,y\n{rows}"));
    folder.run(&["fit", "t.csv", "-s", "cart:min-leaf=500", "-o", "m.json"]).ok();
    let most = 2_000_000;
    for args in [
        &["data", "t.csv", "--threads", "2"][..],
        &["fit", "t.csv", "-s", "cart:min-leaf=200", "--threads", "2"],
        &["fit", "t.csv", "-s", "cart:min-leaf=200", "--threads", "1", "--target", "d"],
        &["fit", "builtin:waveform-21?n=20000", "-s", "c45:min-leaf=200/error-based", "--threads", "2"],
        &["predict", "m.json", "t.csv", "--threads", "2", "-o", "p.csv", "-q"],
        &[
            "evaluate",
            "builtin:waveform-21?n=10000",
            "-s",
            "cart/mdl",
            "--cv",
            "2",
            "--threads",
            "2",
            "--results",
            "r.jsonl",
        ],
    ] {
        let refused = fails_in_words_until_it_succeeds(&folder, args, most);
        assert!(refused > 0, "{args:?} was never refused");
        // A run that lacked memory has left no results of its own.
        let _ = std::fs::remove_file(folder.path("r.jsonl"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_too_large_is_named() {
    let folder = Folder::new();
    let done = limited(&folder, 1_000_000, &["fit", "builtin:waveform-21?n=20000000", "--threads", "1"]);
    assert_eq!(done.code, 1, "{}", done.err);
    contains(&done.err, &["not enough memory for the table of builtin:waveform-21", "3357 MB wanted"]);
    // A small file that says it is large.
    let zeros = vec![b'0'; 1 << 20];
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    use std::io::Write;
    bomb.write_all(b"x\n").unwrap();
    (0..900).for_each(|_| bomb.write_all(&zeros).unwrap());
    folder.write("bomb.csv.gz", bomb.finish().unwrap());
    let done = limited(&folder, 600_000, &["data", "bomb.csv.gz", "--threads", "1"]);
    assert_eq!(done.code, 1, "{}", done.err);
    contains(&done.err, &["not enough memory for the text of bomb.csv.gz, decompressed"]);
}

/// A small file of which every row has a name of its own would be a table of nothing but missing values.
#[cfg(target_os = "linux")]
#[test]
fn names_that_only_one_row_has_fill_no_memory() {
    let folder = Folder::new();
    let row = |i: usize| format!("{{\"k{i}\": {i}, \"y\": \"{}\"}}", ["a", "b"][i % 2]);
    let rows: Vec<String> = (0..15_000).map(row).collect();
    folder.write("t.jsonl", rows.join("\n"));
    folder.write("t.json", format!("[{}]", rows.join(",\n")));
    for (file, line) in [("t.jsonl", "t.jsonl, line "), ("t.json", "t.json, line ")] {
        let done = limited(&folder, 1_000_000, &["data", file, "--threads", "1"]);
        contains(
            &done.refused(&[file]),
            &[line, "rows, which have 2 of them each on average; expected the same names"],
        );
    }
    // Many columns that the rows have, and few that they have not.
    let whole = |i: usize| {
        let cells: Vec<String> = (0..200).map(|c| format!("\"k{c}\": {}", (i * c) % 17)).collect();
        format!("{{{}, \"r{i}\": 1}}", cells.join(", "))
    };
    folder.write("t.jsonl", (0..300).map(whole).collect::<Vec<_>>().join("\n"));
    folder.run(&["data", "t.jsonl"]).ok();
}

#[test]
fn very_many_columns_are_read() {
    let folder = Folder::new();
    let columns = 200_000;
    let head: Vec<String> = (0..columns).map(|i| format!("x{i}")).collect();
    let row: Vec<&str> = (0..columns).map(|i| if i % 2 == 0 { "1.5" } else { "w" }).collect();
    let row = row.join(",");
    folder.write("wide.csv", format!("{}\n{row}\n{row}\n{row}\n{row}\n", head.join(",")));
    let args = ["data", "wide.csv", "--threads", "2", "--json"];
    #[cfg(target_os = "linux")]
    let done = limited(&folder, 3_000_000, &args);
    #[cfg(not(target_os = "linux"))]
    let done = folder.run(&args);
    let told: Value = serde_json::from_str(&done.ok()).unwrap();
    assert_eq!(told["columns"].as_array().unwrap().len(), columns);
}

#[test]
fn a_deep_model_is_refused_in_words() {
    let folder = Folder::new();
    let deep = "[".repeat(1_000_000);
    folder.write("m.json", format!("{{\"format\": \"secateur-model\", \"version\": 1, \"costs\": {deep}"));
    contains(&folder.refused(&["show", "m.json"]), &["m.json"]);
    folder.write("m.json", format!("{{\"format\": \"secateur-model\", \"version\": 1, \"more\": {deep}"));
    contains(&folder.refused(&["show", "m.json"]), &["m.json"]);
}

/// Numbers that look random, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn parquet() -> Vec<u8> {
    use super::writing::{Cells, file};
    use ::parquet::{basic::Compression, file::properties::WriterProperties};
    let rows = || 0..3000;
    let columns = [
        ("a", Cells::Floats(rows().map(|i| (i % 7 > 0).then_some(f64::from(i))).collect())),
        ("b", Cells::Shorts(rows().map(|i| Some(i % 100)).collect())),
        ("c", Cells::Texts(rows().map(|i| Some(format!("v{}", i % 50))).collect())),
    ];
    file(&columns, 1000, WriterProperties::builder().set_compression(Compression::SNAPPY))
}

#[test]
fn damaged_parquet_files_print_one_error_and_no_panic() {
    let folder = Folder::new();
    let whole = parquet();
    folder.write("d.parquet", &whole);
    folder.run(&["data", "d.parquet"]).ok();
    let mut dice = Dice(11);
    let mut refused = 0;
    for round in 0..150 {
        let mut bytes = whole.clone();
        if round % 5 == 0 {
            bytes.truncate(dice.below(whole.len()));
        } else {
            for _ in 0..=dice.below(4) {
                let place = dice.below(bytes.len());
                bytes[place] ^= 1 << dice.below(8);
            }
        }
        folder.write("d.parquet", &bytes);
        let args = ["data", "d.parquet", "--threads", "2"];
        #[cfg(target_os = "linux")]
        let done = limited(&folder, 600_000, &args);
        #[cfg(not(target_os = "linux"))]
        let done = folder.run(&args);
        assert!(!done.err.contains("not enough memory"), "{}", done.err);
        assert!(!done.err.contains("panicked"), "{}", done.err);
        match done.code {
            0 => assert_eq!(done.err, ""),
            1 | 2 => {
                refused += 1;
                assert_eq!(
                    done.err.lines().filter(|line| line.starts_with("error: ")).count(),
                    1,
                    "{}",
                    done.err
                );
                assert!(
                    done.err.lines().all(|line| line.starts_with("error: ") || line.starts_with("hint: ")),
                    "{}",
                    done.err
                );
            }
            code => panic!("round {round} ended with {code}: {}", done.err),
        }
    }
    assert!(refused > 50, "{refused}");
}

/// The bytes with others in the place of those that stand there once.
#[cfg(target_os = "linux")]
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("{} places", places.len()) };
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

/// Whatever a page says of itself, no memory is taken for more than is there.
#[cfg(target_os = "linux")]
#[test]
fn counts_of_damaged_parquet_files_take_no_memory() {
    use super::writing::{Cells, file};
    use ::parquet::{basic::Encoding, file::properties::WriterProperties};
    // 2³¹ - 1 as a whole number, and as one whose sign is its lowest bit.
    const MOST: [u8; 5] = [0xff, 0xff, 0xff, 0xff, 7];
    const MOST_SIGNED: [u8; 5] = [0xfe, 0xff, 0xff, 0xff, 15];
    let folder = Folder::new();
    let texts = || Cells::Texts((0..50).map(|i| Some(format!("v{i}"))).collect());
    let floats = Cells::Floats((0..50).map(|i| Some(f64::from(i))).collect());
    let plain = WriterProperties::builder;
    let differences =
        |encoding| plain().set_dictionary_enabled(false).set_column_encoding("x".into(), encoding);
    // The header of a dictionary of 50 values: its number, that it is plain, the end.
    let dictionary = (&[0x4c, 0x15, 100, 0x15][..], [&[0x4c, 0x15], &MOST_SIGNED[..], &[0x15]].concat());
    // Blocks of 128 numbers in four parts, 50 of them.
    let lengths = (&[0x80, 1, 4, 50, 4][..], [&[0x80, 1, 4], &MOST[..], &[4]].concat());
    let prefixes = (&[0x80, 1, 4, 50, 0][..], [&[0x80, 1, 4], &MOST[..], &[0]].concat());
    for (cells, properties, (from, to), says) in [
        (floats, plain(), dictionary.clone(), "a dictionary of 400 bytes says that it has 2147483647 values"),
        (texts(), plain(), dictionary, "a dictionary of 340 bytes says that it has 2147483647 values"),
        (
            texts(),
            differences(Encoding::DELTA_LENGTH_BYTE_ARRAY),
            lengths.clone(),
            "a page of 50 values says that it has the lengths of 2147483647",
        ),
        (
            texts(),
            differences(Encoding::DELTA_BYTE_ARRAY),
            prefixes,
            "a page of 50 values says that it has the lengths of 2147483647",
        ),
    ] {
        let y = Cells::Texts((0..50).map(|i| Some(["a", "b"][i % 2].into())).collect());
        let whole = file(&[("x", cells), ("y", y)], 50, properties);
        folder.write("w.parquet", &whole);
        folder.run(&["data", "w.parquet"]).ok();
        folder.write("d.parquet", replaced(&whole, from, &to));
        for args in [&["data", "d.parquet"][..], &["fit", "d.parquet", "-s", "cart", "--memory", "64MB"]] {
            let done = limited(&folder, 600_000, args);
            contains(
                &done.refused(args),
                &["d.parquet, column 1, attribute 'x'", "damaged or cut off", says],
            );
        }
    }
}

/// A page that is larger than the budget when it is decompressed is refused before that.
#[cfg(target_os = "linux")]
#[test]
fn large_pages_are_refused_within_a_budget() {
    use super::writing::{Cells, file};
    use ::parquet::{basic::Compression, file::properties::WriterProperties};
    let folder = Folder::new();
    let columns = [
        ("x", Cells::Texts((0..200).map(|i| Some(format!("{}{i}", "x".repeat(200_000)))).collect())),
        ("y", Cells::Texts((0..200).map(|i| Some(["a", "b"][i % 2].into())).collect())),
    ];
    for compression in
        [Compression::BROTLI(Default::default()), Compression::GZIP(Default::default()), Compression::SNAPPY]
    {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_data_page_size_limit(1 << 30)
            .set_write_batch_size(1000)
            .set_statistics_enabled(::parquet::file::properties::EnabledStatistics::None)
            .set_compression(compression);
        folder.write("d.parquet", file(&columns, 200, properties));
        let args = ["fit", "d.parquet", "-s", "cart", "--memory", "64MB", "--threads", "1"];
        let done = limited(&folder, 300_000, &args);
        assert_eq!(done.code, 1, "{}", done.err);
        contains(
            &done.err,
            &[
                "not enough memory for a page, decompressed (d.parquet, column 1, attribute 'x'): 39 MB wanted",
            ],
        );
        folder.run(&["data", "d.parquet"]).ok();
    }
}

/// A file that becomes shorter while it is read is an error like others, whenever that happens.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_shortened_while_it_is_read_is_no_end_of_the_process() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    let folder = Folder::new();
    let rows: String = (0..400_000u32).map(|i| format!("{},{},w{}\n", i % 9973, i % 7, i % 5)).collect();
    let whole = format!("a,b,y\n{rows}");
    for delay in [5, 20, 40, 80, 120, 160] {
        folder.write("t.csv", &whole);
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("secateur"));
        command.args(["data", "t.csv", "--threads", "2"]).current_dir(folder.0.path());
        let run = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        std::fs::OpenOptions::new().write(true).open(folder.path("t.csv")).unwrap().set_len(10).unwrap();
        let done = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.signal(), None, "after {delay} ms");
        assert!(done.status.success() || said.starts_with("error: t.csv"), "after {delay} ms: {said}");
    }
}

/// Class probabilities count towards the memory: they are worked out in parts of a portion, or refused.
#[cfg(target_os = "linux")]
#[test]
fn very_many_classes_keep_to_the_memory_or_are_refused() {
    let folder = Folder::new();
    let rows = |classes: usize, rows: usize| -> String {
        (0..rows).map(|i| format!("{},c{}\n", i % classes, i % classes)).collect()
    };
    folder.write("t.csv", format!("x,y\n{}", rows(1500, 3000)));
    folder.run(&["fit", "t.csv", "-s", "cart:max-leaves=20", "-o", "m.json", "-q"]).ok();
    folder.write("new.csv", format!("x,y\n{}", rows(1500, 12_000)));
    // All probabilities together would take 144 MB, and their text as much.
    let args = ["predict", "m.json", "new.csv", "-q", "--threads", "1", "-o"];
    let done = limited(&folder, 150_000, &[&args[..], &["few.csv", "--memory", "64MB"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    folder.run(&[&args[..], &["all.csv", "--memory", "2GB"]].concat()).ok();
    assert!(std::fs::read(folder.path("few.csv")).unwrap() == std::fs::read(folder.path("all.csv")).unwrap());
    folder.write("t.csv", format!("x,y\n{}", rows(60_000, 120_000)));
    let done = limited(&folder, 4_000_000, &["fit", "t.csv", "-s", "cart"]);
    assert_eq!(done.code, 1, "{}", done.err);
    contains(&done.err, &["not enough memory for the counts of 60000 classes in a tree of 119999 nodes"]);
}
