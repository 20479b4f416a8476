//! The audit line of a call by which a caller other than the gateway writes
//! (docs/operations/access.md#audit). An rpc writes unless its proto marks it `NO_SIDE_EFFECTS`.
use std::net::IpAddr;

use axum::extract::Request;
use tonic::{
    Code,
    transport::server::{TcpConnectInfo, TlsConnectInfo},
};

use crate::{methods::method, telemetry::AUDIT_TARGET};

/// What the audit line says of a call before its outcome is known.
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

    /// Writes the line. The code is that of the response, `CANCELLED` if the caller went away before it.
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

/// The address of the connection.
fn peer(request: &Request) -> Option<IpAddr> {
    let extensions = request.extensions();
    let tcp = extensions.get::<TcpConnectInfo>();
    let tls = || extensions.get::<TlsConnectInfo<TcpConnectInfo>>().map(TlsConnectInfo::get_ref);
    tcp.or_else(tls)?.remote_addr().map(|address| address.ip())
}
