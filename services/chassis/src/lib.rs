//! What every Sahm process shares: settings, telemetry, lifecycle, errors, store, change log and
//! the set-up of gRPC servers and clients.
//!
//! A service is a library with a type that implements [`service::Service`], and a program of one line,
//! [`service::main`].

mod bearer;
pub mod caller;
pub mod campaign;
pub mod changes;
pub mod cli;
pub mod clock;
pub mod cursor;
mod dev_secrets;
pub mod error;
pub mod lifecycle;
pub mod lingering;
pub mod member_data;
mod methods;
pub mod outbound;
pub mod rpc;
pub mod service;
pub mod settings;
pub mod store;
pub mod telemetry;
mod tls;
pub mod validate;

pub use dev_secrets::session_keys;
pub use error::{Error, ErrorCode, Result};
pub use futures_util::future::{BoxFuture, LocalBoxFuture};
pub use lifecycle::{Context, Lifecycle};
pub use settings::{Environment, Process, ServiceName, Settings};

/// Of all processes: many small, short-lived pieces on many threads are what they allocate, and
/// this one is quicker at that than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
