//! The content calls of the JSON API over the real service, transported in process.

mod kit;
mod readers;
mod refusals;
