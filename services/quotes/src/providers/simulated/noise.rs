//! Noise with random access: the value at a time needs no earlier values. Uses only `+`, `-` and
//! `*` on floating-point numbers, and division by powers of two, so that all machines compute the
//! same bits.

/// Octaves as (period in days, amplitude as a fraction of the price); the amplitude is proportional
/// to the square root of the period.
const OCTAVES: [(f64, f64); 9] = [
    (64.0, 0.064),
    (16.0, 0.032),
    (4.0, 0.016),
    (1.0, 0.008),
    (1.0 / 4.0, 0.004),
    (1.0 / 16.0, 0.002),
    (1.0 / 64.0, 0.001),
    (1.0 / 256.0, 0.000_5),
    (1.0 / 1024.0, 0.000_25),
];

/// Hashes two numbers.
pub(super) fn mix(one: u64, other: u64) -> u64 {
    // SplitMix64 (Steele, Lea and Flood).
    let mut z = one ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Deviation of a price from its level at a time in days, as a fraction: within ±0.128.
pub(super) fn fractal_noise(key: u64, days: f64) -> f64 {
    let octaves = (1_u64..).zip(OCTAVES);
    octaves.map(|(salt, (period, size))| size * smooth(mix(key, salt), days / period)).sum()
}

/// Interpolates smoothly between random values in -1 … 1 at whole numbers.
fn smooth(key: u64, at: f64) -> f64 {
    let whole = at.floor();
    let part = at - whole;
    #[expect(clippy::cast_possible_truncation, reason = "days of this century")]
    let index = whole as i64;
    let (from, to) = (value(key, index), value(key, index + 1));
    from + (to - from) * part * part * (3.0 - 2.0 * part)
}

fn value(key: u64, index: i64) -> f64 {
    let bits = mix(key, index.cast_unsigned()) >> 11;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    let unit = bits as f64 / (1_u64 << 53) as f64;
    unit * 2.0 - 1.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn noise_is_bounded_and_without_jumps(key: u64, days in 0.0..40_000.0_f64) {
            let one = fractal_noise(key, days);
            prop_assert!(one.abs() <= 0.128);
            // A thousandth of the shortest period later.
            let next = fractal_noise(key, days + 1.0 / 1_024_000.0);
            prop_assert!((next - one).abs() < 0.000_01, "{one} {next}");
        }
    }
}
