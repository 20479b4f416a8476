//! Medians, percentiles and slopes.

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

/// The slope of the line through those points whose squared distances are least; 0 where there is
/// no such line.
pub(crate) fn slope(points: &[(f64, f64)]) -> f64 {
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (middle, height) = (mean(|point| point.0), mean(|point| point.1));
    let over = points.iter().map(|(x, y)| (x - middle) * (y - height)).sum::<f64>();
    let under = points.iter().map(|(x, _)| (x - middle).powi(2)).sum::<f64>();
    if under > 0.0 { over / under } else { 0.0 }
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

    #[test]
    fn slopes() {
        let line: Vec<(f64, f64)> =
            (0..10).map(|x| (f64::from(x), 3.0 * f64::from(x) - 1.0)).collect();
        assert!((slope(&line) - 3.0).abs() < 1e-9);
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 2.0), (2.0, 1.0)]), 0.0);
        assert_eq!(slope(&[(1.0, 5.0)]), 0.0);
        assert_eq!(slope(&[]), 0.0);
    }
}
