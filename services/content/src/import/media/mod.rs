//! The pictures and other files that texts and records name.

pub(crate) mod attachments;
mod picture;
mod resolver;
mod svg;
mod video;

pub(crate) use picture::PICTURE_MAX;
#[cfg(test)]
pub(crate) use picture::judge as judge_picture;
pub(crate) use resolver::Gallery;
pub use resolver::Pictures;
