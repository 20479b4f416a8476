//! The content calls of the JSON API with the real service in process.

mod kit;
mod readers;
mod refusals;
