//! Weather: fourteen days, and whether a game was played.
//!
//! Shi's Table 3.1 prints `rainy` for the thirteenth day, but her counts (four overcast days, all of
//! them `yes`, and gains such as 0.226 bits for `outlook = overcast`) are those of `overcast`, as the
//! data set has it everywhere else; so it is here.
//!
//! ```
//! let weather = secateur::data::builtin::load("weather").unwrap();
//! assert_eq!((weather.rows(), weather.columns()[4].name.as_str()), (14, "play"));
//! ```

use super::{BuiltinInfo, nominal, numeric};

pub(super) const WEATHER: BuiltinInfo = BuiltinInfo {
    name: "weather",
    about: "14 days, two numeric and two nominal attributes (classification)",
    source: "H. Shi (2007), Best-first decision tree learning, Table 3.1, after J. R. Quinlan (1993), C4.5",
    parameters: &[],
    make: |_| {
        let codes = |column: fn(&Day) -> u32| DAYS.iter().map(column).collect();
        let numbers = |column: fn(&Day) -> f64| DAYS.iter().map(column).collect();
        Ok(vec![
            nominal("outlook", &["sunny", "overcast", "rainy"], codes(|day| day.0 as u32)),
            numeric("temperature", numbers(|day| day.1)),
            numeric("humidity", numbers(|day| day.2)),
            nominal("windy", &["true", "false"], codes(|day| u32::from(!day.3))),
            nominal("play", &["yes", "no"], codes(|day| day.4 as u32)),
        ])
    },
};

#[derive(Clone, Copy)]
enum Outlook {
    Sunny,
    Overcast,
    Rainy,
}

#[derive(Clone, Copy)]
enum Play {
    Yes,
    No,
}

use Outlook::{Overcast, Rainy, Sunny};
use Play::{No, Yes};

/// Outlook, temperature, humidity, windy, play.
type Day = (Outlook, f64, f64, bool, Play);

const DAYS: [Day; 14] = [
    (Sunny, 85.0, 85.0, false, No),
    (Sunny, 80.0, 90.0, true, No),
    (Overcast, 83.0, 86.0, false, Yes),
    (Rainy, 70.0, 96.0, false, Yes),
    (Rainy, 68.0, 80.0, false, Yes),
    (Rainy, 65.0, 70.0, true, No),
    (Overcast, 64.0, 65.0, true, Yes),
    (Sunny, 72.0, 95.0, false, No),
    (Sunny, 69.0, 70.0, false, Yes),
    (Rainy, 75.0, 80.0, false, Yes),
    (Sunny, 75.0, 70.0, true, Yes),
    (Overcast, 72.0, 90.0, true, Yes),
    (Overcast, 81.0, 75.0, false, Yes),
    (Rainy, 71.0, 91.0, true, No),
];

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    /// The counts of yes and no among the days chosen.
    fn split(chosen: impl Fn(usize) -> bool) -> [usize; 2] {
        let table = load("weather").unwrap();
        let play = codes(&table, "play");
        [0, 1].map(|class| (0..14).filter(|&day| chosen(day) && play[day] == class).count())
    }

    #[test]
    fn the_counts_are_those_of_shi() {
        let table = load("weather").unwrap();
        assert_eq!(class_counts(&table), [9, 5]);
        let outlook = codes(&table, "outlook");
        assert_eq!(split(|day| outlook[day] == 0), [2, 3]);
        assert_eq!(split(|day| outlook[day] == 1), [4, 0]);
        assert_eq!(split(|day| outlook[day] == 2), [3, 2]);
        assert_eq!(split(|day| numbers(&table, "temperature")[day] < 77.5), [7, 3]);
        assert_eq!(split(|day| numbers(&table, "humidity")[day] < 82.5), [6, 1]);
        assert_eq!(split(|day| codes(&table, "windy")[day] == 1), [6, 2]);
    }
}
