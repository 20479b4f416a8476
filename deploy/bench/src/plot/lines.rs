//! Lines over time.

use std::fmt::Write;

use super::{WIDTH, escaped, head};

const LEFT: f64 = 64.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 62.0;
const HEIGHT: f64 = 340.0;
const BOTTOM: f64 = 44.0;
/// Readable on light and dark ground.
const COLOURS: [&str; 5] = ["#3b82c4", "#d9772b", "#2f9e6e", "#c75b9b", "#8a8f98"];
/// Tells lines of one colour apart.
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

/// One line.
pub(crate) struct Line {
    pub(crate) label: String,
    /// From left to right; values above zero.
    pub(crate) points: Vec<(f64, f64)>,
}

/// What is drawn, over what.
pub(crate) struct Axes<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    /// Whether each step up is ten times the one below.
    pub(crate) is_logarithmic: bool,
}

/// A plot of lines with their names beside it.
pub(crate) fn lines(axes: &Axes<'_>, lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let last = all().map(|point| point.0).fold(f64::MIN_POSITIVE, f64::max);
    let highest = all().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
    let lowest = all().map(|point| point.1).filter(|y| *y > 0.0).fold(highest, f64::min);
    let scale = if axes.is_logarithmic {
        Scale::Logarithmic(lowest.log10().floor(), highest.log10().ceil())
    } else {
        Scale::Linear(highest)
    };
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let x_of = |x: f64| LEFT + x / last * (right - LEFT);
    let y_of = |y: f64| bottom - scale.share(y) * (bottom - TOP);

    let mut svg = head(axes.title, HEIGHT);
    // Writing to a String cannot fail.
    for tick in scale.ticks() {
        let y = y_of(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"rule\" \
             stroke-opacity=\"0.2\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" \
             class=\"ink\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            number(tick)
        );
    }
    for tick in steps(last) {
        let x = x_of(tick);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"ink\">{}</text>",
            bottom + 18.0,
            number(tick)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\" class=\"ink\">{}</text>\
         <text x=\"16\" y=\"{:.1}\" class=\"ink\">{}</text>",
        HEIGHT - 8.0,
        escaped(axes.x),
        TOP - 16.0,
        escaped(axes.y)
    );
    for (at, line) in lines.iter().enumerate() {
        let style = format!(
            "stroke=\"{}\" stroke-dasharray=\"{}\" stroke-width=\"2\" fill=\"none\"",
            COLOURS[at % COLOURS.len()],
            DASHES[at / COLOURS.len() % DASHES.len()]
        );
        let points: Vec<String> =
            line.points.iter().map(|(x, y)| format!("{:.1},{:.1}", x_of(*x), y_of(*y))).collect();
        let y = TOP + 20.0 * at as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" {style}/>\n\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" {style}/>\
             <text x=\"{:.1}\" y=\"{:.1}\" class=\"ink\">{}</text>",
            points.join(" "),
            right + 12.0,
            right + 32.0,
            right + 38.0,
            y + 4.0,
            escaped(&line.label)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

enum Scale {
    /// From zero to this.
    Linear(f64),
    /// From one power of ten to another.
    Logarithmic(f64, f64),
}

impl Scale {
    /// How far up a value stands, 0 to 1.
    fn share(&self, value: f64) -> f64 {
        match *self {
            Scale::Linear(highest) => value / highest,
            Scale::Logarithmic(first, last) => {
                let decades = (last - first).max(1.0);
                ((value.max(f64::MIN_POSITIVE).log10() - first) / decades).clamp(0.0, 1.0)
            }
        }
    }

    fn ticks(&self) -> Vec<f64> {
        match *self {
            Scale::Linear(highest) => steps(highest),
            Scale::Logarithmic(first, last) => (first as i32..=last.max(first + 1.0) as i32)
                .map(|power| 10.0_f64.powi(power))
                .collect(),
        }
    }
}

/// Round numbers from zero up to that one, six at most.
fn steps(highest: f64) -> Vec<f64> {
    let power = 10.0_f64.powf((highest / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| highest / step <= 5.0)
        .unwrap_or(highest);
    (0..=(highest / step) as u32).map(|at| f64::from(at) * step).collect()
}

/// Without digits that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (highest, steps_up_to) in [
            (5.0, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            (1_200.0, vec![0.0, 500.0, 1_000.0]),
            (0.7, vec![0.0, 0.2, 0.4, 0.6]),
        ] {
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            let steps = steps(highest);
            assert!(steps.len() == steps_up_to.len(), "{steps:?}");
            assert!(steps.iter().zip(&steps_up_to).all(near), "{steps:?}");
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.01, "0.01"), (100.0, "100"), (2.5, "2.5"), (0.0, "0")] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn lines_stay_within_the_picture() {
        let line = |label: &str, points: &[(f64, f64)]| Line {
            label: label.into(),
            points: points.into(),
        };
        let drawn =
            [line("a<b", &[(0.0, 1.0), (60.0, 90.0)]), line("c", &[(0.0, 0.02), (60.0, 5.0)])];
        for is_logarithmic in [false, true] {
            let axes = Axes { title: "x & y", x: "s", y: "ms", is_logarithmic };
            let svg = lines(&axes, &drawn);
            assert!(svg.contains("x &amp; y") && svg.contains("a&lt;b"));
            let polylines = svg.split("<polyline points=\"").skip(1);
            let points: Vec<(f64, f64)> = polylines
                .filter_map(|rest| rest.split_once('"'))
                .flat_map(|(points, _)| points.split(' '))
                .filter_map(|point| point.split_once(','))
                .filter_map(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
                .collect();
            assert_eq!(points.len(), 4);
            for (x, y) in points {
                assert!((LEFT..=WIDTH - RIGHT).contains(&x), "{x}");
                assert!((TOP..=HEIGHT - BOTTOM).contains(&y), "{y}");
            }
        }
    }
}
