//! Authorises calls and decides which caller metadata is trusted (docs/calling-services.md). Over
//! the network and outside dev, writes, calls about drafts and every call of identity need the
//! token of an internal caller, as `authorization: Bearer …`. Metadata about members is trusted
//! only with the gateway's token, so only the gateway may call rpcs that act for a member. Scopes
//! limit which of the calls that need a token a caller may make. Calls in process are not checked.
use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use http::HeaderValue;
use tonic::{Status, service::Routes};

use super::audit::Audit;
use crate::{
    bearer::{self, UNAUTHENTICATED},
    caller::{self, Caller},
    error::{Error, ErrorCode, Result},
    methods::method,
    settings::{CallerScopes, GATEWAY, NamedToken, Process, ServiceName, Settings},
};

/// Its rpcs change nothing, but return unpublished content.
const DRAFTS: &str = "/sahm.content.v1.DraftService/";

struct CallerAuthorization {
    service: ServiceName,
    in_dev: bool,
    callers: Vec<NamedToken>,
    scopes: CallerScopes,
}

/// The internal caller whose token the request carries.
#[derive(Clone)]
struct AuthenticatedCaller(String);

/// The caller of a request; [`authorized`] has already verified requests over the network.
pub(super) fn from_request(request: &Request) -> Caller {
    let caller = request.extensions().get::<AuthenticatedCaller>();
    Caller { service: caller.map(|caller| caller.0.clone()), ..Caller::read(request.headers()) }
}

/// Adds the check to routes that are served over the network.
pub(super) fn authorized(service: ServiceName, routes: Routes, settings: &Settings) -> Routes {
    let state = Arc::new(CallerAuthorization {
        service,
        in_dev: settings.environment.is_dev(),
        callers: settings.caller_tokens.clone(),
        scopes: settings.caller_scopes.clone(),
    });
    routes.into_axum_router().layer(from_fn_with_state(state, check)).into()
}

async fn check(
    State(state): State<Arc<CallerAuthorization>>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = bearer::holder(request.headers(), &state.callers);
    let audit = state.audit(caller, &request);
    if let Err(error) = state.permit(caller, request.uri().path()) {
        let status = Status::from(error);
        if let Some(audit) = audit {
            audit.record(status.code());
        }
        return status.into_http();
    }
    if !state.in_dev && caller != Some(GATEWAY) {
        caller::strip(request.headers_mut());
    }
    if let Some(name) = caller.map(str::to_owned) {
        request.extensions_mut().insert(AuthenticatedCaller(name));
    }
    if let Some(audit) = audit {
        request.extensions_mut().insert(audit);
    }
    next.run(request).await
}

impl CallerAuthorization {
    /// # Errors
    /// The caller may not make this call.
    fn permit(&self, caller: Option<&str>, path: &str) -> Result<()> {
        if self.in_dev {
            return Ok(());
        }
        if needs_token(self.service, path) {
            let caller = caller.ok_or_else(|| Error::of(ErrorCode::CallerTokenRequired))?;
            if !self.scopes.permit(caller, path) {
                return Err(out_of_scope(caller, path));
            }
        }
        let needs_member = method(path).is_some_and(|method| method.needs_member);
        if needs_member && caller != Some(GATEWAY) {
            return Err(Error::of(ErrorCode::GatewayOnly));
        }
        Ok(())
    }

    /// The audit line of a call; `None` for calls of the gateway, which it makes for visitors and
    /// members, and for calls without a token in dev.
    fn audit(&self, caller: Option<&str>, request: &Request) -> Option<Audit> {
        match caller {
            Some(GATEWAY) => None,
            None if self.in_dev => None,
            caller => Audit::of(caller.unwrap_or(UNAUTHENTICATED), request),
        }
    }
}

fn out_of_scope(caller: &str, path: &str) -> Error {
    let method = path.trim_start_matches('/');
    tracing::warn!(caller, method, "SAHM_CALLER_SCOPES does not permit the call");
    Error::new(ErrorCode::Forbidden, format!("the scopes of {caller} do not include {method}"))
}

fn needs_token(service: ServiceName, path: &str) -> bool {
    match method(path) {
        Some(method) => {
            service == ServiceName::Identity || !method.no_side_effects || path.starts_with(DRAFTS)
        }
        // Health and reflection are open; an unknown rpc reveals nothing.
        None => false,
    }
}

/// The `authorization` header of this process's outgoing calls.
pub(super) fn own_token(settings: &Settings) -> Option<HeaderValue> {
    let name = match settings.process {
        Process::Site | Process::Gateway => GATEWAY,
        Process::Service(service) => service.as_str(),
    };
    let token = settings.caller_token(name)?;
    let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose())).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_calls_need_a_token() {
        let cases = [
            (ServiceName::Content, "/sahm.content.v1.NewsService/GetArticle", false),
            (ServiceName::Content, "/sahm.content.v1.NewsService/WithdrawArticles", true),
            (ServiceName::Content, "/sahm.content.v1.DraftService/GetDraft", true),
            (ServiceName::Content, "/sahm.changes.v1.ChangeLogService/PurgeTags", true),
            (ServiceName::Content, "/sahm.changes.v1.ChangeLogService/WatchChanges", false),
            (ServiceName::Identity, "/sahm.changes.v1.ChangeLogService/WatchChanges", true),
            (ServiceName::Identity, "/grpc.health.v1.Health/Check", false),
        ];
        for (service, path, needed) in cases {
            assert_eq!(needs_token(service, path), needed, "{path}");
        }
    }
}
