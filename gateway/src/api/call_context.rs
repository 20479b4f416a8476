//! The context of a call: session, visitor id, caller address, and the cookies that its response sets.

use axum::body::Body;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, Response, header, request::Parts};
use sahm_chassis::{
    caller::Caller,
    error::{Error, ErrorCode},
};

use super::{options::SessionPolicy, router::Call};
use crate::{
    client_address::ClientAddress,
    session::{Login, Member, Sessions},
    visitor,
};

/// The cookie that stands for a visitor in counts (docs/sessions.md).
const VISITOR_COOKIE: &str = "vid";
const YEAR: u32 = 31_536_000;
/// The one who asks.
pub(super) struct CallContext {
    caller: Caller,
    login: Login,
    /// The visitor's cookie is new and must be set.
    is_new: bool,
}

impl CallContext {
    /// Resolves the caller's address and session, and the visitor's id where the policy counts visitors. A call that
    /// requires the session, or ends it, waits for identity's answer.
    pub(super) async fn of(
        parts: &Parts,
        session: SessionPolicy,
        counts_visitor: bool,
        sessions: &Sessions,
    ) -> Self {
        let login = match session {
            SessionPolicy::Optional => sessions.resolve(&parts.headers).await,
            SessionPolicy::Required | SessionPolicy::Ended => {
                sessions.resolve_for_call(&parts.headers).await
            }
        };
        let known = known_visitor(&parts.headers, sessions);
        let is_new = known.is_none() && login.member().is_none() && counts_visitor;
        let visitor = known.or_else(|| is_new.then(new_visitor));
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let address = parts.extensions.get::<ClientAddress>();
        let caller = Caller {
            address: address.map(|ClientAddress(address)| *address),
            visitor,
            user_agent: agent.map(str::to_owned),
            ..login.member().map(Member::caller).unwrap_or_default()
        };
        Self { caller, login, is_new }
    }

    /// Whether the answer to this call issues an id to a visitor.
    pub(super) fn is_new_visitor(&self) -> bool {
        self.is_new
    }

    /// Counts the visitor by address instead of by an id of their own.
    pub(super) fn count_by_address(&mut self, sessions: &Sessions) {
        self.is_new = false;
        self.caller.visitor =
            self.caller.address.and_then(|address| sessions.id_of_address(address));
    }

    /// As services are told.
    pub(super) fn caller(&self) -> Caller {
        self.caller.clone()
    }

    /// Why a call cannot be made: it needs a session and there is none, or it ends the session and
    /// identity did not say whether there is one.
    pub(super) fn refusal(&self, call: &Call) -> Option<Error> {
        let is_refused = match call.policy.session {
            SessionPolicy::Optional => false,
            SessionPolicy::Required => true,
            SessionPolicy::Ended => self.login == Login::Unanswered,
        };
        self.login.refusal().filter(|_| is_refused)
    }

    /// A service that finds nobody logged in does not know why; the cookie does.
    pub(super) fn explained(&self, error: Error) -> Error {
        match self.login.refusal() {
            Some(reason) if error.code() == ErrorCode::NotLoggedIn => reason,
            _ => error,
        }
    }

    /// Sets the cookies that a successful answer to a call brings.
    ///
    /// Errors: the token of a session that has begun is none.
    pub(super) fn set_cookies(
        &self,
        call: &Call,
        token: Option<&str>,
        sessions: &Sessions,
        response: &mut Response<Body>,
    ) -> Result<(), Error> {
        let mut cookies = Vec::new();
        if let Some(token) = token {
            let malformed = || Error::internal(format!("{}: no session token", call.template));
            cookies.push(sessions.begin(token).ok_or_else(malformed)?);
        }
        if call.policy.session == SessionPolicy::Ended {
            cookies.extend(sessions.end());
        }
        if let Some(visitor) = self.caller.visitor.as_deref().filter(|_| self.is_new) {
            cookies.extend(sessions.visitor_cookie(VISITOR_COOKIE, visitor, YEAR));
        }
        let headers = response.headers_mut();
        cookies.into_iter().for_each(|cookie: HeaderValue| {
            headers.append(header::SET_COOKIE, cookie);
        });
        Ok(())
    }
}

/// The visitor's id; one that this site did not issue counts as none.
fn known_visitor(headers: &HeaderMap, sessions: &Sessions) -> Option<String> {
    let cookie = visitor::cookie(headers, VISITOR_COOKIE)?;
    sessions.open_visitor_cookie(VISITOR_COOKIE, cookie).map(str::to_owned)
}

fn new_visitor() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}
