//! Plots as SVG files, in the colours that the reader prefers: light or dark.

mod bars;
mod lines;

pub(crate) use self::{
    bars::{Bar, bars},
    lines::{Axes, Line, lines},
};

const WIDTH: f64 = 760.0;

/// The picture's begin: its size, colours, ground and title.
fn head(title: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <style>.ground{{fill:#fbf8f2}}.ink{{fill:#14213d}}.rule{{stroke:#14213d}}.bar{{fill:#b5651d}}\
         @media(prefers-color-scheme:dark){{.ground{{fill:#14213d}}.ink{{fill:#fbf8f2}}\
         .rule{{stroke:#fbf8f2}}.bar{{fill:#e0924a}}}}</style>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" class=\"ground\"/>\n\
         <text x=\"16\" y=\"28\" font-size=\"15\" font-weight=\"bold\" class=\"ink\">{}</text>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
