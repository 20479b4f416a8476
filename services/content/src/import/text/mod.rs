//! Texts: front matter, Markdown and the generated HTML.

mod body;
pub(crate) mod front_matter;
mod sanitise;

pub(crate) use body::{MAX_BODY, body, translated};
