//! Administration of the page cache: routes on the admin address, and the command that calls them.

mod cli;
mod routes;

pub use cli::CacheCommand;
pub(crate) use routes::routes;
