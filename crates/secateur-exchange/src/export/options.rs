//! The options of a format: what each can be set to, and the one place that checks what was given.

use secateur::error::{Name, shown, suggestion};
use secateur::{Error, Result};

use super::Format;

/// What an option can be set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OptionKind {
    /// One of a few words.
    Words(&'static [&'static str]),
    /// Any text that is not empty.
    Text,
    /// Any text.
    AnyText,
    /// A number between two.
    Number(f64, f64),
}

/// One option of a format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: OptionKind,
    /// What it is when it is not given.
    pub default: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

/// The option `name` of programs: what the names of functions begin with.
pub(super) const NAME: OptionSpec = OptionSpec {
    name: "name",
    kind: OptionKind::Text,
    default: "tree",
    help: "what the names of functions begin with",
};

/// The options of a format, every one as given or by its default.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    format: &'static str,
    values: Vec<(&'static str, String)>,
}

impl Options {
    /// The defaults.
    pub fn default_of(format: &Format) -> Self {
        let values = format.options.iter().map(|spec| (spec.name, spec.default.to_string())).collect();
        Self { format: format.id, values }
    }

    /// Options by their names.
    ///
    /// ```
    /// use secateur_exchange::export::{self, Options};
    /// let python = export::find("python")?;
    /// assert!(Options::new(python, [("dialect", "sqlite")]).is_err());
    /// # Ok::<(), secateur::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the format has no such option, it is given twice, or cannot be set to this.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(
        format: &Format,
        given: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self> {
        let mut options = Self::default_of(format);
        let mut seen = Vec::new();
        for (name, value) in given {
            let (name, value) = (name.as_ref(), value.as_ref());
            let Some(place) = format.options.iter().position(|spec| spec.name == name) else {
                return Err(no_option(format, name));
            };
            if std::mem::replace(&mut options.values[place].1, value.into()) != value && seen.contains(&place)
            {
                return Err(Error::parameter(format!("{}: {name} is given twice", format.id)));
            }
            seen.push(place);
            format.options[place].check(format.id, value)?;
        }
        Ok(options)
    }

    /// What an option is set to.
    ///
    /// # Panics
    /// When the format has no such option: a mistake in the format, which the tests find.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(value) => value,
            None => panic!("{} asks for an option {name} that its list does not have", self.format),
        }
    }

    /// What an option is set to; none where the format has no such option.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Whether an option is set to a word.
    pub fn is(&self, name: &str, word: &str) -> bool {
        self.text(name) == word
    }

    /// The number that an option is set to.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(f64::NAN)
    }

    /// All names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.values.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

impl OptionSpec {
    fn check(&self, format: &str, value: &str) -> Result<()> {
        let expected = match self.kind {
            OptionKind::Words(words) if !words.contains(&value) => {
                format!(
                    "{}{}",
                    suggestion(value, words.iter().copied()),
                    format_args!("; expected {}", words.join(", "))
                )
            }
            OptionKind::Text if value.trim().is_empty() => "; expected a name".into(),
            OptionKind::Number(min, max) if !value.parse().is_ok_and(|x: f64| (min..=max).contains(&x)) => {
                format!("; expected a number from {min} to {max}")
            }
            _ => return Ok(()),
        };
        Err(Error::parameter(format!("{format}: {} is {}{expected}", self.name, shown(value))))
    }
}

fn no_option(format: &Format, name: &str) -> Error {
    let known = || format.options.iter().map(|spec| spec.name);
    let meant = suggestion(name, known());
    let list: Vec<&str> = known().collect();
    let there = match list.is_empty() {
        true => "it has none".into(),
        false => format!("it has {}", list.join(", ")),
    };
    let problem = format!("{} has no option {}{meant}; {there}", format.id, shown(name));
    Error::unknown(Name::Option, name, problem)
}
