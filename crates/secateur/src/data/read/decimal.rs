//! Plain decimals such as `-12.375`, eight digits at a time.
//!
//! Nearly all numbers in files are a sign, some digits, a point and some digits, 19 digits at most. Their digits
//! fit in a word `w`, and the number is `w / 10ⁿ`, rounded once: by one division where `w` and `10ⁿ` are
//! exact in `f64`, else by a product with `10⁻ⁿ` in 128 bits, after D. Lemire: Number Parsing at a Gigabyte per
//! Second (2021), Algorithm 1. Everything else is left to the general parser, which gives the same bits.

/// The largest number of digits whose value fits in a word whatever they are.
const DIGITS: usize = 19;

/// Powers of ten that are exact in `f64`.
const TENS: [f64; DIGITS + 1] = {
    let mut tens = [1.0; DIGITS + 1];
    let mut n = 1;
    while n <= DIGITS {
        tens[n] = tens[n - 1] * 10.0;
        n += 1;
    }
    tens
};

/// Powers of ten that fit in a word.
const WORDS: [u64; DIGITS + 1] = {
    let mut words = [1; DIGITS + 1];
    let mut n = 1;
    while n <= DIGITS {
        words[n] = words[n - 1] * 10;
        n += 1;
    }
    words
};

/// For each `n` the first 128 bits of `5⁻ⁿ`, rounded up, in two halves.
const FIFTHS: [(u64, u64); DIGITS + 1] = {
    let mut fifths = [(1 << 63, 0); DIGITS + 1];
    let mut five: u128 = 5;
    let mut n = 1;
    while n <= DIGITS {
        let bits = 128 - (five - 1).leading_zeros() + 127;
        // Long division of 2^bits by 5ⁿ.
        let (mut quotient, mut rest, mut bit) = (0u128, 1u128, 0);
        while bit < bits {
            rest <<= 1;
            quotient <<= 1;
            if rest >= five {
                rest -= five;
                quotient |= 1;
            }
            bit += 1;
        }
        quotient += 1;
        fifths[n] = ((quotient >> 64) as u64, quotient as u64);
        five *= 5;
        n += 1;
    }
    fifths
};

/// The number that begins at a byte and where its digits end; what follows may still belong to it.
#[inline(always)]
pub(super) fn plain(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    let negative = *bytes.get(at)? == b'-';
    let start = at + usize::from(negative);
    let (mut word, whole) = digits(bytes, start)?;
    let (mut end, mut decimals) = (start + whole, 0);
    if bytes.get(end) == Some(&b'.') {
        let fraction;
        (fraction, decimals) = digits(bytes, end + 1)?;
        end += 1 + decimals;
        if whole + decimals > DIGITS {
            return None;
        }
        word = word * WORDS[decimals] + fraction;
    }
    // By the number of digits, which a column has in common, and not by the size of the word.
    let exact = whole + decimals <= 15 || word == 0;
    // Signed, because that is one instruction.
    let value = if exact { word as i64 as f64 / TENS[decimals] } else { rounded(word, decimals) };
    Some((if negative { -value } else { value }, end))
}

/// The value and the number of the digits that begin at a byte, from 1 to 19 of them; `None` for others, and
/// near the end of the text, where eight bytes cannot be read at once.
#[inline(always)]
fn digits(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let (mut value, mut count) = eight(bytes, at)?;
    if count == 0 {
        return None;
    }
    if count == 8 {
        // Whether there are more than 16 digits is often a toss, so it is not asked: where the digits have ended,
        // there are none.
        for _ in 0..2 {
            let (more, next) = eight(bytes, at + count)?;
            value = value.wrapping_mul(WORDS[next]).wrapping_add(more);
            count += next;
        }
        if count > DIGITS {
            return None;
        }
    }
    Some((value, count))
}

/// The value and the number of the digits among the eight bytes at a place.
#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    // A digit is 0 to 9 after this, every other byte more.
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?) ^ 0x3030_3030_3030_3030;
    let other = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
    let bits = other.trailing_zeros() & !7;
    // The digits move to the end of the word, behind zeros.
    let word = word.checked_shl(64 - bits).unwrap_or(0);
    let pairs = word.wrapping_mul(10).wrapping_add(word >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    Some((low.wrapping_add(high) >> 32, bits as usize / 8))
}

/// `word / 10ⁿ`, rounded to the nearest; `word` is not 0.
#[inline]
fn rounded(word: u64, n: usize) -> f64 {
    let zeros = word.leading_zeros();
    let word = u128::from(word << zeros);
    let (first, second) = FIFTHS[n];
    let mut product = word * u128::from(first);
    if (product >> 64) & 0x1FF == 0x1FF {
        // The bits that decide may still change by the second half.
        product += (word * u128::from(second)) >> 64;
    }
    let (high, low) = ((product >> 64) as u64, product as u64);
    let upper = (high >> 63) as u32;
    // 53 bits and one more, to round by.
    let shift = upper + 9;
    let mut bits = high >> shift;
    if low <= 1 && n <= 4 && bits & 3 == 1 && bits << shift == high {
        // Just in the middle, above an even number.
        bits &= !1;
    }
    bits = (bits + (bits & 1)) >> 1;
    // The whole part of log₂ 10⁻ⁿ, for the n of here.
    let exponent = (-(n as i64) * 217_706) >> 16;
    let power = exponent + 63 + i64::from(upper) - i64::from(zeros) + 1023;
    // The bits begin with a one that is not stored; rounded up to the next power of two they carry into the
    // exponent, as they should.
    f64::from_bits((((power - 1) as u64) << 52) + bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads a number that fills the text before a comma.
    fn read(text: &str) -> Option<f64> {
        let padded = format!("{text},                        ");
        plain(padded.as_bytes(), 0).filter(|(_, end)| *end == text.len()).map(|(value, _)| value)
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        if let Some(value) = read(text) {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(value.to_bits(), expected.to_bits(), "{}", text);
        }
        Ok(())
    }

    #[test]
    fn plain_decimals_are_read_and_others_are_left() {
        for text in ["0", "-0", "-0.0", "7", "12.5", "-0.3456", "12345678", "0.1234567890123456", "00.10"] {
            assert_eq!(read(text).map(f64::to_bits), Some(text.parse::<f64>().unwrap().to_bits()), "{text}");
        }
        let others = ["", "-", "+1", ".5", "5.", "1e5", "--1", "1.2.3", "x", "inf", "12345678901234567890"];
        for text in others {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(plain(b"1.5", 0), None, "too near the end");
        assert_eq!(plain(b"", 0), None);
    }

    #[test]
    fn middles_are_rounded_to_even() {
        for n in 0..=4 {
            for base in [1u64 << 53, (1 << 54) - 40, 1 << 55, 1 << 59] {
                for more in 0..200 {
                    let word = base + more;
                    let digits = format!("{word:05}");
                    let (whole, fraction) = digits.split_at(digits.len() - n);
                    check(&if n == 0 { digits.clone() } else { format!("{whole}.{fraction}") }).unwrap();
                }
            }
        }
        // A number half way between two neighbours, with digits behind the point.
        for odd in (1u64 << 53)..(1 << 53) + 50 {
            check(&format!("{}.5", odd / 2)).unwrap();
            check(&format!("{}.25", odd / 4)).unwrap();
            check(&format!("{}.125", odd / 8)).unwrap();
            check(&format!("{}.0625", odd / 16)).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn any_digits_give_the_bits_of_the_standard_library(
            text in "-?[0-9]{1,12}(\\.[0-9]{1,12})?", long in "-?[0-9]{1,3}\\.[0-9]{13,19}"
        ) {
            check(&text)?;
            check(&long)?;
        }

        #[test]
        fn any_word_and_any_point_give_the_bits_of_the_standard_library(word: u64, n in 0usize..19, cut in 0u32..64) {
            let digits = format!("{:019}", (word >> cut) % 10_000_000_000_000_000_000);
            let (whole, fraction) = digits.split_at(digits.len() - n);
            check(&if n == 0 { digits.clone() } else { format!("{whole}.{fraction}") })?;
        }

        #[test]
        fn shortest_forms_come_back(bits: u64) {
            let value = f64::from_bits(bits);
            if value.is_finite() {
                check(&format!("{value}"))?;
            }
            check(&format!("{}", (bits >> 11) as f64 / (1u64 << 53) as f64))?;
        }

        #[test]
        fn any_text_is_read_like_the_standard_library(text in "[-+0-9.e ]{0,24}") {
            check(&text)?;
        }
    }
}
