//! Progress bars on standard error, for people who wait.

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use secateur::progress::Progress;

/// How long work lasts before a bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a stage lasts before it is shown, so that short ones do not flicker.
const BLINK: Duration = Duration::from_millis(200);

/// A progress bar for each stage of the work; nothing at all when nobody can see it.
pub struct Bars {
    shared: Option<Arc<Shared>>,
    watcher: Option<JoinHandle<()>>,
    /// Whether the user wants no notes.
    pub quiet: bool,
}

struct Shared {
    begun: Instant,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    bar: ProgressBar,
    since: Instant,
    visible: bool,
    done: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bars {
    /// Bars, unless the user wants quiet or standard error is not a terminal.
    pub fn new(quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { shared: None, watcher: None, quiet };
        }
        let now = Instant::now();
        let state = State { bar: ProgressBar::hidden(), since: now, visible: false, done: false };
        let shared = Arc::new(Shared { begun: now, state: Mutex::new(state), changed: Condvar::new() });
        // Without a thread to watch there are no bars.
        let watcher = secateur::threads::spawn({
            let shared = shared.clone();
            move || watch(&shared)
        });
        Self { shared: Some(shared), watcher, quiet }
    }
}

/// The time that is left, once it can be estimated; until then the time that has gone by.
fn left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let _ = match state.fraction() > 0.01 && state.elapsed() > PATIENCE {
        true => write!(out, "{:#} left", HumanDuration(state.eta())),
        false => write!(out, "{:#} so far", HumanDuration(state.elapsed())),
    };
}

/// Shows the bar of a stage once the work has lasted long enough.
fn watch(shared: &Shared) {
    let mut state = shared.state();
    while !state.done {
        if !state.visible && shared.begun.elapsed() > PATIENCE && state.since.elapsed() > BLINK {
            state.visible = true;
            state.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        // Here, not by a thread of the bar's own, which the system may refuse.
        if state.visible {
            state.bar.tick();
        }
        state = shared.changed.wait_timeout(state, BLINK).unwrap_or_else(PoisonError::into_inner).0;
    }
    state.bar.finish_and_clear();
}

/// Rows in a second.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let rows = state.per_sec();
    let _ = match rows {
        1e6.. => write!(out, "{:.1} million rows/s", rows / 1e6),
        _ => write!(out, "{} rows/s", crate::output::thousands(rows as u64)),
    };
}

impl Bars {
    fn show(&self, name: &str, total: u64, template: &str) {
        crate::allocator::doing(name);
        let Some(shared) = &self.shared else { return };
        let bar = ProgressBar::with_draw_target(Some(total.max(1)), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            let chars = if crate::terminal::here().ascii { "=> " } else { "━╸ " };
            bar.set_style(style.progress_chars(chars).with_key("left", left).with_key("rate", rate));
        }
        bar.set_message(name.to_string());
        let mut state = shared.state();
        state.bar.finish_and_clear();
        state.bar = bar;
        state.since = Instant::now();
        state.visible = false;
    }
}

impl Progress for Bars {
    fn stage(&self, name: &str, total: u64) {
        let known = "{msg} {bar:30} {percent:>3} %  {left}";
        self.show(name, total, if total > 0 { known } else { "{msg} {spinner} {elapsed}" });
    }

    fn stage_of_rows(&self, name: &str, rows: u64) {
        self.show(name, rows, "{msg} {bar:20} {percent:>3} %  {rate}  {left}");
    }

    fn advance(&self, amount: u64) {
        if let Some(shared) = &self.shared {
            shared.state().bar.inc(amount);
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.state().done = true;
            shared.changed.notify_all();
        }
        if let Some(watcher) = self.watcher.take() {
            // The watcher clears the bar; it does not fail.
            let _ = watcher.join();
        }
    }
}
