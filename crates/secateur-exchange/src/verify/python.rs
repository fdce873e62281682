//! Consumers that are reached by way of Python: a script for each, with the rows from `exchange.py`.

use std::path::PathBuf;
use std::process::Command;

use super::protocol::{read_answers, write, write_rows};
use super::tools::{in_path, run, version};
use super::{Answers, Consumer, Failure, Tool, Trial};

/// Plain Python, for what is exported as its source.
pub(crate) static PYTHON: Consumer = Consumer {
    id: "Python",
    get: "python.org, or the package python3 of your system",
    find: || python_with(&[]),
    run: |tool, trial| ask(tool, trial, "exported_tree.py", include_str!("run_python.py")),
};

/// A reader of JSON rules, written for this purpose.
pub(crate) static RULES: Consumer = Consumer {
    id: "a reader of rules in Python",
    get: "python.org, or the package python3 of your system",
    find: || python_with(&[]),
    run: |tool, trial| ask(tool, trial, "rules.json", include_str!("run_rules.py")),
};

/// onnxruntime, for ONNX.
pub(crate) static ONNXRUNTIME: Consumer = Consumer {
    id: "onnxruntime",
    get: "pip install onnxruntime",
    find: || python_with(&["onnxruntime", "numpy"]),
    run: |tool, trial| ask(tool, trial, "tree.onnx", include_str!("run_onnx.py")),
};

/// JPMML, for PMML; the Python package has its jars.
pub(crate) static JPMML: Consumer = Consumer {
    id: "JPMML",
    get: "pip install jpmml_evaluator pandas, and Java",
    find: || in_path(&["java"]).and_then(|_| python_with(&["jpmml_evaluator", "pandas"])),
    run: |tool, trial| ask(tool, trial, "tree.pmml", include_str!("run_jpmml.py")),
};

/// PMML4S by way of its Python package, for PMML.
pub(crate) static PYPMML: Consumer = Consumer {
    id: "pypmml",
    get: "pip install pypmml, and Java",
    find: || in_path(&["java"]).and_then(|_| python_with(&["pypmml"])),
    run: |tool, trial| ask(tool, trial, "tree.pmml", include_str!("run_pypmml.py")),
};

/// scikit-learn.
pub(crate) static SCIKIT_LEARN: Consumer = Consumer {
    id: "scikit-learn",
    get: "pip install scikit-learn",
    find: || python_with(&["sklearn", "numpy"]),
    run: |tool, trial| ask(tool, trial, "tree.py", include_str!("run_sklearn.py")),
};

/// SHAP.
pub(crate) static SHAP: Consumer = Consumer {
    id: "shap",
    get: "pip install shap",
    find: || python_with(&["shap", "numpy"]),
    run: |tool, trial| ask(tool, trial, "tree.json", include_str!("run_shap.py")),
};

/// Treelite.
pub(crate) static TREELITE: Consumer = Consumer {
    id: "treelite",
    get: "pip install treelite",
    find: || python_with(&["treelite", "numpy"]),
    run: |tool, trial| ask(tool, trial, "tree.tl", include_str!("run_treelite.py")),
};

/// The interpreter that `SECATEUR_PYTHON` names, or the one in the search path.
fn interpreter() -> Option<PathBuf> {
    std::env::var_os("SECATEUR_PYTHON").map(PathBuf::from).or_else(|| in_path(&["python3", "python"]))
}

/// A Python that can import these modules, named after the first of them.
pub(crate) fn python_with(modules: &[&str]) -> Option<Tool> {
    let program = interpreter()?;
    let script = "import sys, importlib\n\
        modules = [importlib.import_module(name) for name in sys.argv[1:]]\n\
        print(' '.join([sys.argv[1], getattr(modules[0], '__version__', '')]) if modules else 'Python ' + sys.version.split()[0])";
    let name = version(Command::new(&program).args(["-c", script]).args(modules))?;
    Some(Tool { program, name })
}

/// Runs a script beside the exported tree; it reads its rows and hands its answers back by `exchange.py`.
pub(crate) fn ask(tool: &Tool, trial: &Trial, exported: &str, script: &str) -> Result<Answers, Failure> {
    ask_with(tool, trial, exported, script, &[])
}

/// The same with some variables of the environment.
pub(crate) fn ask_with(
    tool: &Tool,
    trial: &Trial,
    exported: &str,
    script: &str,
    environment: &[(&str, &str)],
) -> Result<Answers, Failure> {
    write_rows(trial, exported)?;
    write(trial, "exchange.py", include_bytes!("exchange.py"))?;
    write(trial, "ask.py", script.as_bytes())?;
    let mut command = Command::new(&tool.program);
    command.args(["-X", "utf8", "ask.py"]).envs(environment.iter().copied());
    run(tool, &mut command, trial.folder)?;
    read_answers(trial)
}
