//! Who broke a law without saying so, and who said so for nothing.

use std::collections::HashSet;

use secateur::method::{Exception, Law, Method, MethodInfo};
use secateur::scheme::Scheme;

/// Rounds with other samples in which a declared exception can show that it is needed.
const ROUNDS: u64 = 60;

pub struct Verdict {
    law: Law,
    /// From 0; every round has samples of its own.
    pub round: u64,
    /// The methods that the law is tried on; others only take part.
    on_trial: Vec<&'static MethodInfo>,
    fits: usize,
    broken: Vec<String>,
    /// The methods that a fit has said something of.
    tried: HashSet<&'static str>,
    /// Exceptions without which a law is broken, and the methods that declare them.
    needed: Vec<(&'static str, Exception)>,
}

impl Verdict {
    pub fn new(law: Law, on_trial: Vec<&'static MethodInfo>) -> Self {
        Self {
            law,
            round: 0,
            on_trial,
            fits: 0,
            broken: Vec::new(),
            tried: HashSet::new(),
            needed: Vec::new(),
        }
    }

    /// Whether a fit of this scheme can still say something: in the first round always, later only where an exception was
    /// declared and not needed so far.
    pub fn wants(&self, scheme: &Scheme) -> bool {
        self.round == 0
            || methods(scheme).any(|m| {
                let on_trial = self.on_trial.iter().any(|info| std::ptr::eq(*info, m.info()));
                on_trial && m.exceptions(self.law).iter().any(|e| !self.is_needed(m.info(), e))
            })
    }

    /// The next round, or false when nothing is left to be shown.
    pub fn goes_on(&mut self) -> bool {
        self.round += 1;
        self.round < ROUNDS && self.on_trial.iter().any(|info| !self.idle(info).is_empty())
    }

    /// One more fit: whether the law held, or how it was broken.
    pub fn add(&mut self, scheme: &Scheme, sample: &str, found: Result<(), String>) {
        self.fits += 1;
        self.tried.extend(methods(scheme).map(|m| m.info().id));
        let Err(how) = found else { return };
        let declared = |m: &Method| {
            let id = m.info().id;
            m.exceptions(self.law).into_iter().map(move |e| (id, *e))
        };
        let declared: Vec<_> = methods(scheme).flat_map(declared).collect();
        match declared[..] {
            [] => self.broken.push(format!("{scheme} on {sample}: {how}")),
            // With several, nobody knows which of them is the cause.
            [only] if !self.needed.contains(&only) => self.needed.push(only),
            _ => {}
        }
    }

    /// Fails where a law was broken without a declaration, and where a declaration was not needed.
    pub fn end(self) {
        let law = self.law;
        assert!(
            self.broken.is_empty(),
            "the law \"{law}\" is broken {} times in {} fits:\n  {}\nIf that is meant so, declare it: \
             `exceptions` of the method, or `except` of the option that is the cause, with the reason.",
            self.broken.len(),
            self.fits,
            self.broken[..self.broken.len().min(30)].join("\n  ")
        );
        for info in &self.on_trial {
            assert!(self.tried.contains(info.id), "the law \"{law}\" was never tried on {}", info.id);
            let idle = self.idle(info);
            assert!(idle.is_empty(), "{} obeys the law \"{law}\"; it need not declare: {idle:?}", info.id);
        }
    }

    /// The reasons that a method gave for nothing.
    fn idle(&self, info: &'static MethodInfo) -> Vec<&'static str> {
        declared(info, self.law).filter(|e| !self.is_needed(info, e)).map(|e| e.reason).collect()
    }

    /// An option that several methods share is the cause if it is for one of them.
    fn is_needed(&self, info: &MethodInfo, exception: &Exception) -> bool {
        let own = info.exceptions.contains(exception);
        self.needed.iter().any(|(id, needed)| needed == exception && (!own || *id == info.id))
    }
}

fn declared(info: &'static MethodInfo, law: Law) -> impl Iterator<Item = &'static Exception> {
    let by_option = info.params.iter().flat_map(|p| p.exceptions);
    info.exceptions.iter().chain(by_option).filter(move |e| e.law == law)
}

fn methods(scheme: &Scheme) -> impl Iterator<Item = &Method> {
    std::iter::once(&scheme.learner).chain(&scheme.pruner)
}
