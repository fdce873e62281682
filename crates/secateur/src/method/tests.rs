//! Options of a toy method: reading, checking, writing.

use super::*;
use crate::error::Result;
use crate::schema::Task;

static TOY: MethodInfo = MethodInfo {
    id: "toy",
    one_line: "",
    paper: "",
    params: &[
        ParamSpec::new("cv", ParamKind::Integer { min: 2, max: 100 }, ""),
        ParamSpec::new("1se", ParamKind::Flag, "").default("off"),
        ParamSpec::new("cf", ParamKind::SHARE, "").default("0.25"),
        ParamSpec::new("kind", ParamKind::Choice(&[Choice::any("exact"), Choice::numbers("rough")]), "")
            .defaults("exact", "rough"),
        ParamSpec::new("fine", ParamKind::Flag, "").requires("kind", &["exact"]),
    ],
    needs: Needs::Counts,
    exceptions: &[],
};

fn toy(text: &str) -> Result<Method> {
    Method::parse(text, MethodKind::Pruner, &[&TOY])
}

fn problem(text: &str) -> String {
    toy(text).unwrap_err().to_string()
}

#[test]
fn a_flag_may_stand_bare_and_is_printed_bare() {
    assert_eq!(toy("toy:1se").unwrap().value("1se", Task::Classification), Some(Value::Flag(true)));
    assert_eq!(toy("toy:1se=on,cv=10").unwrap().to_string(), "toy:cv=10,1se");
    assert_eq!(toy("toy:1se=off").unwrap().to_string(), "toy");
    assert_eq!(problem("toy:cv"), "pruner toy: option cv needs a value: cv=…, a whole number from 2 to 100");
}

#[test]
fn a_default_is_not_printed_unless_it_depends_on_the_target() {
    assert_eq!(toy("toy:cf=0.250").unwrap().to_string(), "toy");
    assert_eq!(toy("toy:kind=exact,cf=.5").unwrap().to_string(), "toy:cf=0.5,kind=exact");
}

#[test]
fn a_value_outside_its_range_is_answered_with_the_range() {
    for bad in ["0", "-0", "1.01", "NaN", "inf", "-inf", "1e999", "x", "0.2 0.3", "1;2"] {
        assert_eq!(
            problem(&format!("toy:cf={bad}")),
            format!("pruner toy: option cf: '{bad}' is not a number above 0 and at most 1")
        );
    }
    for bad in ["1", "101", "-3", "2.5", "99999999999999999999999"] {
        assert!(problem(&format!("toy:cv={bad}")).ends_with("is not a whole number from 2 to 100"), "{bad}");
    }
    assert_eq!(
        problem("toy:kind=exat"),
        "pruner toy: option kind: 'exat' is not exact or rough (did you mean 'exact'?)"
    );
}

#[test]
fn options_that_would_change_nothing_are_refused() {
    assert!(toy("toy:fine").unwrap().check(Task::Classification).is_ok());
    assert_eq!(
        toy("toy:fine").unwrap().check(Task::Regression).unwrap_err().to_string(),
        "toy: option fine changes something only with kind=exact, and kind is rough here"
    );
    assert_eq!(
        toy("toy:kind=rough").unwrap().check(Task::Classification).unwrap_err().to_string(),
        "toy: kind=rough is for regression, and the target here has classes; choose exact"
    );
}

#[test]
fn names_are_checked_with_a_suggestion_and_the_list() {
    assert_eq!(problem("tou"), "unknown pruner 'tou' (did you mean 'toy'?); the pruners are toy");
    assert!(
        problem("toy:vc=3")
            .starts_with("pruner toy has no option 'vc' (did you mean 'cv'?); its options are")
    );
    assert_eq!(problem("toy:cv=3,cv=4"), "pruner toy: option cv is given twice");
    assert!(problem("toy:").contains("an option is empty"));
    assert!(problem("toy:cv=3,").contains("an option is empty"));
    assert!(problem("toy:=3").contains("an option is empty"));
    assert!(problem(":cv=3").contains("needs the name of a pruner"));
    assert_eq!(
        Method::parse("x", MethodKind::Pruner, &[]).unwrap_err().to_string(),
        "unknown pruner 'x'; no pruner is available in this version"
    );
}
