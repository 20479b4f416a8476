//! Writes log lines to standard error on a separate thread, so that a blocked reader or disk does
//! not block requests.
use std::{
    io::{self, BufWriter, ErrorKind, Stderr, Write, stderr},
    sync::Arc,
};

use rustix::event::{PollFd, PollFlags, poll};
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};

use super::Observed;

/// Maximum number of buffered lines, about 3 MB; further lines are dropped and counted.
const LINES: usize = 8_192;

/// Keeps the thread running. On drop, waits about a second until buffered lines are written.
#[derive(Debug)]
pub(super) struct LogWriter {
    _thread: WorkerGuard,
    dropped: Arc<ErrorCounter>,
}

impl LogWriter {
    /// Starts the thread. `tracing` writes to the second value.
    pub(super) fn start() -> (LogWriter, NonBlocking) {
        let builder = NonBlockingBuilder::default();
        // Whole lines at a time, because other processes write to standard error too.
        let lines = BufWriter::new(BlockingStderr(stderr()));
        let (writer, thread) = builder.buffered_lines_limit(LINES).thread_name("log").finish(lines);
        (LogWriter { _thread: thread, dropped: Arc::new(writer.error_counter()) }, writer)
    }

    /// Exports the number of dropped lines.
    pub(super) fn register_metrics(&self) {
        let dropped = Observed::of("log.dropped", "Log lines dropped because the buffer was full");
        dropped.counter(Arc::downgrade(&self.dropped), |dropped| {
            u64::try_from(dropped.dropped_lines()).unwrap_or(u64::MAX)
        });
    }
}

/// Standard error that blocks even if another process made it non-blocking, as a renderer does to
/// the site that started it.
struct BlockingStderr(Stderr);

impl Write for BlockingStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], None)?;
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
