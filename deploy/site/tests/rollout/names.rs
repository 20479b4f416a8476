//! A DNS server that resolves each name to its ready replicas, as headless services of a cluster do.

use std::net::{IpAddr, SocketAddr};

use simple_dns::{
    CLASS, Packet, PacketFlag, QTYPE, RCODE, ResourceRecord, TYPE,
    rdata::{A, RData},
};
use tokio::net::UdpSocket;
use tokio_util::task::AbortOnDropHandle;

use crate::endpoints::Endpoints;

/// Maximum size of a UDP message without extensions (RFC 1035).
const MAX_MESSAGE_BYTES: usize = 512;
/// Time to live of a record, in seconds.
const TTL: u32 = 1;

/// A DNS server over UDP, stopped when dropped.
#[derive(Debug)]
pub(crate) struct NameServer {
    pub(crate) address: SocketAddr,
    _task: AbortOnDropHandle<()>,
}

impl NameServer {
    pub(crate) async fn start(zone: Vec<(String, Endpoints)>) -> Self {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).await.unwrap();
        let address = socket.local_addr().unwrap();
        let task = tokio::spawn(async move {
            let mut message = [0; MAX_MESSAGE_BYTES];
            while let Ok((length, client)) = socket.recv_from(&mut message).await {
                if let Some(response) = respond(&zone, &message[..length]) {
                    let _ = socket.send_to(&response, client).await;
                }
            }
        });
        Self { address, _task: AbortOnDropHandle::new(task) }
    }
}

fn respond(zone: &[(String, Endpoints)], message: &[u8]) -> Option<Vec<u8>> {
    let query = Packet::parse(message).ok()?;
    let question = query.questions.first()?;
    let name = question.qname.to_string();
    let mut response = Packet::new_reply(query.id());
    response.set_flags(PacketFlag::AUTHORITATIVE_ANSWER);
    response.questions.push(question.clone());
    match zone.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
        Some((_, endpoints)) if question.qtype == QTYPE::TYPE(TYPE::A) => {
            for address in endpoints.ready() {
                let IpAddr::V4(address) = address.ip() else { continue };
                let data = RData::A(A::from(address));
                let owner = question.qname.clone();
                response.answers.push(ResourceRecord::new(owner, CLASS::IN, TTL, data));
            }
        }
        Some(_) => {}
        None => *response.rcode_mut() = RCODE::NameError,
    }
    response.build_bytes_vec_compressed().ok()
}
