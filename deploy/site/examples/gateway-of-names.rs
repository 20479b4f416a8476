//! The gateway as a process, with one difference: it resolves its services with the DNS server at
//! `NAME_SERVER` (`ADDRESS:PORT`), so that tests control the records.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use sahm_chassis::{
    ServiceName,
    lifecycle::{self, Context},
    rpc::{REFRESH_INTERVAL, Resolve, Transport},
    settings::Process,
};
use sahm_gateway::Services;
use simple_dns::{CLASS, Name, Packet, QTYPE, Question, TYPE, rdata::RData};
use tokio::{net::UdpSocket, time::timeout};

/// Timeout of a DNS query.
const QUERY_TIMEOUT: Duration = Duration::from_secs(1);

struct NameServer(SocketAddr);

impl NameServer {
    /// Sends one query over UDP (RFC 1035).
    async fn query(&self, host: &str, port: u16) -> anyhow::Result<Vec<SocketAddr>> {
        let mut packet = Packet::new_query(1);
        packet.questions.push(Question::new(
            Name::new(host)?,
            QTYPE::TYPE(TYPE::A),
            CLASS::IN.into(),
            false,
        ));
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        socket.connect(self.0).await?;
        socket.send(&packet.build_bytes_vec()?).await?;
        let mut message = [0; 512];
        let length = timeout(QUERY_TIMEOUT, socket.recv(&mut message)).await??;
        let response = Packet::parse(&message[..length])?;
        let addresses = response.answers.iter().filter_map(|record| match &record.rdata {
            RData::A(a) => Some(SocketAddr::from((Ipv4Addr::from(a.address), port))),
            _ => None,
        });
        Ok(addresses.collect())
    }
}

#[tonic::async_trait]
impl Resolve for NameServer {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        self.query(host, port).await.map_err(io::Error::other)
    }
}

fn main() -> ExitCode {
    lifecycle::run(Process::Gateway, async |context: Context| {
        let server = std::env::var("NAME_SERVER").context("NAME_SERVER is not set")?;
        let names = Arc::new(NameServer(server.parse()?));
        let listener = lifecycle::bind(context.settings.listen).await?;
        let services = ServiceName::ALL.map(|name| {
            let url = context.settings.service_url(name);
            let policy = Services::balancing(name);
            (name, Transport::connect_with(policy, url, &context, names.clone(), REFRESH_INTERVAL))
        });
        let renderer = context.settings.renderer_url.clone();
        sahm_gateway::serve(&context, listener, Services::new(services), &renderer).await?;
        context.lifecycle.set_ready();
        Ok(())
    })
}
