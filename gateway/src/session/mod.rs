//! Sessions (docs/sessions.md): the gateway verifies the cookie, identity verifies the session.

mod cookie;

use std::{net::IpAddr, sync::Arc, time::Duration};

use http::HeaderMap;
use sahm_chassis::{
    caller::Caller,
    error::{Error, ErrorCode},
    rpc::{self, Transport},
    session_keys,
    settings::{ServiceName, Settings},
};
use sahm_proto::{
    identity::v1::{CheckSessionRequest, UserInfo, session_service_client::SessionServiceClient},
    page::v1::Member as ShownMember,
};
use tokio::time::Instant;

use self::cookie::SignedCookies;
pub(crate) use self::cookie::is_session_cookie;
use crate::{client_address::network_of, services::Services, visitor};

/// Timeout of the session check of pages and of calls that need no member; after it, the member is treated as a
/// visitor.
const PAGE_CHECK_TIMEOUT: Duration = Duration::from_millis(150);

/// Part of a call's deadline that is reserved for the call after its session check.
const MIN_CALL_TIME: Duration = Duration::from_millis(250);

/// Whether a request may be a member's: it has a session cookie, valid or not.
pub(crate) fn may_be_member(headers: &HeaderMap) -> bool {
    visitor::cookies(headers).any(|(name, _)| is_session_cookie(name))
}

/// A member with a live session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) id: u64,
    pub(crate) session: String,
    /// The member as pages show it.
    pub(crate) shown: ShownMember,
}

impl Member {
    /// The caller of rpcs for this member.
    pub(crate) fn caller(&self) -> Caller {
        let session = Some(self.session.clone());
        Caller { member: Some(self.id), session, ..Caller::default() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Login {
    /// No cookie, or one that this site did not sign.
    None,
    Expired,
    /// Identity did not respond in time; the member is treated as a visitor.
    Unverified,
    Member(Member),
}

impl Login {
    pub(crate) fn member(&self) -> Option<&Member> {
        match self {
            Self::Member(member) => Some(member),
            _ => None,
        }
    }

    /// The error of a call that requires a member; `None` if there is one.
    pub(crate) fn rejection(&self) -> Option<Error> {
        match self {
            Self::Member(_) => None,
            Self::None => Some(Error::of(ErrorCode::NotLoggedIn)),
            Self::Expired => Some(Error::of(ErrorCode::SessionExpired)),
            // The session may be live: the member must not be asked to log in again.
            Self::Unverified => Some(Error::of(ErrorCode::Unavailable)),
        }
    }
}

/// Resolves sessions by their cookies. Clones share the client.
#[derive(Clone)]
pub(crate) struct Sessions {
    cookies: Arc<SignedCookies>,
    /// `None`: this site is built without identity.
    identity: Option<SessionServiceClient<Transport>>,
}

impl Sessions {
    /// # Errors
    /// In `dev`, the signing key can neither be read nor created.
    pub(crate) fn new(services: &Services, settings: &Settings) -> anyhow::Result<Self> {
        let cookies = SignedCookies::new(&session_keys(settings)?, settings.environment).into();
        let identity = services.transport(ServiceName::Identity).map(SessionServiceClient::new);
        Ok(Self { cookies, identity })
    }

    pub(crate) fn cookies(&self) -> &SignedCookies {
        &self.cookies
    }

    /// Resolves the session of a page request. A cookie with an invalid MAC costs no rpc.
    pub(crate) async fn resolve(&self, headers: &HeaderMap) -> Login {
        self.resolve_within(headers, PAGE_CHECK_TIMEOUT).await
    }

    /// Resolves the session of a call that requires it. Waits for identity until shortly before the call's deadline.
    pub(crate) async fn resolve_for_call(&self, headers: &HeaderMap) -> Login {
        let now = Instant::now();
        let left = rpc::deadline().map(|deadline| deadline.saturating_duration_since(now));
        let left = left.map(|left| left.saturating_sub(MIN_CALL_TIME));
        self.resolve_within(headers, left.unwrap_or(PAGE_CHECK_TIMEOUT)).await
    }

    async fn resolve_within(&self, headers: &HeaderMap, timeout: Duration) -> Login {
        let value = visitor::cookie(headers, self.cookies.name());
        let Some(token) = value.and_then(|value| self.cookies.session_token(value)) else {
            return Login::None;
        };
        match rpc::with_deadline(timeout, self.check(token)).await {
            Ok(Ok(member)) => member.map_or(Login::Expired, Login::Member),
            Ok(Err(error)) | Err(error) => match error.code() {
                ErrorCode::SessionExpired => Login::Expired,
                code => {
                    tracing::warn!(error = code.name(), "session not checked");
                    Login::Unverified
                }
            },
        }
    }

    /// The member of a session; `None` if it has ended or never existed.
    async fn check(&self, token: &str) -> Result<Option<Member>, Error> {
        let unavailable = || Error::unavailable("no identity service".to_owned());
        let mut identity = self.identity.clone().ok_or_else(unavailable)?;
        let request = CheckSessionRequest { token: token.to_owned() };
        let response =
            identity.check_session(request).await.map_err(|status| Error::from(&status))?;
        let session = response.into_inner();
        let shown = session.user_info.map(shown).unwrap_or_default();
        let (id, session) = (session.member, session.session);
        Ok((id > 0).then_some(Member { id, session, shown }))
    }

    /// The visitor id that all visitors of one network share. It does not reveal the address.
    pub(crate) fn id_of_address(&self, address: IpAddr) -> Option<String> {
        // The MAC covers this text: another format would change the id of every address.
        let network = match network_of(address) {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{:x?}", &address.segments()[..4]),
        };
        self.cookies.named_mac("address", &network)
    }
}

fn shown(info: UserInfo) -> ShownMember {
    ShownMember {
        opened: info.opened,
        opened_saudi: info.opened_saudi,
        hs_no: info.hs_no.unwrap_or_default(),
        mid: info.mid.unwrap_or_default(),
        // The layout adds them from the configuration.
        addresses: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use http::header;
    use prost::Message;
    use sahm_chassis::settings::Process;
    use sahm_proto::identity::v1::CheckSessionResponse;

    use super::*;
    use crate::services::slow::slow_service;

    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE";

    /// The login of a request whose cookie is valid, and whose session check has this response after this time.
    async fn login(response: &CheckSessionResponse, time: Duration) -> Login {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let settings = Settings::from_pairs(Process::Gateway, pairs).unwrap();
        let response = response.encode_to_vec();
        let identity = slow_service(time, move |_, _| response.clone());
        let services = Services::new([(ServiceName::Identity, identity)]);
        let sessions = Sessions::new(&services, &settings).unwrap();
        let cookie = sessions.cookies().begin_session(TOKEN).unwrap();
        sessions.resolve(&HeaderMap::from_iter([(header::COOKIE, cookie)])).await
    }

    #[tokio::test]
    async fn login_is_the_member_that_identity_returns() {
        struct Row {
            response: CheckSessionResponse,
            login: Login,
        }
        let live =
            CheckSessionResponse { member: 42, session: "s-1".to_owned(), ..Default::default() };
        let member = |shown| Login::Member(Member { id: 42, session: "s-1".to_owned(), shown });
        let opened = UserInfo {
            opened: true,
            opened_saudi: true,
            hs_no: Some("900042".to_owned()),
            mid: Some(42),
            ..UserInfo::default()
        };
        let shown = ShownMember {
            opened: true,
            opened_saudi: true,
            hs_no: "900042".to_owned(),
            mid: 42,
            ..ShownMember::default()
        };
        for Row { response, login: expected } in [
            Row {
                response: CheckSessionResponse { user_info: Some(opened), ..live.clone() },
                login: member(shown),
            },
            Row { response: live, login: member(ShownMember::default()) },
            Row { response: CheckSessionResponse::default(), login: Login::Expired },
        ] {
            assert_eq!(login(&response, Duration::ZERO).await, expected, "{response:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn member_is_a_visitor_if_identity_takes_longer_than_the_timeout() {
        let response = CheckSessionResponse { member: 42, ..Default::default() };
        let just_before = PAGE_CHECK_TIMEOUT - Duration::from_millis(1);
        assert!(matches!(login(&response, just_before).await, Login::Member(_)));
        let began = Instant::now();
        assert_eq!(login(&response, Duration::from_secs(60)).await, Login::Unverified);
        let took = began.elapsed();
        assert!((150..=152).contains(&took.as_millis()), "{took:?}");
    }
}
