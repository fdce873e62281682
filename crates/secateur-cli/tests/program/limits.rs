//! `--max-leaves`, `--max-depth` and `--min-leaf` of `fit`, `path` and `evaluate`: options of the scheme, named or not.

use super::*;

const FLAGS: [(&str, &str); 3] = [("--max-leaves", "6"), ("--max-depth", "3"), ("--min-leaf", "25")];

#[test]
fn limits_are_options_of_the_scheme_of_every_command_that_fits() {
    let folder = Folder::new();
    for data in ["builtin:credit?n=200", "builtin:houses?n=200"] {
        for command in ["fit", "path", "evaluate"] {
            for (flag, value) in FLAGS {
                let option = format!("{}={value}", flag.trim_start_matches('-'));
                for scheme in [&[][..], &["-s", "cart:min-split=4/cost-complexity:cv=3"]] {
                    let told = folder.json(&[&[command, data, flag, value], scheme].concat());
                    let used = told["scheme"].as_str().unwrap();
                    let (learner, pruner) = used.split_once('/').unwrap();
                    let options: Vec<&str> = learner.split([':', ',']).collect();
                    assert!(options.contains(&option.as_str()), "{command} {data} {flag}: {used}");
                    assert!(scheme.is_empty() || options.contains(&"min-split=4"), "{used}");
                    // Without one, it is the default that is changed, and nothing else of it.
                    if scheme.is_empty() {
                        let usual = folder.json(&[command, data])["scheme"].as_str().unwrap().to_string();
                        let rest = |text: &str| {
                            let of_flag = |option: &&str| !option.starts_with(flag.trim_start_matches('-'));
                            text.split([':', ',', '/']).filter(of_flag).map(String::from).collect::<Vec<_>>()
                        };
                        assert_eq!(rest(used), rest(&usual));
                        assert_eq!(pruner, usual.split_once('/').unwrap().1);
                    }
                }
            }
        }
    }
}

#[test]
fn a_flag_gives_the_tree_of_the_option_with_every_learner() {
    let folder = Folder::new();
    for learner in ["cart", "best-first", "c45", "id3"] {
        for (flag, value) in FLAGS {
            let option = format!("{learner}:{}={value}", flag.trim_start_matches('-'));
            let fit = ["fit", "builtin:credit?n=300", "-q"];
            folder.run(&[&fit[..], &["-s", learner, flag, value, "-o", "flag.json"]].concat()).ok();
            folder.run(&[&fit[..], &["-s", &option, "-o", "option.json"]].concat()).ok();
            assert_eq!(folder.read("flag.json"), folder.read("option.json"), "{option}");
        }
    }
    let told =
        folder.json(&["fit", "builtin:credit", "--max-leaves", "6", "--max-depth", "3", "--min-leaf", "25"]);
    contains(told["scheme"].as_str().unwrap(), &["min-leaf=25", "max-depth=3", "max-leaves=6"]);
    assert!(told["full"]["leaves"].as_u64().unwrap() <= 6 && told["full"]["depth"].as_u64().unwrap() <= 3);
}

#[test]
fn what_a_scheme_sets_already_and_values_that_are_none_are_refused() {
    let folder = Folder::new();
    for command in ["fit", "path", "evaluate"] {
        let refused = |more: &[&str]| folder.refused(&[&[command, "builtin:iris"], more].concat());
        let scheme = "cart:max-leaves=4/cost-complexity";
        let told = refused(&["-s", scheme, "--max-leaves", "5"]);
        contains(&told, &["--max-leaves 5", scheme, "sets max-leaves already", "leave one of them out"]);
        // The same twice is no contradiction.
        folder.json(&[command, "builtin:iris", "-s", scheme, "--max-leaves", "4"]);
        for (flag, value, range) in [
            ("--max-leaves", "0", "a whole number from 1"),
            ("--max-leaves", "few", "a whole number from 1"),
            ("--max-depth", "-1", "a whole number from 0"),
            ("--max-depth", "2.5", "a whole number from 0"),
            ("--min-leaf", "-2", "a number of at least 0"),
            ("--min-leaf", "", "needs a value"),
        ] {
            contains(&refused(&[flag, value]), &[flag, range]);
        }
        contains(&refused(&["-s", "carrt", "--max-depth", "2"]), &["carrt", "cart"]);
    }
}
