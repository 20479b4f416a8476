//! A TCP load balancer: each new connection goes to the next process that is ready.

use std::net::SocketAddr;

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

use crate::endpoints::Endpoints;

/// A load balancer; dropping it closes all connections.
#[derive(Debug)]
pub(crate) struct Balancer {
    pub(crate) address: SocketAddr,
    _task: AbortOnDropHandle<()>,
}

impl Balancer {
    pub(crate) async fn before(endpoints: Endpoints) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            for turn in 0.. {
                let Ok((client, _)) = listener.accept().await else { return };
                connections.spawn(forward(client, endpoints.clone(), turn));
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, _task: AbortOnDropHandle::new(task) }
    }
}

async fn forward(mut client: TcpStream, endpoints: Endpoints, turn: usize) {
    let ready = endpoints.ready();
    for at in 0..ready.len() {
        let Ok(mut server) = TcpStream::connect(ready[(turn + at) % ready.len()]).await else {
            continue;
        };
        for stream in [&client, &server] {
            let _ = stream.set_nodelay(true);
        }
        // An error on one side closes both.
        let _ = copy_bidirectional(&mut client, &mut server).await;
        return;
    }
}
