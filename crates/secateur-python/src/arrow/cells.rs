//! Cells of one Arrow column, batch by batch, as numbers or as codes of values.

use std::collections::HashMap;

use secateur::data::{MISSING, Nominal, Values};

use super::abi::{ArrowArray, ArrowSchema};

/// How the cells of a buffer are read as numbers.
#[derive(Clone, Copy)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    I128,
    None,
}

/// How text lies in its buffers.
#[derive(Clone, Copy)]
enum Text {
    Offsets32,
    Offsets64,
    Views,
}

/// What a type of Arrow is to us.
#[derive(Clone, Copy)]
enum Kind {
    /// A number, divided by this.
    Number(Number, f64),
    Boolean,
    Text(Text),
}

/// A column while it is read.
pub struct Cells {
    kind: Kind,
    /// The type of the places, where the values stand in a dictionary.
    places: Option<Number>,
    numbers: Vec<f64>,
    codes: Vec<u32>,
    levels: Vec<String>,
    known: HashMap<String, u32>,
}

impl Cells {
    /// An empty column of this type; the error says what is wrong with the type.
    pub fn of(schema: &ArrowSchema) -> Result<Self, String> {
        let (kind, places) = match schema.dictionary() {
            Some(values) => match kind(&schema.format())? {
                Kind::Number(number, _) => (kind(&values.format())?, Some(number)),
                _ => return Err("its dictionary is addressed by something that is no number".into()),
            },
            None => (kind(&schema.format())?, None),
        };
        Ok(Self { places, ..Self::like(kind) })
    }

    /// Adds `count` cells of an array, after `skip` more than its own offset.
    pub fn push(&mut self, array: &ArrowArray, skip: usize, count: usize) -> Result<(), String> {
        let start = array.offset() + skip;
        let valid = |row: usize| array.bit(0, start + row).unwrap_or(true);
        if let Some(number) = self.places {
            let values = array.dictionary().ok_or("its dictionary is not there")?;
            let mut there = Self::like(self.kind);
            there.push(values, 0, values.len())?;
            let places = numbers(array, 1, start, count, number);
            // A value of the dictionary gets its number when a row first has it.
            let mut ours: Vec<Option<u32>> = vec![None; there.levels.len()];
            for row in 0..count {
                let place = places.get(row).filter(|_| valid(row)).map(|&place| place as usize);
                match self.kind {
                    Kind::Number(..) => self
                        .numbers
                        .push(place.and_then(|p| there.numbers.get(p)).copied().unwrap_or(f64::NAN)),
                    _ => {
                        let level = place.and_then(|p| there.codes.get(p)).filter(|&&c| c != MISSING);
                        let code = match level.map(|&level| level as usize) {
                            None => MISSING,
                            Some(level) => match ours[level] {
                                Some(code) => code,
                                None => *ours[level].insert(self.code(&there.levels[level])),
                            },
                        };
                        self.codes.push(code);
                    }
                }
            }
            return Ok(());
        }
        match self.kind {
            Kind::Number(Number::None, _) => self.numbers.extend(std::iter::repeat_n(f64::NAN, count)),
            Kind::Number(number, divisor) => {
                let cells = numbers(array, 1, start, count, number);
                let cell = |row: usize| match cells.get(row) {
                    Some(&x) if valid(row) => x / divisor,
                    _ => f64::NAN,
                };
                self.numbers.extend((0..count).map(cell));
            }
            Kind::Boolean => {
                let bit = |row: usize| array.bit(1, start + row).filter(|_| valid(row));
                self.codes.extend((0..count).map(|row| bit(row).map_or(MISSING, u32::from)));
            }
            Kind::Text(how) => {
                for row in 0..count {
                    let code = if valid(row) {
                        let bytes = text(array, how, start + row);
                        let text = std::str::from_utf8(bytes).map_err(|_| "its text is not UTF-8")?;
                        self.code(text)
                    } else {
                        MISSING
                    };
                    self.codes.push(code);
                }
            }
        }
        Ok(())
    }

    /// The finished column.
    pub fn finish(self) -> Values {
        match self.kind {
            Kind::Number(..) => Values::Numeric(self.numbers),
            _ => Values::Nominal(Nominal { levels: self.levels, codes: self.codes }),
        }
    }

    /// An empty column without a dictionary.
    fn like(kind: Kind) -> Self {
        let mut cells = Self {
            kind,
            places: None,
            numbers: Vec::new(),
            codes: Vec::new(),
            levels: Vec::new(),
            known: HashMap::new(),
        };
        if let Kind::Boolean = kind {
            cells.code("false");
            cells.code("true");
        }
        cells
    }

    /// The code of a value, a new one when it was never seen.
    fn code(&mut self, text: &str) -> u32 {
        if let Some(&code) = self.known.get(text) {
            return code;
        }
        let code = self.levels.len() as u32;
        self.levels.push(text.into());
        self.known.insert(text.into(), code);
        code
    }
}

/// The letters of the interface.
fn kind(format: &str) -> Result<Kind, String> {
    let per_second = |unit: &str| match unit.as_bytes().first() {
        Some(b's') => 1.0,
        Some(b'm') => 1e3,
        Some(b'u') => 1e6,
        _ => 1e9,
    };
    Ok(match format {
        "n" => Kind::Number(Number::None, 1.0),
        "b" => Kind::Boolean,
        "c" => Kind::Number(Number::I8, 1.0),
        "C" => Kind::Number(Number::U8, 1.0),
        "s" => Kind::Number(Number::I16, 1.0),
        "S" => Kind::Number(Number::U16, 1.0),
        "i" => Kind::Number(Number::I32, 1.0),
        "I" => Kind::Number(Number::U32, 1.0),
        "l" => Kind::Number(Number::I64, 1.0),
        "L" => Kind::Number(Number::U64, 1.0),
        "e" => Kind::Number(Number::F16, 1.0),
        "f" => Kind::Number(Number::F32, 1.0),
        "g" => Kind::Number(Number::F64, 1.0),
        "u" => Kind::Text(Text::Offsets32),
        "U" => Kind::Text(Text::Offsets64),
        "vu" => Kind::Text(Text::Views),
        "tdD" => Kind::Number(Number::I32, 1.0),
        "tdm" => Kind::Number(Number::I64, 86_400e3),
        "tts" => Kind::Number(Number::I32, 1.0),
        "ttm" => Kind::Number(Number::I32, 1e3),
        "ttu" => Kind::Number(Number::I64, 1e6),
        "ttn" => Kind::Number(Number::I64, 1e9),
        other => {
            if let Some(unit) = other.strip_prefix("ts").or_else(|| other.strip_prefix("tD")) {
                return Ok(Kind::Number(Number::I64, per_second(unit)));
            }
            decimal(other).ok_or_else(|| {
                format!(
                    "its Arrow type '{other}' is not supported; expected numbers, text, booleans or times; leave the \
                     column out"
                )
            })?
        }
    })
}

/// `d:precision,scale[,bits]`.
fn decimal(format: &str) -> Option<Kind> {
    let parts: Vec<&str> = format.strip_prefix("d:")?.split(',').collect();
    let scale: i32 = parts.get(1)?.parse().ok()?;
    let number = match parts.get(2).copied() {
        None | Some("128") => Number::I128,
        Some("64") => Number::I64,
        Some("32") => Number::I32,
        _ => return None,
    };
    Some(Kind::Number(number, 10f64.powi(scale)))
}

/// Cells of a buffer as numbers.
fn numbers(array: &ArrowArray, place: usize, start: usize, count: usize, number: Number) -> Vec<f64> {
    macro_rules! read {
        ($type:ty) => {
            array.numbers::<$type>(place, start, count).map(|x| x as f64).collect()
        };
    }
    match number {
        Number::I8 => read!(i8),
        Number::U8 => read!(u8),
        Number::I16 => read!(i16),
        Number::U16 => read!(u16),
        Number::I32 => read!(i32),
        Number::U32 => read!(u32),
        Number::I64 => read!(i64),
        Number::U64 => read!(u64),
        Number::F16 => array.numbers::<u16>(place, start, count).map(half).collect(),
        Number::F32 => read!(f32),
        Number::F64 => read!(f64),
        Number::I128 => read!(i128),
        Number::None => vec![f64::NAN; count],
    }
}

/// A number of 16 bits: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// The bytes of a text.
fn text(array: &ArrowArray, how: Text, cell: usize) -> &[u8] {
    let within = |from: i64, to: i64| {
        let from = usize::try_from(from).unwrap_or(0);
        array.bytes(2, from, usize::try_from(to).unwrap_or(0).saturating_sub(from))
    };
    match how {
        Text::Offsets32 => {
            let mut ends = array.numbers::<i32>(1, cell, 2).map(i64::from);
            within(ends.next().unwrap_or(0), ends.next().unwrap_or(0))
        }
        Text::Offsets64 => {
            let mut ends = array.numbers::<i64>(1, cell, 2);
            within(ends.next().unwrap_or(0), ends.next().unwrap_or(0))
        }
        Text::Views => {
            // A length; then up to twelve bytes of text, or four of them, the buffer and the place in it.
            let length = array.numbers::<[u32; 4]>(1, cell, 1).next().unwrap_or([0; 4]);
            let [bytes, _, buffer, from] = length.map(|x| x as usize);
            if bytes <= 12 {
                array.bytes(1, cell * 16 + 4, bytes)
            } else {
                array.bytes(2 + buffer, from, bytes)
            }
        }
    }
}
