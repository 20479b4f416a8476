//! Real Redis and PostgreSQL servers for tests, programs that are killed, and disks that are full. Servers run in a
//! temporary folder on a free port of the loopback, and end with the test process, even when that
//! is killed.
//!
//! A missing server program is an error that names the Debian package: tests fail, they never skip.
pub mod kill;
mod port;
mod postgres;
pub mod process;
mod redis;
mod sentinel;
mod server;
mod small_disk;
mod tls;
mod varnish;

pub use port::free_port;
pub use postgres::Postgres;
pub use redis::Redis;
pub use sentinel::RedisWithSentinels;
pub use small_disk::SmallDisk;
pub use tls::Certificates;
pub use varnish::Varnish;

/// How often something is tried: `short`, or `full` where `SAHM_PROOF` is set (`make proof`).
pub fn count(short: u32, full: u32) -> u32 {
    if std::env::var_os("SAHM_PROOF").is_some() { full } else { short }
}
