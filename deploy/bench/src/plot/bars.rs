//! Horizontal bars.

use std::fmt::Write;

use super::{WIDTH, escaped, head};

const LABELS: f64 = 170.0;
const NOTES: f64 = 130.0;
const ROW: f64 = 26.0;
const TOP: f64 = 48.0;

/// One bar.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) value: f64,
    /// Stands behind the bar.
    pub(crate) note: String,
}

/// A plot with a title and, where there is one, a line at a value to compare with.
pub(crate) fn bars(title: &str, bars: &[Bar], reference: Option<f64>) -> String {
    let largest =
        bars.iter().map(|bar| bar.value).chain(reference).fold(f64::MIN_POSITIVE, f64::max);
    let scale = (WIDTH - LABELS - NOTES) / largest;
    let height = TOP + ROW * bars.len() as f64 + 16.0;
    let mut svg = head(title, height);
    for (row, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let length = (bar.value * scale).max(0.0);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" class=\"ink\">{}</text>\
             <rect x=\"{LABELS}\" y=\"{y}\" width=\"{length:.1}\" height=\"{}\" class=\"bar\"/>\
             <text x=\"{:.1}\" y=\"{}\" class=\"ink\">{}</text>",
            LABELS - 10.0,
            y + 14.0,
            escaped(&bar.label),
            ROW - 8.0,
            LABELS + length + 8.0,
            y + 14.0,
            escaped(&bar.note)
        );
    }
    if let Some(value) = reference {
        let x = LABELS + value * scale;
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\" class=\"rule\" \
             stroke-dasharray=\"4 3\"/>",
            TOP - 6.0,
            height - 12.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_is_drawn_within_the_picture() {
        let bar = |value| Bar { label: "a<b".into(), value, note: format!("{value}") };
        let svg = bars("x & y", &[bar(0.5), bar(2.0)], Some(1.0));
        assert_eq!(svg.matches("class=\"bar\"").count(), 2);
        assert!(svg.contains("width=\"460.0\"") && svg.contains("width=\"115.0\""));
        assert!(svg.contains("x &amp; y") && svg.contains("a&lt;b") && svg.contains("<line"));
    }
}
