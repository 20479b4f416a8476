//! A way to a service that can be spoilt: latency, resets, silence, slow ends, corrupted bytes.

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

/// What is wrong with the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// Every piece arrives that much later.
    Latency(Duration),
    /// Connections are reset, open ones and new ones.
    Reset,
    /// Nothing arrives: a connection that was used meanwhile stays for ever, and stays silent.
    HalfOpen,
    /// Answers come byte by byte, and ends never.
    SlowClose,
    /// Answers arrive with bytes changed.
    Corrupt,
}

/// A TCP proxy before an address; connections end when it is dropped.
#[derive(Debug)]
pub(crate) struct FaultProxy {
    pub(crate) address: SocketAddr,
    fault: watch::Sender<Fault>,
    _task: AbortOnDropHandle<()>,
}

/// A byte that trickles.
const TRICKLE: Duration = Duration::from_millis(200);

impl FaultProxy {
    pub(crate) async fn before(behind: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (fault, watched) = watch::channel(Fault::None);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connect(stream, behind, watched.clone()));
            }
        });
        Self { address, fault, _task: AbortOnDropHandle::new(task) }
    }

    /// From now on, for open connections too.
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
        // However it ends: where it is to be a reset, it is one.
        if *fault.borrow() == Fault::Reset {
            let _ = stream.set_zero_linger();
        }
    }
    let (asks, answers) = (fault.clone(), fault.clone());
    let (from_client, to_client) = stream.into_split();
    let (from_server, to_server) = server.into_split();
    let reset = async {
        // The sender lives as long as the proxy.
        let _ = fault.wait_for(|fault| *fault == Fault::Reset).await;
    };
    tokio::select! {
        () = copy(from_client, to_server, asks, false) => {}
        () = copy(from_server, to_client, answers, true) => {}
        () = reset => {}
    }
}

/// Hands bytes on until an end is reached.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut fault: watch::Receiver<Fault>,
    is_answer: bool,
) {
    let mut piece = vec![0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        let bytes = &mut piece[..count];
        let now = *fault.borrow_and_update();
        match now {
            Fault::Latency(by) => tokio::time::sleep(by).await,
            Fault::HalfOpen => std::future::pending().await,
            Fault::Corrupt if is_answer => {
                bytes.iter_mut().step_by(7).for_each(|byte| *byte ^= 0x55)
            }
            Fault::SlowClose if is_answer => {
                for byte in bytes.iter() {
                    tokio::time::sleep(TRICKLE).await;
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
