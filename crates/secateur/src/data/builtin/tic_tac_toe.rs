//! Tic-tac-toe: every position in which a game can end when x moves first; has x won?
//!
//! ```
//! let games = secateur::data::builtin::load("tic-tac-toe").unwrap();
//! assert_eq!((games.rows(), games.columns().len()), (958, 10));
//! ```

use super::{BuiltinInfo, nominal};

pub(super) const TIC_TAC_TOE: BuiltinInfo = BuiltinInfo {
    name: "tic-tac-toe",
    about: "the 958 positions in which a game can end; has x won? (classification)",
    source: "D. W. Aha (1991), Incremental constructive induction: an instance-based approach; rows of the UCI repository",
    parameters: &[],
    make: |_| {
        // In the order of the published file: x has won, o has won, nobody has won.
        let mut ends: Vec<(u32, Board)> = boards().filter_map(|b| end(&b).map(|end| (end, b))).collect();
        ends.sort_by_key(|(end, _)| *end);
        let mut columns = Vec::new();
        for (square, name) in SQUARES.into_iter().enumerate() {
            let codes = ends.iter().map(|(_, board)| board[square]).collect();
            columns.push(nominal(name, &["b", "o", "x"], codes));
        }
        let classes = ends.iter().map(|(end, _)| u32::from(*end == X_WON)).collect();
        columns.push(nominal("Class", &["negative", "positive"], classes));
        Ok(columns)
    },
};

const SQUARES: [&str; 9] = [
    "top-left-square",
    "top-middle-square",
    "top-right-square",
    "middle-left-square",
    "middle-middle-square",
    "middle-right-square",
    "bottom-left-square",
    "bottom-middle-square",
    "bottom-right-square",
];

/// The codes of the nine squares.
type Board = [u32; 9];

const BLANK: u32 = 0;
const O: u32 = 1;
const X: u32 = 2;

const X_WON: u32 = 0;
const O_WON: u32 = 1;
const DRAWN: u32 = 2;

/// All ways to fill the board, x before o before blank, the last square changing fastest.
fn boards() -> impl Iterator<Item = Board> {
    (0..3_u32.pow(9)).map(|number| {
        let mut rest = number;
        let mut board = [BLANK; 9];
        for square in board.iter_mut().rev() {
            *square = X - rest % 3;
            rest /= 3;
        }
        board
    })
}

/// How the game ended, or none when it has not or cannot have come to this.
fn end(board: &Board) -> Option<u32> {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let count = |mark| board.iter().filter(|&&square| square == mark).count();
    let won = |mark| LINES.iter().any(|line| line.iter().all(|&square| board[square] == mark));
    let o_moved_last = match count(X).checked_sub(count(O)) {
        Some(0) => true,
        Some(1) => false,
        _ => return None,
    };
    match (won(X), won(O)) {
        (true, false) if !o_moved_last => Some(X_WON),
        (false, true) if o_moved_last => Some(O_WON),
        (false, false) if count(BLANK) == 0 => Some(DRAWN),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn the_rows_are_those_of_the_repository() {
        let table = load("tic-tac-toe").unwrap();
        assert_eq!(class_counts(&table), [332, 626]);
        same_rows("tic-tac-toe.arff", &table, 0);
    }
}
