//! `secateur schemes`: every way to learn a tree, read off the registry.

use clap::Args;
use secateur::error::{shown, suggestion};
use secateur::method::MethodKind;
use secateur::prune::PRUNERS;
use secateur::schema::Task;
use secateur::scheme::{Exception, For, LEARNERS, MethodInfo, ParamKind, ParamSpec, Scheme, pruners};
use serde::Serialize;

use crate::args::Output;
use crate::failure::{Failure, Result};
use crate::output::{self, Align, table};
use crate::terminal;

/// List all learners and pruners with their options
#[derive(Args)]
#[command(after_help = "\
Examples:
  secateur schemes                 all methods, a line for each
  secateur schemes c45             one method, its options explained
  secateur schemes --all           every method with its options
  secateur schemes --json          the same for programs

A scheme is LEARNER[:option=value,...][/PRUNER[:option=value,...]], for
example best-first:max-leaves=20 or c45:min-leaf=5,guards=off.")]
pub struct Schemes {
    /// Explain this learner or pruner
    #[arg(value_name = "NAME", conflicts_with = "all")]
    method: Option<String>,
    /// List the options of every method
    #[arg(long)]
    all: bool,
}

/// What `schemes --json` prints.
#[derive(Serialize)]
struct Summary {
    /// What is taken when no scheme is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    defaults: Option<Defaults>,
    learners: Vec<MethodSummary>,
    pruners: Vec<MethodSummary>,
}

#[derive(Serialize)]
struct Defaults {
    classification: String,
    regression: String,
}

impl Defaults {
    /// Those of a table that has rows enough.
    fn new() -> Result<Self> {
        let of = |task| Scheme::default_for(task, 100).map(|scheme| scheme.to_string());
        Ok(Self { classification: of(Task::Classification)?, regression: of(Task::Regression)? })
    }
}

#[derive(Serialize)]
struct MethodSummary {
    id: &'static str,
    one_line: &'static str,
    paper: &'static str,
    needs: String,
    /// Whether it is for targets with classes, with numbers, or both.
    tasks: Vec<&'static str>,
    /// The parameter of its path, where it has one.
    path: Option<&'static str>,
    options: Vec<OptionSummary>,
    /// The laws that it does not obey.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exceptions: Vec<ExceptionSummary>,
}

#[derive(Serialize)]
struct ExceptionSummary {
    law: String,
    /// The option that is the cause, where not all settings are.
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
    reason: &'static str,
}

#[derive(Serialize)]
struct OptionSummary {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    /// The words of a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    default: Option<&'static str>,
    default_regression: Option<&'static str>,
    /// `both`, `classification` or `regression`.
    task: &'static str,
    help: &'static str,
}

impl Schemes {
    /// Runs the command.
    pub fn run(&self, how: &Output) -> Result<()> {
        let wanted = |list: &[&'static MethodInfo]| -> Vec<&'static MethodInfo> {
            list.iter().copied().filter(|m| self.method.as_ref().is_none_or(|name| m.id == name)).collect()
        };
        let all = pruners();
        let (learners, pruners) = (wanted(LEARNERS), wanted(&all));
        if let (true, true, Some(name)) = (learners.is_empty(), pruners.is_empty(), &self.method) {
            let ids: Vec<&str> = LEARNERS.iter().chain(&all).map(|m| m.id).collect();
            return Err(Failure::call(format!(
                "unknown method {}{}; there are {}",
                shown(name),
                suggestion(name, ids.iter().copied()),
                ids.join(", ")
            )));
        }
        if how.json {
            let summary = |list: &[&'static MethodInfo]| list.iter().copied().map(method_summary).collect();
            let defaults = if self.method.is_none() { Some(Defaults::new()?) } else { None };
            output::json(&Summary { defaults, learners: summary(&learners), pruners: summary(&pruners) })?;
            return Ok(());
        }
        if self.method.is_none() && !self.all {
            return Ok(output::text(&overview(&learners, &pruners, &Defaults::new()?))?);
        }
        let kinds = [(MethodKind::Learner, learners), (MethodKind::Pruner, pruners)];
        let shown =
            kinds.iter().flat_map(|(kind, list)| list.iter().map(|m| method_shown(*kind, m, !self.all)));
        Ok(output::text(&shown.collect::<Vec<_>>().join("\n"))?)
    }
}

/// The targets that a method is for.
fn tasks(method: &'static MethodInfo) -> Vec<Task> {
    let pruner = PRUNERS.iter().find(|pruner| pruner.info.id == method.id);
    let fits = |task: &Task| match pruner {
        Some(pruner) => pruner.check(*task).is_ok(),
        None => method.id.parse().is_ok_and(|scheme: Scheme| scheme.check(*task).is_ok()),
    };
    [Task::Classification, Task::Regression].into_iter().filter(fits).collect()
}

/// The parameter of a method's path, where it has one.
fn path(method: &MethodInfo) -> Option<&'static str> {
    let pruner = PRUNERS.iter().find(|pruner| pruner.info.id == method.id)?;
    Some(pruner.parameter().filter(|_| pruner.check_path().is_ok())?.name)
}

/// A line for every method.
fn overview(
    learners: &[&'static MethodInfo],
    pruners: &[&'static MethodInfo],
    Defaults { classification, regression }: &Defaults,
) -> String {
    let targets = |method: &'static MethodInfo| match tasks(method)[..] {
        [Task::Classification] => "classes",
        [Task::Regression] => "numbers",
        _ => "both",
    };
    let mut rows = vec![["learner", "for", "path", ""].map(String::from).to_vec()];
    let line = |method: &&'static MethodInfo| {
        let path = path(method).unwrap_or("-");
        [method.id, targets(method), path, method.one_line].map(String::from).to_vec()
    };
    rows.extend(learners.iter().map(line).map(|mut row| {
        row[2].clear();
        row
    }));
    rows.extend([vec![String::new(); 4], ["pruner", "for", "path", ""].map(String::from).to_vec()]);
    rows.extend(pruners.iter().map(line));
    let notes = format!(
        "\
path: the parameter by which `secateur path` lists trees and cv=10 chooses one

A scheme is LEARNER[:option=value,...][/PRUNER[:option=value,...]].
`secateur schemes NAME` explains a method and its options.

When none is named (docs/which-tree.md says why):
  classes  {classification}
  numbers  {regression}
"
    );
    format!("{}\n{notes}", table(&[Align::Left; 4], 24, &rows))
}

fn method_summary(method: &'static MethodInfo) -> MethodSummary {
    MethodSummary {
        id: method.id,
        one_line: method.one_line,
        paper: method.paper,
        needs: method.needs.to_string(),
        tasks: tasks(method)
            .into_iter()
            .map(|task| match task {
                Task::Classification => "classification",
                Task::Regression => "regression",
            })
            .collect(),
        path: path(method),
        options: method.params.iter().map(option_summary).collect(),
        exceptions: exceptions_summary(method),
    }
}

fn exceptions_summary(method: &'static MethodInfo) -> Vec<ExceptionSummary> {
    let summary = |option, e: &Exception| ExceptionSummary {
        law: e.law.to_string(),
        option,
        value: e.value,
        reason: e.reason,
    };
    let by_option =
        method.params.iter().flat_map(|p| p.exceptions.iter().map(move |e| summary(Some(p.name), e)));
    method.exceptions.iter().map(|e| summary(None, e)).chain(by_option).collect()
}

fn option_summary(param: &ParamSpec) -> OptionSummary {
    let (kind, min, max) = match param.kind {
        ParamKind::Number { min, max, .. } => ("number", Some(min), (max < f64::MAX).then_some(max)),
        ParamKind::Integer { min, max } => ("integer", Some(min as f64), Some(max as f64)),
        ParamKind::Choice(_) | ParamKind::OpenChoice(..) => ("choice", None, None),
        ParamKind::Flag => ("flag", None, None),
    };
    OptionSummary {
        name: param.name,
        kind,
        choices: param.kind.words(),
        min,
        max,
        default: param.default,
        default_regression: param.default_regression,
        task: match param.only {
            For::Both => "both",
            For::Classes => "classification",
            For::Numbers => "regression",
        },
        help: param.help,
    }
}

/// A method with its options; `explained` adds what each option does.
fn method_shown(kind: MethodKind, method: &'static MethodInfo, explained: bool) -> String {
    let room = terminal::here().width.saturating_sub(4);
    let wrapped = |text: &str| output::wrapped(text, room, 2);
    let targets: Vec<&str> = tasks(method)
        .into_iter()
        .map(|task| match task {
            Task::Classification => "classes",
            Task::Regression => "numbers",
        })
        .collect();
    let mut out =
        format!("{}\n  {}\n", output::bold(&format!("{kind} {}", method.id)), wrapped(method.one_line));
    out += &format!("  {}\n  for: {}\n", wrapped(method.paper), targets.join(" and "));
    out += &format!("  needs: {}\n", method.needs);
    if kind == MethodKind::Pruner {
        out += &match path(method) {
            Some(parameter) => format!("  path: by {parameter}, which `secateur path` shows\n"),
            None => "  path: none\n".into(),
        };
    }
    if method.params.is_empty() {
        return out + "  no options\n";
    }
    let mut rows = vec![["  option", "default", "values"].map(String::from).to_vec()];
    for param in method.params {
        rows.push(vec![format!("  {}", param.name), default(param), allowed(param)]);
        if explained {
            rows.push(vec![String::new(), String::new(), format!("  {}", param.help)]);
        }
    }
    out + &table(&[Align::Left, Align::Left, Align::Left], 40, &rows)
}

/// `gini / mse` where it depends on the target, `-` where there is none.
fn default(param: &ParamSpec) -> String {
    match (param.default, param.default_regression) {
        (Some(classes), Some(numbers)) if classes != numbers => format!("{classes} / {numbers}"),
        (Some(text), _) => text.into(),
        (None, _) => "-".into(),
    }
}

fn allowed(param: &ParamSpec) -> String {
    let kind = match param.kind {
        ParamKind::Choice(_) | ParamKind::OpenChoice(..) | ParamKind::Flag => param.kind.words().join(" | "),
        ParamKind::Number { .. } => param.kind.to_string(),
        ParamKind::Integer { min, max } if max >= u64::from(u32::MAX) => {
            format!("a whole number of at least {min}")
        }
        ParamKind::Integer { .. } => param.kind.to_string(),
    };
    match param.only {
        For::Both => kind,
        For::Classes => kind + " (classes)",
        For::Numbers => kind + " (numbers)",
    }
}
