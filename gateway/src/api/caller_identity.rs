//! The caller's identity: session, visitor id and address, and the cookies that the response sets.

use axum::body::Body;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, Response, header, request::Parts};
use sahm_chassis::{
    caller::Caller,
    error::{Error, ErrorCode},
};

use super::{operation::Operation, policy::Policy};
use crate::{
    client_address::ClientAddress,
    session::{Login, Member, Sessions},
    visitor,
};

/// Name of the cookie with the visitor id (docs/sessions.md).
const VISITOR_COOKIE: &str = "vid";
const VISITOR_COOKIE_SECONDS: u32 = 365 * 24 * 3600;

pub(super) struct CallerIdentity {
    caller: Caller,
    login: Login,
    /// Whether the visitor id is new, so that the response must set it.
    pub(super) is_new_visitor: bool,
}

impl CallerIdentity {
    /// Resolves the caller's address and session, and the visitor id if the policy counts visitors. A call that
    /// requires or ends the session waits for identity.
    pub(super) async fn resolve(parts: &Parts, policy: &Policy, sessions: &Sessions) -> Self {
        let login = match policy.requires_session() || policy.ends_session() {
            true => sessions.resolve_for_call(&parts.headers).await,
            false => sessions.resolve(&parts.headers).await,
        };
        let known = known_visitor(&parts.headers, sessions);
        let is_new_visitor = known.is_none() && login.member().is_none() && policy.counts_visitor;
        let visitor = known.or_else(|| is_new_visitor.then(new_visitor));
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let address = parts.extensions.get::<ClientAddress>();
        let caller = Caller {
            address: address.map(|ClientAddress(address)| *address),
            visitor,
            user_agent: agent.map(str::to_owned),
            ..login.member().map(Member::caller).unwrap_or_default()
        };
        Self { caller, login, is_new_visitor }
    }

    /// Counts the visitor by address instead of a new id.
    pub(super) fn count_by_address(&mut self, sessions: &Sessions) {
        self.is_new_visitor = false;
        self.caller.visitor =
            self.caller.address.and_then(|address| sessions.id_of_address(address));
    }

    /// The caller for the metadata of calls to services.
    pub(super) fn caller(&self) -> Caller {
        self.caller.clone()
    }

    /// The error if an operation requires a session and there is none, or ends a session that could not be verified.
    pub(super) fn rejection(&self, policy: &Policy) -> Option<Error> {
        let is_rejected =
            policy.requires_session() || policy.ends_session() && self.login == Login::Unverified;
        self.login.rejection().filter(|_| is_rejected)
    }

    /// Replaces a service's "not logged in" with the more specific error of the session cookie.
    pub(super) fn explain(&self, error: Error) -> Error {
        match self.login.rejection() {
            Some(reason) if error.code() == ErrorCode::NotLoggedIn => reason,
            _ => error,
        }
    }

    /// Sets the cookies of a successful response: a session that begins or ends, a new visitor.
    ///
    /// # Errors
    /// The token of the new session is malformed.
    pub(super) fn set_cookies(
        &self,
        operation: &Operation,
        token: Option<&str>,
        sessions: &Sessions,
        response: &mut Response<Body>,
    ) -> Result<(), Error> {
        let (signed, mut cookies) = (sessions.cookies(), Vec::new());
        if let Some(token) = token {
            let malformed = || Error::internal(format!("{}: no session token", operation.template));
            cookies.push(signed.begin_session(token).ok_or_else(malformed)?);
        }
        if operation.policy.ends_session() {
            cookies.extend(signed.end_session());
        }
        if let Some(visitor) = self.caller.visitor.as_deref().filter(|_| self.is_new_visitor) {
            cookies.extend(signed.sign(VISITOR_COOKIE, visitor, VISITOR_COOKIE_SECONDS));
        }
        let headers = response.headers_mut();
        cookies.into_iter().for_each(|cookie: HeaderValue| {
            headers.append(header::SET_COOKIE, cookie);
        });
        Ok(())
    }
}

/// The visitor id in the cookie, if this site issued it.
fn known_visitor(headers: &HeaderMap, sessions: &Sessions) -> Option<String> {
    let cookie = visitor::cookie(headers, VISITOR_COOKIE)?;
    sessions.cookies().verify(VISITOR_COOKIE, cookie).map(str::to_owned)
}

fn new_visitor() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}
