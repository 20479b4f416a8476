//! Authorisation of changes over the admin address, and the audit line of each attempt
//! (docs/operations/access.md). A call changes something unless its method is safe (RFC 9110
//! §9.2.1).
use std::{
    net::SocketAddr,
    sync::{Arc, OnceLock},
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::admin_response;
use crate::{
    bearer::{self, UNAUTHENTICATED},
    settings::NamedToken,
    telemetry::AUDIT_TARGET,
};

/// Decides which callers may make changes.
pub(super) struct Access {
    pub(super) tokens: Vec<NamedToken>,
    pub(super) is_loopback: bool,
}

/// The reason for refusing a change.
enum Refusal {
    TokensNotSet,
    TokenRequired,
}

impl Access {
    /// The operator who makes a change. If no tokens are set, a loopback address accepts
    /// unauthenticated callers.
    fn operator(&self, headers: &HeaderMap) -> Result<&str, Refusal> {
        match self.tokens.as_slice() {
            [] if self.is_loopback => Ok(UNAUTHENTICATED),
            [] => Err(Refusal::TokensNotSet),
            tokens => bearer::holder(headers, tokens).ok_or(Refusal::TokenRequired),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = |why| json!({ "error": why });
        match self {
            Refusal::TokensNotSet => {
                let why =
                    "SAHM_ADMIN_TOKENS is not set: changes are accepted on a loopback address only";
                admin_response(StatusCode::FORBIDDEN, &error(why))
            }
            Refusal::TokenRequired => {
                let why = "a token of SAHM_ADMIN_TOKENS is required (Authorization: Bearer TOKEN)";
                let response = admin_response(StatusCode::UNAUTHORIZED, &error(why));
                ([(header::WWW_AUTHENTICATE, "Bearer")], response).into_response()
            }
        }
    }
}

/// Describes a change in its audit line. The handler sets it before making the change, without
/// secrets or input of visitors.
#[derive(Clone, Debug, Default)]
pub struct AuditDetails(Arc<OnceLock<String>>);

impl AuditDetails {
    /// Sets the details; only the first call has an effect.
    pub fn set(&self, details: String) {
        let _ = self.0.set(details);
    }
}

/// Writes the audit line when dropped, because a change stays even if the client disconnects.
struct AuditLine {
    operator: String,
    address: Option<SocketAddr>,
    method: String,
    path: String,
    details: AuditDetails,
    /// Status of the response; `None` if the client disconnected first.
    status: Option<StatusCode>,
}

impl Drop for AuditLine {
    fn drop(&mut self) {
        tracing::info!(
            target: AUDIT_TARGET,
            operator = self.operator,
            address = self.address.map(|address| address.ip().to_string()),
            method = self.method,
            path = self.path,
            details = self.details.0.get(),
            status = self.status.map(|status| status.as_u16()),
            "admin call"
        );
    }
}

/// Refuses changes by unauthorised callers, and writes one audit line for each attempt.
pub(super) async fn authorize(
    State(access): State<Arc<Access>>,
    mut request: Request,
    next: Next,
) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let operator = access.operator(request.headers());
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let mut line = AuditLine {
        operator: match &operator {
            Ok(name) => (*name).to_owned(),
            Err(_) => UNAUTHENTICATED.to_owned(),
        },
        address: peer.map(|ConnectInfo(address)| *address),
        method: request.method().to_string(),
        path: request.uri().path().to_owned(),
        details: AuditDetails::default(),
        status: None,
    };
    request.extensions_mut().insert(line.details.clone());
    let response = match operator {
        Ok(_) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    line.status = Some(response.status());
    response
}
