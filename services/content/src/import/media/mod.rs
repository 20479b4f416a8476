//! The pictures and other files that texts and records reference.

mod avif;
mod picture;
mod resolver;
mod svg;
mod video;

pub(crate) use picture::MAX_PICTURE;
#[cfg(test)]
pub(crate) use picture::inspect as inspect_picture;
pub use resolver::FileSource;
pub(crate) use resolver::MediaResolver;
