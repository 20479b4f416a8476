//! Log lines go to standard error by a thread of their own: whoever reads them and stands still, or
//! a disk that does, is not in a request's way.
use std::{
    io::{self, BufWriter, ErrorKind, Stderr, Write, stderr},
    sync::Arc,
};

use rustix::event::{PollFd, PollFlags, poll};
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};

use super::Observed;

/// Lines that wait for their reader, about 3 MB; what comes then is dropped and counted.
const LINES: usize = 8_192;

/// Keeps lines going out. Dropped, it waits about a second for those that wait.
#[derive(Debug)]
pub(super) struct LogWriter {
    _thread: WorkerGuard,
    dropped: Arc<ErrorCounter>,
}

impl LogWriter {
    /// The writer, and where `tracing` writes to.
    pub(super) fn start() -> (LogWriter, NonBlocking) {
        let builder = NonBlockingBuilder::default();
        // Whole lines at a time: others write to standard error too.
        let lines = BufWriter::new(Waiting(stderr()));
        let (writer, thread) = builder.buffered_lines_limit(LINES).thread_name("log").finish(lines);
        (LogWriter { _thread: thread, dropped: Arc::new(writer.error_counter()) }, writer)
    }

    /// Tells how many lines were dropped.
    pub(super) fn show(&self) {
        let dropped = Observed::of("log.dropped", "Log lines that nobody read in time");
        dropped.counter(Arc::downgrade(&self.dropped), |dropped| {
            u64::try_from(dropped.dropped_lines()).unwrap_or(u64::MAX)
        });
    }
}

/// Standard error that waits for its reader also where whoever shares it made it non-blocking, as a
/// renderer does to the site that started it.
struct Waiting(Stderr);

impl Write for Waiting {
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
