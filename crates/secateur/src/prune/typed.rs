//! The options of pruners by type: for every pruner a struct with a method for each option.
//!
//! Names, ranges and defaults are those of the pruner's own table ([`MethodInfo`](crate::method::MethodInfo)): the values end in the same
//! [`Method`] that a scheme's text is read to, and are checked by the same function. A test holds every struct against its table.

use crate::error::Result;
use crate::method::{Method, MethodInfo, MethodKind, Value};

/// Something that names a pruner with its options: the typed options of [`pruners`](crate::pruners), or text such as `k-norm:k=2`.
pub trait ToPruner {
    /// The pruner with the options it is given.
    ///
    /// # Errors
    /// When there is no such pruner or option, or a value is out of its range.
    fn to_pruner(&self) -> Result<Method>;
}

impl ToPruner for str {
    fn to_pruner(&self) -> Result<Method> {
        let known: Vec<&'static MethodInfo> =
            super::pruners().into_iter().map(|pruner| &pruner.info).collect();
        let method = Method::parse(self, MethodKind::Pruner, &known)?;
        method.check_any()?;
        Ok(method)
    }
}

impl ToPruner for String {
    fn to_pruner(&self) -> Result<Method> {
        self.as_str().to_pruner()
    }
}

impl ToPruner for Method {
    fn to_pruner(&self) -> Result<Method> {
        Ok(self.clone())
    }
}

impl<T: ToPruner + ?Sized> ToPruner for &T {
    fn to_pruner(&self) -> Result<Method> {
        (**self).to_pruner()
    }
}

/// The options given so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Given(Vec<(&'static str, Value)>);

impl Given {
    /// Sets an option, in place of an earlier value.
    pub(super) fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, value.into()));
    }

    pub(super) fn method(&self, info: &'static MethodInfo) -> Result<Method> {
        let method = Method::with(info, MethodKind::Pruner, &self.0)?;
        method.check_any()?;
        Ok(method)
    }
}

/// One typed form of a pruner's options, for the test that holds it against the pruner's table.
#[cfg(test)]
pub(crate) struct Typed {
    pub pruner: &'static super::Pruner,
    /// The method without options.
    pub plain: fn() -> Result<Method>,
    /// For every option its name, what it says it does, and the method with a value of it; `None` for a value of another type.
    pub options: &'static [(&'static str, &'static str, WithValue)],
}

#[cfg(test)]
type WithValue = fn(Value) -> Option<Result<Method>>;

/// What values of an option are in Rust.
#[cfg(test)]
pub(super) trait FromValue: Sized {
    fn from_value(value: Value) -> Option<Self>;
}

macro_rules! plain_values {
    ($($kind:ty, $variant:ident as $kept:ty;)*) => {$(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::$variant(value as $kept)
            }
        }

        #[cfg(test)]
        impl FromValue for $kind {
            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$variant(value) => Some(value as $kind),
                    _ => None,
                }
            }
        }
    )*};
}

plain_values! {
    f64, Number as f64;
    usize, Integer as u64;
    bool, Flag as bool;
}

/// Says by which words the values of an enumeration stand in the table of an option.
macro_rules! words {
    ($kind:ident { $($value:ident = $word:literal),* $(,)? }) => {
        impl From<$kind> for $crate::method::Value {
            fn from(value: $kind) -> Self {
                Self::Word(match value { $($kind::$value => $word),* })
            }
        }

        #[cfg(test)]
        impl $crate::prune::typed::FromValue for $kind {
            fn from_value(value: $crate::method::Value) -> Option<Self> {
                match value {
                    $($crate::method::Value::Word($word) => Some(Self::$value),)*
                    _ => None,
                }
            }
        }
    };
}

/// Declares the typed options of a pruner: a method, the name in the table, the type, and what the table says of it. `..SELECTORS` stands
/// for the options with which a member of a path is chosen.
macro_rules! typed_options {
    (
        $(#[$about:meta])*
        $name:ident of $pruner:ident {
            $($setter:ident $option:literal: $kind:ty = $help:literal,)*
            ..SELECTORS,
            $($later:ident $name_later:literal: $kind_later:ty = $help_later:literal,)*
        }
    ) => {
        typed_options! {
            $(#[$about])*
            $name of $pruner {
                $($setter $option: $kind = $help,)*
                cv "cv": usize = "choose by cross-validation with this many folds (10 where nothing else is said)",
                holdout "holdout": f64 = "choose on a held-out share of the rows",
                one_se "1se": bool = "take the smallest tree within one standard error",
                se "se": f64 = "take the smallest tree within this many standard errors",
                choose_by "choose-by": $crate::prune::order::ChooseBy = "the loss of held-out rows that is lowest: errors (or their costs), Brier score, log loss",
                $($later $name_later: $kind_later = $help_later,)*
            }
        }
    };
    (
        $(#[$about:meta])*
        $name:ident of $pruner:ident { $($setter:ident $option:literal: $kind:ty = $help:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            given: $crate::prune::typed::Given,
        }

        impl $name {
            /// All options at their defaults.
            pub fn new() -> Self {
                Self::default()
            }

            $(
                #[doc = concat!("`", $option, "`: ", $help, ".")]
                pub fn $setter(mut self, value: $kind) -> Self {
                    self.given.set($option, value);
                    self
                }
            )*

            #[cfg(test)]
            pub(crate) const TYPED: $crate::prune::typed::Typed = $crate::prune::typed::Typed {
                pruner: &$pruner,
                plain: || $crate::prune::ToPruner::to_pruner(&Self::new()),
                options: &[$((
                    $option,
                    $help,
                    |value| {
                        let value = <$kind as $crate::prune::typed::FromValue>::from_value(value)?;
                        Some($crate::prune::ToPruner::to_pruner(&Self::new().$setter(value)))
                    },
                )),*],
            };
        }

        impl $crate::prune::ToPruner for $name {
            fn to_pruner(&self) -> $crate::error::Result<$crate::method::Method> {
                self.given.method(&$pruner.info)
            }
        }
    };
}

/// The list of all pruners with the names of their typed options.
macro_rules! pruners {
    ($($pruner:path => $($typed:ident)::+;)*) => {
        /// The library's own pruners; [`pruners`] lists those that were registered, too.
        pub static PRUNERS: &[&Pruner] = &[$(&$pruner),*];

        /// The same with their typed options.
        #[cfg(test)]
        pub(crate) static TYPED: &[typed::Typed] = &[$($($typed)::+::TYPED),*];

        /// The options of every pruner by type: `KNorm::new().k(3.0)` is what `k-norm:k=3` is as text.
        ///
        /// They go to [`Tree::prune`](crate::Tree::prune), [`Tree::path`](crate::Tree::path), [`Fit::pruner`](crate::Fit::pruner) and
        /// [`Scheme::pruned_by`](crate::Scheme::pruned_by). What is not set has the default of the pruner's table.
        pub mod options {
            $(pub use super::$($typed)::+;)*
            pub use super::error_based::Limit;
            pub use super::intermediate::IntermediateOf;
            pub use super::k_norm::NormOf;
            pub use super::order::{ChooseBy, CountedError, FoldAverage, SplitsRule};
            pub use super::cost_complexity::PruneBy;
        }
    };
}
