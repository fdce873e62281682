//! What is removed when a signal ends the program: the parts of files that are being written.

use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// From now on an interrupt (Ctrl-C), a hang-up and a request to end remove the parts of files that are being written,
/// and then end the process as they would have. Signals that are ignored (`nohup`) stay so.
///
/// A file that grows larger than files may be is an error where it is written, and no signal.
pub fn remove_parts_on_signals() {
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let (give, given) = std::sync::mpsc::channel::<Signals>();
    // The thread comes first: signals that are taken and that nobody waits for would do nothing. Without one they do what they always do.
    let waiting = secateur::threads::spawn(move || {
        for signal in given.recv().iter_mut().flat_map(Signals::forever) {
            secateur::write::remove_parts();
            let _ = emulate_default_handler(signal);
        }
    });
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    if let (Some(_), Ok(signals)) = (waiting, Signals::new(handled)) {
        let _ = give.send(signals);
    }
}

/// Whether a signal was ignored when the program began. Where the system does not tell, a hang-up counts as ignored: it then
/// does what it would have done, and a part that it leaves is removed by the next writer.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.map_or(signal == SIGHUP, |mask| mask >> (signal - 1) & 1 == 1)
}
