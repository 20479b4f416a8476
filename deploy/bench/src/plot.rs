//! Plots as SVG files, in the colours that the reader prefers: light or dark.

use plotters::{
    coord::{
        Shift,
        ranged1d::{AsRangedCoord, ValueFormatter},
    },
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 760;
const BACKGROUND: RGBColor = RGBColor(0xfb, 0xf8, 0xf2);
const FOREGROUND: RGBColor = RGBColor(0x14, 0x21, 0x3d);
const BAR: RGBColor = RGBColor(0xb5, 0x65, 0x1d);
/// Font sizes; plotters writes them divided by 1.24.
const FONT: (&str, i32, &RGBColor) = ("sans-serif", 16, &FOREGROUND);
const TITLE_FONT: (&str, i32, &RGBColor) = ("sans-serif", 19, &FOREGROUND);
/// Swaps background and foreground. CSS rules override the attributes that plotters writes, with colours in upper case.
const DARK_STYLE: &str = "<style>@media(prefers-color-scheme:dark){[fill=\"#FBF8F2\"]{fill:#14213d}\
    [fill=\"#14213D\"]{fill:#fbf8f2}[stroke=\"#14213D\"]{stroke:#fbf8f2}}</style>";

/// One bar.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) value: f64,
    /// Text beside the bar.
    pub(crate) note: String,
}

/// A plot of horizontal bars, with a line at the reference value, if any.
pub(crate) fn bars(title: &str, bars: &[Bar], reference: Option<f64>) -> anyhow::Result<String> {
    let largest =
        bars.iter().map(|bar| bar.value).chain(reference).fold(f64::MIN_POSITIVE, f64::max);
    let rows = bars.len() as f64;
    svg(72 + 26 * bars.len() as u32, |area| {
        let mut chart = ChartBuilder::on(&area)
            .caption(title, TITLE_FONT)
            .margin(10)
            .margin_left(180)
            // A quarter of the width is for the notes.
            .build_cartesian_2d(0.0..largest * 1.33, 0.0..rows.max(1.0))?;
        if let Some(value) = reference {
            chart
                .draw_series(LineSeries::new([(value, 0.0), (value, rows)], FOREGROUND.mix(0.4)))?;
        }
        let font = FONT.into_text_style(&area);
        let style = |side| font.pos(Pos::new(side, VPos::Center));
        for (at, bar) in bars.iter().enumerate() {
            // The first bar is at the top.
            let y = rows - 0.5 - at as f64;
            let corners = [(0.0, y - 0.35), (bar.value, y + 0.35)];
            chart.draw_series([Rectangle::new(corners, BAR.filled())])?;
            let label = Text::new(format!("{}\u{a0}", bar.label), (0.0, y), style(HPos::Right));
            let note = Text::new(format!("\u{a0}{}", bar.note), (bar.value, y), style(HPos::Left));
            chart.draw_series([label, note])?;
        }
        Ok(())
    })
}

/// One line.
pub(crate) struct Line {
    pub(crate) label: String,
    /// From left to right; values above zero.
    pub(crate) points: Vec<(f64, f64)>,
}

/// The title and axes of a plot of lines.
pub(crate) struct Axes<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) is_logarithmic: bool,
}

/// A plot of lines with a legend.
pub(crate) fn lines(axes: &Axes<'_>, lines: &[Line]) -> anyhow::Result<String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let highest = points().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
    let lowest = points().map(|point| point.1).filter(|y| *y > 0.0).fold(highest, f64::min);
    svg(340, |area| {
        if axes.is_logarithmic {
            let power = |exponent: f64| 10.0_f64.powf(exponent);
            let range = power(lowest.log10().floor())..power(highest.log10().ceil());
            draw_lines(&area, axes, lines, range.log_scale())
        } else {
            draw_lines(&area, axes, lines, 0.0..highest)
        }
    })
}

fn draw_lines<Y>(area: &Area<'_>, axes: &Axes<'_>, lines: &[Line], range: Y) -> anyhow::Result<()>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let (plot, legend) = area.split_horizontally(WIDTH - 150);
    let points = lines.iter().flat_map(|line| &line.points);
    let last = points.map(|point| point.0).fold(f64::MIN_POSITIVE, f64::max);
    let mut chart = ChartBuilder::on(&plot)
        .caption(axes.title, TITLE_FONT)
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..last, range)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FOREGROUND.mix(0.2))
        .axis_style(FOREGROUND)
        .label_style(FONT)
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&ToString::to_string)
        .y_label_formatter(&ToString::to_string)
        .draw()?;
    for (at, line) in lines.iter().enumerate() {
        // Hues of medium lightness are readable on light and dark backgrounds.
        let colour = HSLColor(at as f64 / lines.len() as f64, 0.6, 0.5).stroke_width(2);
        chart.draw_series(LineSeries::new(line.points.iter().copied(), colour))?;
        let y = 40 + 20 * at as i32;
        legend.draw(&PathElement::new([(0, y), (20, y)], colour))?;
        legend.draw(&Text::new(line.label.as_str(), (28, y - 6), FONT.into_text_style(&legend)))?;
    }
    Ok(())
}

/// The SVG of a drawing on the background.
fn svg(height: u32, draw: impl FnOnce(Area<'_>) -> anyhow::Result<()>) -> anyhow::Result<String> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
    area.fill(&BACKGROUND)?;
    draw(area)?;
    Ok(text.replacen('\n', &format!("\n{DARK_STYLE}\n"), 1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The texts of a picture, and how often an element occurs.
    fn has(svg: &str, texts: &[&str], element: &str) -> usize {
        for text in texts {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.contains(DARK_STYLE) && svg.trim_end().ends_with("</svg>"));
        svg.matches(element).count()
    }

    #[test]
    fn bars_have_labels_notes_and_a_reference() {
        let bar = |value| Bar { label: format!("a<b {value}"), value, note: format!("{value} %") };
        let svg = bars("x & y", &[bar(0.5), bar(2.0)], Some(1.0)).unwrap();
        let texts = ["x &amp; y", "a&lt;b 0.5", "a&lt;b 2", "0.5 %", "2 %"];
        assert_eq!(has(&svg, &texts, "fill=\"#B5651D\""), 2);
        assert_eq!(svg.matches("<polyline").count(), 1);
    }

    #[test]
    fn lines_have_labels_and_stay_within_the_picture() {
        let line = |label: &str, points: &[(f64, f64)]| Line {
            label: label.into(),
            points: points.into(),
        };
        let drawn =
            [line("a<b", &[(0.0, 1.0), (60.0, 90.0)]), line("c", &[(0.0, 0.02), (60.0, 5.0)])];
        for is_logarithmic in [false, true] {
            let axes = Axes { title: "x & y", x: "seconds", y: "ms", is_logarithmic };
            let svg = lines(&axes, &drawn).unwrap();
            has(&svg, &["x &amp; y", "a&lt;b", "seconds", "ms"], "<polyline");
            let polylines = svg.split("points=\"").skip(1).filter_map(|rest| rest.split_once('"'));
            let points: Vec<(u32, u32)> = polylines
                .flat_map(|(points, _)| points.split_whitespace())
                .map(|point| point.split_once(',').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            assert!(points.len() >= 8, "{svg}");
            assert!(points.iter().all(|(x, y)| *x <= WIDTH && *y <= 340), "{points:?}");
        }
    }
}
