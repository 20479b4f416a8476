//! Texts: front matter, Markdown and the HTML that is made of it.

mod body;
pub(crate) mod front_matter;
mod sanitise;

pub(crate) use body::{MAX_BODY, body, translated};
