//! Free ports for programs that need a port number at their start.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// Lies below the ephemeral ports: the system could assign one of those to an outgoing connection
/// between its choice and its use.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// Returns a loopback port that nothing listens on and that this process has not returned before.
///
/// # Errors
/// No port is free.
pub fn free_port() -> std::io::Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Concurrent test processes start at different offsets.
    let begin = std::process::id().wrapping_mul(7_919) % u32::from(COUNT);
    let mut last = None;
    for _ in 0..COUNT {
        let step = u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let offset = (begin + step) % u32::from(COUNT);
        let port = FIRST + u16::try_from(offset).unwrap_or_default();
        match TcpListener::bind(("127.0.0.1", port)) {
            Ok(_) => return Ok(port),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| std::io::Error::other("no port is free")))
}
