//! The natural order of texts: as integers, else as numbers, else by their letters.

/// The places of texts in their natural order.
pub(crate) fn places_in_natural_order(texts: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    let integers: Option<Vec<i128>> = texts.iter().map(|text| text.parse().ok()).collect();
    let numbers: Option<Vec<f64>> = texts.iter().map(|text| text.parse().ok()).collect();
    if let Some(integers) = integers {
        order.sort_by_key(|&text| integers[text]);
    } else if let Some(numbers) = numbers {
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]).then_with(|| texts[a].cmp(&texts[b])));
    } else {
        order.sort_by_key(|&text| &texts[text]);
    }
    order
}

/// Texts in their natural order; all are different.
pub(crate) fn natural_order(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_unstable();
    places_in_natural_order(&texts).into_iter().map(|text| texts[text].clone()).collect()
}
