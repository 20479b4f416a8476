//! The audit line of a write by a caller other than the gateway (docs/operations/access.md#audit).
//! An rpc writes unless its proto marks it `NO_SIDE_EFFECTS`.
use std::net::IpAddr;

use axum::extract::Request;
use tonic::{
    Code,
    transport::server::{TcpConnectInfo, TlsConnectInfo},
};

use crate::{methods::method, telemetry::AUDIT_TARGET};

/// The fields of the audit line that are known before the call ends.
#[derive(Clone)]
pub(super) struct Audit {
    caller: String,
    address: Option<IpAddr>,
    path: &'static str,
}

impl Audit {
    /// `None` for a call that changes nothing or does not exist.
    pub(super) fn of(caller: &str, request: &Request) -> Option<Audit> {
        let method = method(request.uri().path()).filter(|method| !method.no_side_effects)?;
        Some(Audit { caller: caller.to_owned(), address: peer(request), path: &method.path })
    }

    /// Writes the line, with the code of the response, or `CANCELLED` if the caller disconnected
    /// first.
    pub(super) fn record(&self, code: Code) {
        tracing::info!(
            target: AUDIT_TARGET,
            caller = self.caller,
            address = self.address.map(|address| address.to_string()),
            path = self.path,
            status = code as i32,
            "gRPC call"
        );
    }
}

/// The IP address of the connection's peer.
fn peer(request: &Request) -> Option<IpAddr> {
    let extensions = request.extensions();
    let tcp = extensions.get::<TcpConnectInfo>();
    let tls = || extensions.get::<TlsConnectInfo<TcpConnectInfo>>().map(TlsConnectInfo::get_ref);
    tcp.or_else(tls)?.remote_addr().map(|address| address.ip())
}
