//! Who is logged in (docs/sessions.md): the cookie is judged here, the session by identity.

mod cookie;

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::{HeaderMap, HeaderValue};
use prost_reflect::{DescriptorPool, DynamicMessage, Value};
use sahm_chassis::{
    caller::Caller,
    error::{Error, ErrorCode},
    rpc, session_keys,
    settings::Settings,
};
use tokio::time::Instant;

use self::cookie::Cookies;
pub(crate) use self::cookie::is_session_cookie;
use crate::{
    dynamic::{Rpc, number, text},
    services::Services,
    visitor,
};

/// How long a page waits for identity to say whether a session lives; after that the member is a
/// visitor to it. Calls that can be answered without the member wait as long.
const PAGE_CHECK_TIMEOUT: Duration = Duration::from_millis(150);

/// Part of a call's time that its session check leaves for the call and its answer.
const TIME_LEFT_FOR_CALL: Duration = Duration::from_millis(250);

const SERVICE: &str = "sahm.identity.v1.SessionService";
const CHECK: &str = "CheckSession";

/// A member with a live session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    /// The member's id.
    pub(crate) id: u64,
    /// The opaque id of the session.
    pub(crate) session: String,
    /// What its pages show of it.
    pub(crate) shown: sahm_proto::page::v1::Member,
}

impl Member {
    /// As services are told.
    pub(crate) fn caller(&self) -> Caller {
        let session = Some(self.session.clone());
        Caller { member: Some(self.id), session, ..Caller::default() }
    }
}

/// What a request's session cookie means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Login {
    /// No cookie, or none of ours.
    None,
    /// A genuine one whose session has ended.
    Expired,
    /// A genuine one, and identity did not answer in time: a visitor until it does.
    Unanswered,
    /// A live session.
    Member(Member),
}

impl Login {
    /// The member, where the session lives.
    pub(crate) fn member(&self) -> Option<&Member> {
        match self {
            Self::Member(member) => Some(member),
            _ => None,
        }
    }

    /// As [`Login::member`], taken out.
    pub(crate) fn into_member(self) -> Option<Member> {
        match self {
            Self::Member(member) => Some(member),
            _ => None,
        }
    }

    /// Why a call that needs a member cannot be made; `None` where there is one.
    pub(crate) fn refusal(&self) -> Option<Error> {
        match self {
            Self::Member(_) => None,
            Self::None => Some(Error::of(ErrorCode::NotLoggedIn)),
            Self::Expired => Some(Error::of(ErrorCode::SessionExpired)),
            // To ask for a new login would send away a member whose session may well live.
            Self::Unanswered => Some(Error::of(ErrorCode::Unavailable)),
        }
    }
}

/// Judges sessions. Clones share it.
#[derive(Clone)]
pub(crate) struct Sessions(Arc<Inner>);

struct Inner {
    cookies: Cookies,
    check: Option<Rpc>,
    services: Services,
}

impl Sessions {
    /// Sessions under the keys of the settings.
    ///
    /// Errors: in `dev`, when the key can neither be read nor made.
    pub(crate) fn new(
        pool: &DescriptorPool,
        services: &Services,
        settings: &Settings,
    ) -> anyhow::Result<Self> {
        let cookies = Cookies::new(&session_keys(settings)?, settings.environment);
        let check = Rpc::find(pool, SERVICE, CHECK);
        Ok(Self(Arc::new(Inner { cookies, check, services: services.clone() })))
    }

    /// The name of the session cookie.
    pub(crate) fn cookie_name(&self) -> &'static str {
        self.0.cookies.name()
    }

    /// What a request's cookie means to a page. A forged one costs no call.
    pub(crate) async fn resolve(&self, headers: &HeaderMap) -> Login {
        self.resolve_within(headers, PAGE_CHECK_TIMEOUT).await
    }

    /// As [`Sessions::resolve`], for a call that cannot be answered without knowing it: it waits
    /// for identity until the deadline around it comes near.
    pub(crate) async fn resolve_for_call(&self, headers: &HeaderMap) -> Login {
        let now = Instant::now();
        let left = rpc::deadline().map(|deadline| deadline.saturating_duration_since(now));
        let left = left.map(|left| left.saturating_sub(TIME_LEFT_FOR_CALL));
        self.resolve_within(headers, left.unwrap_or(PAGE_CHECK_TIMEOUT)).await
    }

    async fn resolve_within(&self, headers: &HeaderMap, timeout: Duration) -> Login {
        let cookies = &self.0.cookies;
        let value = visitor::cookie(headers, cookies.name());
        let Some(token) = value.and_then(|value| cookies.open(value)) else { return Login::None };
        match rpc::with_deadline(timeout, self.check(token)).await {
            Ok(Ok(member)) => member.map_or(Login::Expired, Login::Member),
            Ok(Err(error)) | Err(error) => match error.code() {
                ErrorCode::SessionExpired => Login::Expired,
                code => {
                    tracing::warn!(error = code.name(), "session not checked");
                    Login::Unanswered
                }
            },
        }
    }

    /// The member of a session; `None` when it has ended or never was.
    async fn check(&self, token: &str) -> Result<Option<Member>, Error> {
        let Some(check) = &self.0.check else {
            return Err(Error::unavailable(format!("no rpc {SERVICE}/{CHECK}")));
        };
        let mut request = DynamicMessage::new(check.input());
        let token = Value::String(token.to_owned());
        request.try_set_field_by_name("token", token).map_err(Error::internal)?;
        let answer = check.unary(&self.0.services, request).await?;
        let shown = answer
            .get_field_by_name("user_info")
            .and_then(|info| info.as_message().map(shown))
            .unwrap_or_default();
        let (id, session) = (number(&answer, "member"), text(&answer, "session"));
        Ok((id > 0).then_some(Member { id, session, shown }))
    }

    /// `Set-Cookie` of a session that has begun; `None` when the token is none.
    pub(crate) fn begin(&self, token: &str) -> Option<HeaderValue> {
        self.0.cookies.set(token)
    }

    /// `Set-Cookie` of another cookie that scripts do not see, signed, for `age` seconds.
    pub(crate) fn visitor_cookie(&self, name: &str, value: &str, age: u32) -> Option<HeaderValue> {
        self.0.cookies.other(name, value, age)
    }

    /// The value of a cookie that [`Sessions::visitor_cookie`] set.
    pub(crate) fn open_visitor_cookie<'a>(&self, name: &str, text: &'a str) -> Option<&'a str> {
        self.0.cookies.open_other(name, text)
    }

    /// What stands for all visitors of an address, or of a network of IPv6, in counts. The address
    /// cannot be read from it.
    pub(crate) fn id_of_address(&self, address: IpAddr) -> Option<String> {
        let network = match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{:x?}", &address.segments()[..4]),
        };
        self.0.cookies.mac_of("address", &network)
    }

    /// `Set-Cookie` of a session that has ended.
    pub(crate) fn end(&self) -> Option<HeaderValue> {
        self.0.cookies.clear()
    }
}

fn shown(info: &DynamicMessage) -> sahm_proto::page::v1::Member {
    let flag = |name| info.get_field_by_name(name).and_then(|v| v.as_bool()).unwrap_or_default();
    sahm_proto::page::v1::Member {
        opened: flag("opened"),
        opened_saudi: flag("opened_saudi"),
        hs_no: text(info, "hs_no"),
        mid: number(info, "mid"),
        // Config's, not identity's: the page's frame adds them.
        addresses: Vec::new(),
    }
}
