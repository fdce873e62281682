use super::super::MISSING;
use super::text::Texts;
use super::*;
use arrow_array::types::{Float16Type, Int8Type, Int32Type, UInt16Type};
use arrow_array::*;
use arrow_buffer::i256;
use std::sync::Arc;

fn texts(array: impl Array + 'static) -> Vec<Option<String>> {
    let array = Arc::new(array) as ArrayRef;
    let mut texts = Texts::new(&array).unwrap();
    (0..array.len()).map(|at| texts.at(at).unwrap().map(String::from)).collect()
}

fn numbers(array: impl Array + 'static) -> Result<Vec<f64>, String> {
    let mut cells = vec![0.0; array.len()];
    fill_numbers(&mut cells, 0, &(Arc::new(array) as ArrayRef)).map(|()| cells)
}

fn codes(array: impl Array + 'static) -> (Vec<String>, Vec<u32>) {
    let mut coder = Coder::new(Interner::default());
    let mut cells = vec![0; array.len()];
    coder.fill(&mut cells, &(Arc::new(array) as ArrayRef)).unwrap();
    (coder.into_levels(), cells)
}

#[test]
fn values_are_written_as_people_write_them() {
    let is = |found: Vec<Option<String>>, expected: &[&str]| {
        let found: Vec<String> = found.into_iter().map(|text| text.unwrap_or_else(|| "-".into())).collect();
        assert_eq!(found, expected);
    };
    is(texts(Int8Array::from(vec![Some(-128), None, Some(7)])), &["-128", "-", "7"]);
    is(texts(UInt64Array::from(vec![u64::MAX])), &["18446744073709551615"]);
    is(
        texts(Float64Array::from(vec![10.0, 0.1, f64::NAN, 1e16, 1e-6, -0.0])),
        &["10", "0.1", "-", "1e16", "1e-6", "-0"],
    );
    is(texts(Float32Array::from(vec![0.1, 2.5e10])), &["0.1", "25000000000"]);
    is(texts(BooleanArray::from(vec![Some(true), None])), &["true", "-"]);
    is(texts(NullArray::new(1)), &["-"]);
    let decimal = Decimal128Array::from(vec![-5, 12345]).with_precision_and_scale(10, 2).unwrap();
    is(texts(decimal), &["-0.05", "123.45"]);
    is(texts(Date32Array::from(vec![0, -1])), &["1970-01-01", "1969-12-31"]);
    is(texts(Date64Array::from(vec![1])), &["1970-01-01T00:00:00.001"]);
    is(texts(Time32SecondArray::from(vec![61])), &["00:01:01"]);
    is(texts(Time64NanosecondArray::from(vec![1])), &["00:00:00.000000001"]);
    is(texts(TimestampMicrosecondArray::from(vec![1_500_000])), &["1970-01-01T00:00:01.500"]);
    let zoned = TimestampSecondArray::from(vec![0]).with_timezone("+01:00");
    is(texts(zoned), &["1970-01-01T01:00:00+01:00"]);
    let zoned = TimestampSecondArray::from(vec![0]).with_timezone("+00:00");
    is(texts(zoned), &["1970-01-01T00:00:00Z"]);
    is(texts(DurationMillisecondArray::from(vec![61_500])), &["PT61.5S"]);
}

#[test]
fn what_has_no_text_is_an_error() {
    let array = Arc::new(Time32SecondArray::from(vec![86_400])) as ArrayRef;
    let problem = Texts::new(&array).unwrap().at(0).unwrap_err();
    assert!(problem.contains("outside the range of Time32"), "{problem}");
    let array = Arc::new(TimestampSecondArray::from(vec![0]).with_timezone("Europe/Berlin")) as ArrayRef;
    assert!(Texts::new(&array).err().unwrap().contains("Europe/Berlin"));
}

#[test]
fn decimals_are_rounded_once() {
    // 2⁵³ + 1 and more lie in the middle of two numbers, or beside it by the last digit.
    let digits = [9_007_199_254_740_993_i128, 90_071_992_547_409_931, 123, -5, i128::MAX];
    for scale in [0i8, 1, 22, 30, -3, -25] {
        let expected: Vec<f64> =
            digits.iter().map(|x| format!("{x}e{}", -i32::from(scale)).parse().unwrap()).collect();
        let array = Decimal128Array::from(digits.to_vec()).with_precision_and_scale(38, scale).unwrap();
        assert_eq!(numbers(array).unwrap(), expected, "{scale}");
        let wide = Decimal256Array::from(digits.map(i256::from_i128).to_vec());
        assert_eq!(numbers(wide.with_precision_and_scale(76, scale).unwrap()).unwrap(), expected, "{scale}");
    }
    let array = Decimal64Array::from(vec![Some(-25), None]).with_precision_and_scale(18, 1).unwrap();
    let found = numbers(array).unwrap();
    assert!(found[0] == -2.5 && found[1].is_nan());
    assert_eq!(
        numbers(Decimal32Array::from(vec![25]).with_precision_and_scale(9, 1).unwrap()).unwrap(),
        [2.5]
    );
}

#[test]
fn small_floats_keep_their_values() {
    let half = |x: f32| <Float16Type as ArrowPrimitiveType>::Native::from_f32(x);
    let array = Float16Array::from_iter_values([0.5, -2.0, 65504.0, 6e-8].map(half));
    assert_eq!(numbers(array).unwrap(), [0.5, -2.0, 65504.0, 2f64.powi(-24)]);
    let problem = numbers(Float16Array::from_iter_values([half(f32::INFINITY)])).unwrap_err();
    assert!(problem.starts_with("row 1 is inf; expected a finite number"), "{problem}");
}

#[test]
fn dictionaries_are_read_as_their_values() {
    let values = Arc::new(Int32Array::from(vec![Some(7), None, Some(9)]));
    let keys = Int8Array::from(vec![Some(2), Some(0), None, Some(1)]);
    let array = DictionaryArray::<Int8Type>::new(keys, values);
    let found = numbers(array.clone()).unwrap();
    assert!(found[..2] == [9.0, 7.0] && found[2..].iter().all(|x| x.is_nan()), "{found:?}");
    assert_eq!(codes(array).0, ["9", "7"]);

    let values = Arc::new(StringArray::from(vec!["never", "b", "4"]));
    let array = DictionaryArray::<UInt16Type>::new(UInt16Array::from(vec![2, 1, 2]), values.clone());
    assert_eq!(codes(array.clone()), (vec!["4".into(), "b".into()], vec![0, 1, 0]));
    let problem = numbers(array).unwrap_err();
    assert!(problem.starts_with("row 2 is 'b'"), "{problem}");
    let array = DictionaryArray::<Int32Type>::new(Int32Array::from(vec![Some(2), None]), values);
    assert_eq!(codes(array), (vec!["4".into()], vec![0, MISSING]));

    let values = Arc::new(BooleanArray::from(vec![true, false]));
    let array = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![0, 1, 0]), values);
    assert_eq!(numbers(array.clone()).unwrap(), [1.0, 0.0, 1.0]);
    assert_eq!(codes(array).1, [0, 1, 0]);

    let empty = DictionaryArray::<Int8Type>::new(
        Int8Array::from(vec![None, None]),
        Arc::new(StringArray::from(Vec::<&str>::new())),
    );
    assert_eq!(codes(empty.clone()), (vec![], vec![MISSING; 2]));
    assert!(numbers(empty).unwrap().iter().all(|x| x.is_nan()));
}

#[test]
fn texts_are_values_and_only_null_is_missing() {
    let array = StringArray::from(vec![Some("?"), Some("a"), None, Some("NA"), Some("")]);
    let levels = ["?", "a", "NA", ""].map(String::from).to_vec();
    assert_eq!(codes(array), (levels, vec![0, 1, MISSING, 2, 3]));
}

#[test]
fn batches_follow_each_other_in_one_table() {
    let batch = |cells: Vec<Option<&str>>, truth: Vec<Option<bool>>| {
        let columns: [(&str, ArrayRef, bool); 2] = [
            ("text", Arc::new(StringArray::from(cells)), true),
            ("truth", Arc::new(BooleanArray::from(truth)), true),
        ];
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    };
    let batches =
        [batch(vec![Some("b"), None], vec![Some(true), None]), batch(vec![Some("a")], vec![Some(false)])];
    let schema = batches[0].schema();
    let table =
        Table::from_batches("two", RecordBatchIterator::new(batches.map(Ok), schema.clone())).unwrap();
    let nominal = |levels: [&str; 2], codes: [u32; 3]| {
        Values::Nominal(Nominal { levels: levels.map(String::from).to_vec(), codes: codes.to_vec() })
    };
    assert_eq!(table.name(), "two");
    assert_eq!(table.columns()[0].values, nominal(["b", "a"], [0, MISSING, 1]));
    assert_eq!(table.columns()[1].values, nominal(["false", "true"], [1, MISSING, 0]));
    let error = Gathered::new(schema.fields()).unwrap().push(&[]).unwrap_err();
    assert!(error.to_string().contains("0 columns, but 2"), "{error}");
}

#[test]
fn a_type_that_is_no_cell_is_named() {
    let bytes = Arc::new(BinaryArray::from(vec![&b"x"[..]])) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("raw", bytes)]).unwrap();
    let error = Table::try_from(&batch).unwrap_err().to_string();
    assert!(error.starts_with("column 1, attribute 'raw': its type Binary is not supported"), "{error}");
}
