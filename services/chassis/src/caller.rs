//! Who is behind a call: the service that calls, and whom it calls for (docs/calling-services.md).
//!
//! The gateway learns who asks and says so with [`with`]; a [`Transport`](crate::rpc::Transport)
//! writes it into the call's metadata; the serving side believes the metadata in process, in
//! `dev`, and from callers that hold the gateway's token, and gives it as [`current`].
use std::{future::Future, net::IpAddr, str::FromStr, sync::Arc};

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::error::{Error, ErrorCode, Result};

/// The member's id, decimal.
pub const MEMBER: HeaderName = HeaderName::from_static("sahm-member");
/// The opaque id of the member's live session; never the token in the cookie.
pub const SESSION: HeaderName = HeaderName::from_static("sahm-session");
/// The address of the one who asks.
pub const ADDRESS: HeaderName = HeaderName::from_static("sahm-caller-address");
/// What stands for a visitor in counts: the cookie `vid`.
pub const VISITOR: HeaderName = HeaderName::from_static("sahm-visitor");
/// The browser's user agent.
pub const USER_AGENT: HeaderName = HeaderName::from_static("sahm-user-agent");
/// `off` while operators have turned signing up off.
pub const SIGN_UP: HeaderName = HeaderName::from_static("sahm-sign-up");

const HEADERS: [HeaderName; 6] = [MEMBER, SESSION, ADDRESS, VISITOR, USER_AGENT, SIGN_UP];

const OFF: &str = "off";

/// How much of a user agent is handed on, in bytes.
const USER_AGENT_BYTES: usize = 512;

/// Who is behind a call. Everything is `None` where it is not known or not believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The internal caller whose token came with the call, for instance `gateway`.
    pub service: Option<String>,
    /// The address of the one who asks.
    pub address: Option<IpAddr>,
    /// The member who asks.
    pub member: Option<u64>,
    /// The opaque id of the member's live session, as identity gave it.
    pub session: Option<String>,
    /// What stands for a visitor in counts: the cookie `vid`. Members are counted by member.
    pub visitor: Option<String>,
    /// The browser's user agent, cut to 512 bytes.
    pub user_agent: Option<String>,
    /// Operators have turned signing up off: whoever is no member yet does not become one.
    pub is_sign_up_off: bool,
}

tokio::task_local! {
    pub(crate) static CALLER: Arc<Caller>;
}

impl Caller {
    /// The member who is logged in.
    ///
    /// # Errors
    /// `NotLoggedIn`: nobody is.
    pub fn require_member(&self) -> Result<u64> {
        self.member.ok_or_else(|| Error::of(ErrorCode::NotLoggedIn))
    }

    /// Reads what [`Caller::write`] wrote; what is malformed counts as absent.
    pub(crate) fn read(headers: &HeaderMap) -> Caller {
        Caller {
            service: None,
            address: parsed(headers, &ADDRESS),
            member: parsed(headers, &MEMBER).filter(is_member_id),
            session: parsed(headers, &SESSION),
            visitor: parsed(headers, &VISITOR),
            user_agent: parsed(headers, &USER_AGENT),
            is_sign_up_off: headers.get(SIGN_UP).is_some_and(|value| value == OFF),
        }
    }

    /// Puts this caller into the metadata of a call, in place of whatever stands there. What a
    /// header cannot hold is left out.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        strip(headers);
        let agent = self.user_agent.as_deref();
        let values = [
            (MEMBER, self.member.map(|member| member.to_string())),
            (SESSION, self.session.clone()),
            (ADDRESS, self.address.map(|address| address.to_string())),
            (VISITOR, self.visitor.clone()),
            (USER_AGENT, agent.map(|agent| shortened(agent).to_owned())),
            (SIGN_UP, self.is_sign_up_off.then(|| OFF.to_owned())),
        ];
        for (name, value) in values {
            if let Some(mut value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
    }
}

/// The caller of the call that is being served, or of the work around; empty outside of any.
pub fn current() -> Caller {
    CALLER.try_with(|caller| Caller::clone(caller)).unwrap_or_default()
}

/// Does the work on behalf of a caller: calls made inside hand it on.
pub async fn with<F: Future>(caller: Caller, work: F) -> F::Output {
    CALLER.scope(Arc::new(caller), work).await
}

/// As [`current`], shared.
pub(crate) fn shared() -> Option<Arc<Caller>> {
    CALLER.try_with(Arc::clone).ok()
}

/// As [`with`], for one poll.
pub(crate) fn sync_scope<T>(caller: Arc<Caller>, work: impl FnOnce() -> T) -> T {
    CALLER.sync_scope(caller, work)
}

/// Takes every word about callers out of metadata that is not believed.
pub(crate) fn strip(headers: &mut HeaderMap) {
    for name in &HEADERS {
        headers.remove(name);
    }
}

fn parsed<T: FromStr>(headers: &HeaderMap, name: &HeaderName) -> Option<T> {
    let text = headers.get(name)?.to_str().ok()?;
    if text.is_empty() { None } else { text.parse().ok() }
}

/// Stores hold ids as signed 64-bit numbers, from 1.
fn is_member_id(id: &u64) -> bool {
    (1..=i64::MAX.unsigned_abs()).contains(id)
}

fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(USER_AGENT_BYTES)]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn member() -> Caller {
        Caller {
            service: None,
            address: Some("2001:db8::7".parse().unwrap()),
            member: Some(42),
            session: Some("s-1".to_owned()),
            visitor: Some("v_2".to_owned()),
            user_agent: Some("Mozilla/5.0 (X11)".to_owned()),
            is_sign_up_off: true,
        }
    }

    #[test]
    fn caller_round_trips_through_metadata_and_replaces_existing_values() {
        let mut headers = HeaderMap::new();
        headers.insert(MEMBER, HeaderValue::from_static("7"));
        member().write(&mut headers);
        assert_eq!(Caller::read(&headers), member());
        Caller::default().write(&mut headers);
        assert!(headers.is_empty());
    }

    #[test]
    fn malformed_metadata_is_ignored() {
        for (name, value) in [
            (MEMBER, "x"),
            (MEMBER, "0"),
            (MEMBER, "-1"),
            (MEMBER, "9223372036854775808"),
            (ADDRESS, "host"),
            (SESSION, ""),
        ] {
            let headers = HeaderMap::from_iter([(name.clone(), HeaderValue::from_static(value))]);
            assert_eq!(Caller::read(&headers), Caller::default(), "{name}: {value}");
        }
        let mut headers = HeaderMap::new();
        let agent = format!("{}\u{633}", "a".repeat(511));
        Caller { user_agent: Some(agent), ..Caller::default() }.write(&mut headers);
        assert_eq!(Caller::read(&headers).user_agent.unwrap().len(), 511);
        Caller { session: Some("a\nb".to_owned()), ..Caller::default() }.write(&mut headers);
        assert!(headers.is_empty());
    }

    #[tokio::test]
    async fn current_caller_exists_only_inside_its_scope() {
        assert_eq!(current(), Caller::default());
        assert_eq!(current().require_member().unwrap_err().code(), ErrorCode::NotLoggedIn);
        let inside = with(member(), async { current().require_member().unwrap() }).await;
        assert_eq!(inside, 42);
        assert_eq!(current(), Caller::default());
    }
}
