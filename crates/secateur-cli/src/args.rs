//! The flags that commands share, and what they mean for the library.

use clap::{Args, ValueEnum};
use secateur::data::{
    CodedTable, Note, Noticed, Plan, ReadOptions, Roles, Table, Values, check_attributes, notice,
    other_target, read_costs, read_folds,
};
use secateur::fit::{self, FitOptions};
use secateur::schema::{Priors, Task};
use secateur::scheme::Scheme;
use secateur::training::Folds;
use secateur::tree::{Model, Tree};

use crate::failure::{Failure, Hint, Result};
use crate::files::InFile;
use crate::loading::{is_for_predictions, load, typed};
use crate::progress::Bars;
use crate::tables::{self, NoteSummary, TableArgs};

/// How a command reports its results; every command has these.
#[derive(Args)]
pub struct Output {
    /// Print one JSON object instead of text
    #[arg(long, global = true, display_order = 900)]
    pub json: bool,
    /// No progress bars and no notes on standard error
    #[arg(long, short, global = true, display_order = 901)]
    pub quiet: bool,
    /// Columns to stay within [default: the terminal's; 80 for files]
    #[arg(long, global = true, display_order = 902, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(40..=10_000))]
    pub width: Option<u32>,
    /// Plain characters only [default: where the locale has no others]
    #[arg(long, global = true, display_order = 903)]
    pub ascii: bool,
}

impl Output {
    /// Lets everything that is printed know what it may look like.
    pub fn set_terminal(&self) {
        crate::terminal::set(self.width.map(|width| width as usize), self.ascii);
    }

    /// Says that a flag has another name now.
    pub fn note_renamed(&self, old: &str, new: &str) {
        self.note(&format!("{old} is called {new} now; the old name still works"));
    }

    /// A note for the user, unless they want quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            crate::output::note(text);
        }
    }
}

/// The number of threads.
#[derive(Args)]
pub struct Threads {
    /// Threads to use [default: all cores]; the result never depends on it
    #[arg(long, value_name = "N", requires = "data", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// Starts them; fewer than wanted where the system gives no more.
    pub fn start(&self) {
        secateur::threads::start(self.threads.map_or(0, usize::from));
    }
}

/// How a table is read, and a file that says so.
#[derive(Args)]
pub struct Types<S: Args = SchemaIn> {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    schema: S,
}

/// A file that says how a table is read.
#[derive(Args)]
pub struct SchemaIn {
    /// How the table is read: a file that `secateur data FILE --schema OUT.toml` wrote
    #[arg(long, value_name = "FILE", requires = "data")]
    schema: Option<InFile>,
}

/// A table with what was decided and noticed.
pub struct Loaded {
    pub table: Table,
    pub notes: Vec<Note>,
    /// Identifiers and row numbers, which no tree is grown from.
    pub left_out: Vec<String>,
    pub plan: Plan,
}

/// A table to work with, and the notes on it, which have been shown.
pub struct ReadTable {
    pub table: Table,
    pub notes: Vec<NoteSummary>,
    /// How it was read.
    pub plan: Plan,
}

impl ReadTable {
    /// Prints notes on standard error, unless quiet is wanted.
    fn new(table: Table, notes: &[Note], plan: Plan, bars: &Bars) -> Self {
        Self { notes: tables::told(notes, table.name(), bars), table, plan }
    }
}

/// What every column is for.
#[derive(Args)]
pub struct RoleArgs<S: Args = SchemaIn> {
    /// The column to predict [default: the last one]
    #[arg(long, value_name = "COL", requires = "data")]
    target: Option<String>,
    /// Predict classes or numbers; auto: numbers if the target is numeric
    #[arg(long, value_enum, default_value_t = TaskArg::Auto, requires = "data")]
    task: TaskArg,
    /// A column of row weights
    #[arg(long, value_name = "COL", requires = "data")]
    weights: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLS", value_delimiter = ',', requires = "data")]
    ignore: Vec<String>,
    #[command(flatten)]
    types: Types<S>,
}

/// Chance, and what classes and mistakes weigh.
#[derive(Args)]
pub struct WeightArgs {
    /// The seed of folds and held-out parts; it is recorded with the result
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// What mistakes cost: a table or .toml with actual, predicted and cost
    #[arg(long, value_name = "FILE")]
    costs: Option<InFile>,
    /// Shares of the classes to grow and choose for, such as good=0.7,bad=0.3, applied inside every training part; rows that
    /// are tested count as they are
    #[arg(long, value_name = "CLASS=SHARE,...", value_delimiter = ',')]
    priors: Vec<String>,
}

/// What the choice of a pruning depends on beside the scheme.
#[derive(Args)]
pub struct Choosing {
    #[command(flatten)]
    weighing: WeightArgs,
    /// Folds for cross-validation: a table with row (from 1) and fold
    #[arg(long, value_name = "FILE")]
    folds: Option<InFile>,
}

impl Choosing {
    /// The seed of folds and held-out parts.
    pub fn seed(&self) -> u64 {
        self.weighing.seed
    }

    /// The table coded for a fit (any one, where no scheme is given).
    pub fn coded(&self, table: &Table, roles: &Roles, scheme: Option<&Scheme>) -> Result<CodedTable> {
        Ok(match scheme {
            Some(scheme) if !self.weighing.has_priors() => fit::coded(table, roles, scheme)?,
            _ => CodedTable::new(table, roles)?,
        })
    }

    /// The options of a fit.
    pub fn options(&self, coded: &CodedTable) -> Result<FitOptions> {
        let folds =
            self.folds.as_ref().map(|file| Folds::given(read_folds(file, coded.rows())?)).transpose()?;
        Ok(FitOptions { folds, ..self.weighing.options(coded)? })
    }
}

impl WeightArgs {
    /// Whether trees are grown for other shares of the classes than those of the rows.
    pub fn has_priors(&self) -> bool {
        !self.priors.is_empty()
    }

    /// The priors, one for every class.
    fn priors(&self, coded: &CodedTable) -> Result<Option<Priors>> {
        if self.priors.is_empty() {
            return Ok(None);
        }
        let mut shares = Vec::new();
        for prior in &self.priors {
            let parts =
                prior.rsplit_once('=').and_then(|(name, share)| Some((name, share.parse::<f64>().ok()?)));
            let Some((name, share)) = parts else {
                return Err(Failure::call(format!("--priors: '{prior}' is not CLASS=SHARE")));
            };
            shares.push((name.to_string(), share));
        }
        let priors = Priors::new(&shares)?;
        if coded.task() == Task::Regression {
            return Err(Failure::call("--priors is for classes, and the target here has numbers"));
        }
        priors.shares(coded.schema().target.classes())?;
        Ok(Some(priors))
    }

    /// The options of a fit.
    pub fn options(&self, coded: &CodedTable) -> Result<FitOptions> {
        let classes = coded.schema().target.classes();
        if classes.is_empty() && self.costs.is_some() {
            return Err(Failure::call("--costs is for classes, and the target here has numbers"));
        }
        let costs = self.costs.as_ref().map(|file| read_costs(file, classes)).transpose()?;
        let priors = self.priors(coded)?;
        Ok(FitOptions { seed: self.seed, costs: costs.map(Into::into), priors, ..FitOptions::default() })
    }
}

/// What is to be predicted.
#[derive(Clone, Copy, ValueEnum)]
pub enum TaskArg {
    Auto,
    Classification,
    Regression,
}

impl<S: Args> RoleArgs<S> {
    /// The roles for the library. Ignored columns are gone from the table already.
    pub fn roles(&self, drop_missing_target: bool) -> Roles {
        Roles {
            target: self.target.clone(),
            weights: self.weights.clone(),
            task: self.task(),
            drop_missing_target,
            ..Roles::default()
        }
    }

    /// What the user says is predicted; `None` when the data decide.
    pub fn task(&self) -> Option<Task> {
        match self.task {
            TaskArg::Auto => None,
            TaskArg::Classification => Some(Task::Classification),
            TaskArg::Regression => Some(Task::Regression),
        }
    }

    /// How the data are read, by a schema; and the columns that are kept whatever they look like.
    fn reading(&self, schema: Option<&InFile>) -> Result<(ReadOptions, Vec<String>)> {
        let options = ReadOptions { ignore: self.ignore.clone(), ..self.types.table.options(schema)? };
        let mut keep = self.types.table.named();
        keep.extend(options.plan.columns.iter().map(|column| column.name.clone()));
        Ok((options, keep))
    }

    /// Reads the data by a schema, and looks at it.
    pub fn look(&self, name: &InFile, schema: Option<&InFile>, bars: &Bars) -> Result<Loaded> {
        let (options, keep) = self.reading(schema)?;
        let (table, mut notes, plan) = load(name, &options, bars)?;
        notes.extend(self.other_target(&plan));
        let noticed = match name.starts_with("builtin:") {
            true => Noticed::default(),
            false => {
                notice(&table, &self.roles(false), &keep).hint("--target names the column to predict")?
            }
        };
        let left_out = noticed.left_out.clone();
        notes = noticed.following(notes);
        Ok(Loaded { table, notes, left_out, plan })
    }

    /// A note where another column than the last one of the file is the target because that one is ignored.
    pub fn other_target(&self, plan: &Plan) -> Option<Note> {
        other_target(plan, &self.roles(false), &self.ignore)
    }

    /// What the command does with a schema.
    pub fn schema(&self) -> &S {
        &self.types.schema
    }
}

impl RoleArgs {
    /// How the data are read, and the columns that are kept whatever they look like.
    pub fn reading_options(&self) -> Result<(ReadOptions, Vec<String>)> {
        self.reading(self.types.schema.schema.as_ref())
    }

    /// Reads the data for growing: without identifiers, and with a word on all that was decided.
    pub fn load(&self, name: &InFile, bars: &Bars) -> Result<ReadTable> {
        let Loaded { table, notes, left_out, plan } =
            self.look(name, self.types.schema.schema.as_ref(), bars)?;
        check_attributes(&table, &self.roles(false))?;
        Ok(ReadTable::new(table.without(&left_out), &notes, plan, bars))
    }

    /// How rows to test a tree on are read.
    pub fn options_for(&self, tree: &Tree, earlier: Plan) -> Result<ReadOptions> {
        let options = ReadOptions { ignore: self.ignore.clone(), ..self.types.options()? };
        Ok(typed(options, tree, earlier))
    }

    /// The column of row weights.
    pub fn weights(&self) -> Option<&String> {
        self.weights.as_ref()
    }

    /// Reads rows to test on, with the columns of the table to learn from.
    pub fn load_test(&self, name: &InFile, train: &ReadTable, bars: &Bars) -> Result<ReadTable> {
        let (train, earlier) = (&train.table, train.plan.clone());
        let mut options = ReadOptions { ignore: self.ignore.clone(), earlier, ..self.types.options()? };
        // The table to learn from says what its texts mean.
        options.plan.keep_na = Some(true);
        let texts = train.columns().iter().filter(|column| matches!(column.values, Values::Nominal(_)));
        options.nominal_if_present.extend(texts.map(|column| column.name.clone()));
        let (table, mut notes, plan) = load(name, &options, bars)?;
        notes.retain(|note| is_for_predictions(note.kind));
        let is_known = |column: &str| train.columns().iter().any(|c| c.name == column);
        let noticed = notice(&table, &self.roles(false), &self.types.table.named())?;
        let gone: Vec<String> = noticed.left_out.into_iter().filter(|column| !is_known(column)).collect();
        Ok(ReadTable::new(table.without(&gone), &notes, plan, bars))
    }
}

impl Types {
    fn options(&self) -> Result<ReadOptions> {
        self.table.options(self.schema.schema.as_ref())
    }

    /// Reads data as they are: the table of a tree from elsewhere.
    pub fn load(&self, name: &InFile, bars: &Bars) -> Result<ReadTable> {
        let (table, notes, plan) = load(name, &self.options()?, bars)?;
        Ok(ReadTable::new(table, &notes, plan, bars))
    }

    /// How data for a model are read: a column has the type it had when the tree was grown.
    pub fn options_for(&self, model: &Model) -> Result<ReadOptions> {
        Ok(typed(self.options()?, &model.tree, model.about.reading.clone()))
    }

    /// Reads data for a model.
    pub fn load_for(&self, name: &InFile, model: &Model, bars: &Bars) -> Result<ReadTable> {
        let (table, mut notes, plan) = load(name, &self.options_for(model)?, bars)?;
        notes.retain(|note| is_for_predictions(note.kind));
        Ok(ReadTable::new(table, &notes, plan, bars))
    }
}
