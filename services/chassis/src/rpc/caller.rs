//! Who may write: outside dev, calls that write and every call of identity need the token of an
//! internal caller, as `authorization: Bearer …` (contract §9). In process nobody is asked.
use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use tonic::{Status, service::Routes};

use super::methods::method;
use crate::settings::{Process, Secret, ServiceName, Settings};

struct Checked {
    service: ServiceName,
    tokens: Vec<Secret<String>>,
}

/// Puts the check around calls that come over the network.
pub(super) fn checked(service: ServiceName, routes: Routes, settings: &Settings) -> Routes {
    if settings.environment.is_dev() {
        return routes;
    }
    let tokens = settings.caller_tokens.iter().map(|caller| caller.token.clone()).collect();
    let state = Arc::new(Checked { service, tokens });
    routes.into_axum_router().layer(from_fn_with_state(state, check)).into()
}

async fn check(State(state): State<Arc<Checked>>, request: Request, next: Next) -> Response {
    if !needs_token(state.service, request.uri().path())
        || holds_token(request.headers(), &state.tokens)
    {
        return next.run(request).await;
    }
    Status::unauthenticated("a caller token is needed").into_http()
}

fn needs_token(service: ServiceName, path: &str) -> bool {
    match method(path) {
        Some(method) => service == ServiceName::Identity || !method.no_side_effects,
        // Health and reflection are open; a call that does not exist tells nothing.
        None => false,
    }
}

fn holds_token(headers: &HeaderMap, tokens: &[Secret<String>]) -> bool {
    let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(given) = given.and_then(|value| value.strip_prefix("Bearer ")) else { return false };
    // Every token is looked at whole, so that the time taken tells nothing about any.
    tokens.iter().fold(false, |held, token| held | same(token.expose(), given))
}

fn same(ours: &str, theirs: &str) -> bool {
    let differing = ours.bytes().zip(theirs.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    ours.len() == theirs.len() && differing == 0
}

/// What this process proves itself with when it calls.
pub(super) fn own_token(settings: &Settings) -> Option<HeaderValue> {
    let name = match settings.process {
        Process::Site | Process::Gateway => "gateway",
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
            (ServiceName::Content, "/sahm.changes.v1.ChangeLogService/PurgeTags", true),
            (ServiceName::Content, "/sahm.changes.v1.ChangeLogService/WatchChanges", false),
            (ServiceName::Identity, "/sahm.changes.v1.ChangeLogService/WatchChanges", true),
            (ServiceName::Identity, "/grpc.health.v1.Health/Check", false),
        ];
        for (service, path, needed) in cases {
            assert_eq!(needs_token(service, path), needed, "{path}");
        }
    }

    #[test]
    fn only_a_whole_token_is_held() {
        let tokens = ["a-token-of-16-chars", "another-token-of-16"];
        let tokens = tokens.map(|token| Secret::new(token.to_owned()));
        let cases = [
            ("Bearer a-token-of-16-chars", true),
            ("Bearer another-token-of-16", true),
            ("Bearer a-token-of-16-char", false),
            ("Bearer a-token-of-16-charsx", false),
            ("Bearer ", false),
            ("a-token-of-16-chars", false),
        ];
        for (value, held) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, HeaderValue::from_static(value));
            assert_eq!(holds_token(&headers, &tokens), held, "{value}");
        }
        assert!(!holds_token(&HeaderMap::new(), &tokens));
    }
}
