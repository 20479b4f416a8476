//! Medians and percentiles.

/// The value below which that share of the sorted values lies (nearest rank); 0 of none.
pub(crate) fn percentile(sorted: &[u64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default() as f64
}

/// The middle value; the mean of the two middle ones of an even number; NaN of none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    match (values.len(), values.len() / 2) {
        (0, _) => f64::NAN,
        (length, middle) if length % 2 == 1 => values[middle],
        (_, middle) => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let values: Vec<u64> = (1..=200).collect();
        for (share, expected) in [(0.0, 1.0), (0.5, 100.0), (0.99, 198.0), (1.0, 200.0)] {
            assert_eq!(percentile(&values, share), expected, "{share}");
        }
        assert_eq!(percentile(&[7], 0.99), 7.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn medians() {
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median([]).is_nan());
    }
}
