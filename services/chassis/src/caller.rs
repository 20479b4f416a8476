//! The identity behind a call: the calling service, and the visitor or member on whose behalf it
//! calls (docs/calling-services.md).
//!
//! The gateway identifies the visitor or member and sets the caller with [`with`]; a
//! [`Transport`](crate::rpc::Transport) sends it as call metadata. The server trusts the metadata
//! in process, in `dev`, and from callers that hold the gateway's token, and exposes it as
//! [`current`].
use std::{future::Future, net::IpAddr, str::FromStr, sync::Arc};

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::{
    error::{Error, ErrorCode, Result},
    validate::is_member_id,
};

/// The member's id, decimal.
pub const MEMBER: HeaderName = HeaderName::from_static("sahm-member");
/// The opaque id of the member's live session; never the token in the cookie.
pub const SESSION: HeaderName = HeaderName::from_static("sahm-session");
/// The client's IP address.
pub const ADDRESS: HeaderName = HeaderName::from_static("sahm-caller-address");
/// The visitor id (cookie `vid`), by which likes and views are counted.
pub const VISITOR: HeaderName = HeaderName::from_static("sahm-visitor");
/// The browser's user agent.
pub const USER_AGENT: HeaderName = HeaderName::from_static("sahm-user-agent");
/// `off` while operators have turned sign-up off.
pub const SIGN_UP: HeaderName = HeaderName::from_static("sahm-sign-up");

const HEADERS: [HeaderName; 6] = [MEMBER, SESSION, ADDRESS, VISITOR, USER_AGENT, SIGN_UP];

const OFF: &str = "off";

/// Maximum length of a forwarded user agent in bytes; a longer one is truncated.
const USER_AGENT_BYTES: usize = 512;

/// The identity behind a call. Unknown and untrusted fields are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The internal caller whose token the call carries, for instance `gateway`.
    pub service: Option<String>,
    /// The client's IP address.
    pub address: Option<IpAddr>,
    /// The id of the logged-in member.
    pub member: Option<u64>,
    /// The opaque id of the member's live session, issued by the identity service.
    pub session: Option<String>,
    /// The visitor id (cookie `vid`), by which likes and views are counted. Members are counted by
    /// member id.
    pub visitor: Option<String>,
    /// The browser's user agent, truncated to 512 bytes.
    pub user_agent: Option<String>,
    /// Whether operators have turned sign-up off, so that no new members are created.
    pub is_sign_up_off: bool,
}

tokio::task_local! {
    pub(crate) static CALLER: Arc<Caller>;
}

impl Caller {
    /// The id of the logged-in member.
    ///
    /// # Errors
    /// `NotLoggedIn` if no member is logged in.
    pub fn require_member(&self) -> Result<u64> {
        self.member.ok_or_else(|| Error::of(ErrorCode::NotLoggedIn))
    }

    /// Parses the headers that [`Caller::write`] sets; malformed values count as absent.
    pub(crate) fn read(headers: &HeaderMap) -> Caller {
        Caller {
            service: None,
            address: parsed(headers, &ADDRESS),
            member: parsed(headers, &MEMBER).filter(|id| is_member_id(*id)),
            session: parsed(headers, &SESSION),
            visitor: parsed(headers, &VISITOR),
            user_agent: parsed(headers, &USER_AGENT),
            is_sign_up_off: headers.get(SIGN_UP).is_some_and(|value| value == OFF),
        }
    }

    /// Replaces the caller in the metadata of a call. Values that a header cannot contain are
    /// omitted.
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

/// The caller of the rpc that is being served, or of the surrounding `with`; empty outside both.
pub fn current() -> Caller {
    CALLER.try_with(|caller| Caller::clone(caller)).unwrap_or_default()
}

/// Runs the work on behalf of a caller, which calls made inside propagate.
pub async fn with<F: Future>(caller: Caller, work: F) -> F::Output {
    CALLER.scope(Arc::new(caller), work).await
}

/// Same as [`current`], as a shared pointer; `None` outside a call.
pub(crate) fn shared() -> Option<Arc<Caller>> {
    CALLER.try_with(Arc::clone).ok()
}

/// Same as [`with`], for one poll.
pub(crate) fn sync_scope<T>(caller: Arc<Caller>, work: impl FnOnce() -> T) -> T {
    CALLER.sync_scope(caller, work)
}

/// Removes all caller headers from untrusted metadata.
pub(crate) fn strip(headers: &mut HeaderMap) {
    for name in &HEADERS {
        headers.remove(name);
    }
}

fn parsed<T: FromStr>(headers: &HeaderMap, name: &HeaderName) -> Option<T> {
    let text = headers.get(name)?.to_str().ok()?;
    if text.is_empty() { None } else { text.parse().ok() }
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
