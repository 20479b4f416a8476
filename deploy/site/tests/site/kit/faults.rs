//! A TCP proxy that injects faults: latency, resets, silence, slow and corrupted responses.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};
use tokio_util::task::AbortOnDropHandle;

/// The fault of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No fault.
    None,
    /// Every chunk is delayed.
    Latency(Duration),
    /// Open and new connections are reset.
    Reset,
    /// Nothing arrives. A connection that was used meanwhile stays silent for ever.
    HalfOpen,
    /// Responses arrive byte by byte and never end.
    SlowClose,
    /// Responses arrive with changed bytes.
    Corrupt,
}

/// A TCP proxy; dropping it closes its connections.
#[derive(Debug)]
pub(crate) struct FaultProxy {
    pub(crate) address: SocketAddr,
    behind: watch::Sender<SocketAddr>,
    fault: watch::Sender<Fault>,
    _task: AbortOnDropHandle<()>,
}

/// Interval of bytes of a trickling response.
const TRICKLE_INTERVAL: Duration = Duration::from_millis(200);

impl FaultProxy {
    pub(crate) async fn before(behind: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (fault, watched) = watch::channel(Fault::None);
        let (behind, server) = watch::channel(behind);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let behind = *server.borrow();
                tokio::spawn(connect(stream, behind, watched.clone()));
            }
        });
        Self { address, behind, fault, _task: AbortOnDropHandle::new(task) }
    }

    /// Moves the address to another server: new connections lead there.
    pub(crate) fn move_to(&self, behind: SocketAddr) {
        self.behind.send_replace(behind);
    }

    /// Sets the fault of open and new connections.
    pub(crate) fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }
}

async fn connect(stream: TcpStream, behind: SocketAddr, mut fault: watch::Receiver<Fault>) {
    if *fault.borrow() == Fault::Reset {
        let _ = stream.set_zero_linger();
        return;
    }
    let Ok(server) = TcpStream::connect(behind).await else { return };
    for stream in [&stream, &server] {
        stream.set_nodelay(true).unwrap();
        // Every end is a reset if the fault is one.
        if *fault.borrow() == Fault::Reset {
            let _ = stream.set_zero_linger();
        }
    }
    let (request_fault, response_fault) = (fault.clone(), fault.clone());
    let (from_client, to_client) = stream.into_split();
    let (from_server, to_server) = server.into_split();
    let reset = async {
        // The sender is never dropped before the proxy.
        let _ = fault.wait_for(|fault| *fault == Fault::Reset).await;
    };
    tokio::select! {
        () = copy(from_client, to_server, request_fault, false) => {}
        () = copy(from_server, to_client, response_fault, true) => {}
        () = reset => {}
    }
}

/// Copies bytes until one side closes.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut fault: watch::Receiver<Fault>,
    is_response: bool,
) {
    let mut piece = vec![0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        let bytes = &mut piece[..count];
        let now = *fault.borrow_and_update();
        match now {
            Fault::Latency(by) => tokio::time::sleep(by).await,
            Fault::HalfOpen => std::future::pending().await,
            Fault::Corrupt if is_response => {
                bytes.iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55)
            }
            Fault::SlowClose if is_response => {
                for byte in bytes.iter() {
                    tokio::time::sleep(TRICKLE_INTERVAL).await;
                    if to.write_all(&[*byte]).await.is_err() {
                        return;
                    }
                }
                continue;
            }
            _ => {}
        }
        if to.write_all(bytes).await.is_err() {
            return;
        }
    }
    if *fault.borrow() == Fault::SlowClose {
        let _ = fault.changed().await;
    }
}
