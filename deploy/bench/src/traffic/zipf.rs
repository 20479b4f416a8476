//! Zipf's law: the n-th item of a list is requested 1/n times as often as the first.

use rand::{RngExt, rngs::StdRng};

/// Draws indices of a list of fixed length.
pub(crate) struct Zipf {
    /// Sums of 1/1 … 1/n.
    sums: Vec<f64>,
}

impl Zipf {
    pub(crate) fn over(length: usize) -> Zipf {
        let sums = (1..=length)
            .scan(0.0, |sum, rank| {
                *sum += 1.0 / rank as f64;
                Some(*sum)
            })
            .collect();
        Zipf { sums }
    }

    /// A random index; 0 for an empty list.
    pub(crate) fn draw(&self, random: &mut StdRng) -> usize {
        let point = random.random::<f64>() * self.sums.last().copied().unwrap_or_default();
        let above = self.sums.partition_point(|sum| *sum <= point);
        above.min(self.sums.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn the_second_is_drawn_half_as_often_as_the_first() {
        let (zipf, mut random) = (Zipf::over(100), StdRng::seed_from_u64(2));
        let mut seen = [0.0_f64; 100];
        for _ in 0..200_000 {
            seen[zipf.draw(&mut random)] += 1.0;
        }
        for (rank, seen_there) in [(2.0, seen[1]), (4.0, seen[3]), (10.0, seen[9])] {
            let ratio = seen[0] / seen_there / rank;
            assert!((0.9..1.1).contains(&ratio), "{rank}: {ratio}");
        }
        assert!(seen.iter().all(|seen| *seen > 0.0));
        assert_eq!(Zipf::over(0).draw(&mut random), 0);
    }
}
