//! Real Redis, PostgreSQL and PgBouncer servers for tests, kill tests, and full disks. Servers run
//! in a temporary folder on a free port of the loopback interface, and end with the test process,
//! even if that is killed.
//!
//! A missing server program is an error that names the Debian package: tests fail, they are never
//! skipped.
mod files;
pub mod kill;
mod pgbouncer;
mod port;
mod postgres;
pub mod process;
mod redis;
mod sentinel;
mod server;
mod small_disk;
mod tls;
mod varnish;

pub use files::copy_files;
pub use pgbouncer::PgBouncer;
pub use port::free_port;
pub use postgres::Postgres;
pub use redis::Redis;
pub use sentinel::RedisWithSentinels;
pub use small_disk::SmallDisk;
pub use tls::Certificates;
pub use varnish::Varnish;

/// Number of repetitions: `short`, or `full` where `SAHM_PROOF` is set (`make proof`).
pub fn count(short: u32, full: u32) -> u32 {
    if std::env::var_os("SAHM_PROOF").is_some() { full } else { short }
}
