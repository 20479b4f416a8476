//! `sahm.identity.v1.PassportService`.

use sahm_chassis::{Error, ErrorCode, caller, clock::Clock};
use sahm_proto::{
    Locale,
    identity::v1::{self as proto, passport_service_server::PassportService},
};
use tonic::{Request, Response};

use super::{RpcResult, convert};
use crate::{
    domain::{
        AUTH_CODE_ACTION, Account, AuthCode, Budget, CodeHasher, MIN_SCORE, Password,
        PasswordProof, Phone, RESEND_DELAY_SECONDS, Scene, SessionToken, both_valid,
        parse_invite_code, random_name, validate_action,
    },
    passwords::Passwords,
    providers::{Providers, TextMessage},
    store::{CodeLogin, CodeLoginAttempt, IdentityStore, NewCode, NewSession, StoredAccount},
};

/// Codes are uniformly distributed below this number.
const NUMBER_OF_CODES: u32 = 1_000_000;

pub(crate) struct PassportRpc {
    pub(crate) store: IdentityStore,
    pub(crate) clock: Clock,
    pub(crate) hasher: CodeHasher,
    pub(crate) passwords: Passwords,
    pub(crate) providers: Providers,
}

#[tonic::async_trait]
impl PassportService for PassportRpc {
    async fn assess_recaptcha(
        &self,
        request: Request<proto::AssessRecaptchaRequest>,
    ) -> RpcResult<proto::AssessRecaptchaResponse> {
        let request = request.into_inner();
        validate_action(&request.action)?;
        let address = caller::current().address;
        let recaptcha = &self.providers.recaptcha;
        let score = recaptcha.assess(&request.action, &request.token, address).await?;
        let score = score.ok_or_else(|| Error::rejected("recaptchaToken", "is not valid"))?;
        Ok(Response::new(proto::AssessRecaptchaResponse { score }))
    }

    async fn check_recaptcha(
        &self,
        request: Request<proto::CheckRecaptchaRequest>,
    ) -> RpcResult<proto::CheckRecaptchaResponse> {
        let request = request.into_inner();
        let phone = Phone::parse(&request.tel_code, &request.phone)?;
        let budgets = Budget::of_code(&phone, caller::current().address);
        let needed = self.store.looks_suspect(&budgets, self.clock.now()).await?;
        Ok(Response::new(proto::CheckRecaptchaResponse { needed }))
    }

    async fn send_auth_code(
        &self,
        request: Request<proto::SendAuthCodeRequest>,
    ) -> RpcResult<proto::SendAuthCodeResponse> {
        let request = request.into_inner();
        let phone = Phone::parse(&request.tel_code, &request.phone);
        let (phone, scene) = both_valid(phone, Scene::parse(request.scene))?;
        let (address, now) = (caller::current().address, self.clock.now());
        let budgets = Budget::of_code(&phone, address);
        if self.store.is_suspect(&budgets, now).await? {
            let (recaptcha, token) = (&self.providers.recaptcha, &request.recaptcha_token);
            let score = recaptcha.assess(AUTH_CODE_ACTION, token, address).await?;
            if score.is_none_or(|score| score < MIN_SCORE) {
                return Err(Error::rejected(
                    "recaptcha_token",
                    "is required and was not good enough",
                )
                .into());
            }
        }
        let code = AuthCode::of(rand::random_range(0..NUMBER_OF_CODES));
        let nonce = random_name();
        let hash = self.hasher.hash(&phone, scene, &nonce, &code)?;
        let new = NewCode { phone: &phone, scene, nonce: &nonce, hash: &hash };
        self.store.put_code(new, &budgets, now).await?;
        let in_arabic = Locale::parse_or_english(&request.locale) == Locale::ArSa;
        let message = TextMessage { phone: &phone, scene, code: &code, in_arabic, now };
        self.providers.sms.send(message).await?;
        tracing::info!(
            tel_code = phone.tel_code(),
            phone = phone.masked(),
            scene = scene.number(),
            "code sent"
        );
        Ok(Response::new(proto::SendAuthCodeResponse {
            sent: true,
            retry_after: RESEND_DELAY_SECONDS,
        }))
    }

    async fn use_auth_code(
        &self,
        request: Request<proto::UseAuthCodeRequest>,
    ) -> RpcResult<proto::UseAuthCodeResponse> {
        let request = request.into_inner();
        let phone = Phone::parse(&request.tel_code, &request.phone);
        let scene_and_code =
            both_valid(Scene::parse(request.scene), AuthCode::parse(&request.code));
        let (phone, (scene, code)) = both_valid(phone, scene_and_code)?;
        let now = self.clock.now();
        self.store.consume(&Budget::of_code_login(&phone, caller::current().address), now).await?;
        match self.store.use_code(&self.hasher, &phone, scene, &code, now).await? {
            true => Ok(Response::new(proto::UseAuthCodeResponse { valid: true })),
            false => Err(PasswordProof::wrong_code().into()),
        }
    }

    async fn login_by_sms(
        &self,
        request: Request<proto::LoginBySmsRequest>,
    ) -> RpcResult<proto::LoginBySmsResponse> {
        let request = request.into_inner();
        let phone = Phone::parse(&request.tel_code, &request.phone);
        let phone_and_code = both_valid(phone, AuthCode::parse(&request.code));
        let agreement = request.agreement.then_some(()).ok_or_else(|| {
            let why = "the Services Agreement & Privacy Policy must be agreed to";
            Error::field("agreement", why)
        });
        let rest = both_valid(agreement, parse_invite_code(&request.invite_code));
        let ((phone, code), ((), invite_code)) = both_valid(phone_and_code, rest)?;
        let now = self.clock.now();
        let caller = caller::current();
        let budgets = Budget::of_code_login(&phone, caller.address);
        self.store.consume(&budgets, now).await?;
        let (name, token) = (random_name(), SessionToken::random());
        let attempt = CodeLoginAttempt {
            phone: &phone,
            code: &code,
            invite_code: &invite_code,
            is_turned_off: caller.is_sign_up_off,
            session: NewSession { id: &name, token: &token },
        };
        let login = self.store.log_in_by_code(&self.hasher, attempt, now).await?;
        let CodeLogin { member, signed_up } = login.ok_or_else(PasswordProof::wrong_code)?;
        tracing::info!(member = member.id, phone = phone.masked(), signed_up, "logged in by code");
        Ok(Response::new(proto::LoginBySmsResponse {
            user_info: Some(convert::user_info(&member)),
            session_token: token.into_text(),
            signed_up: Some(signed_up),
        }))
    }

    async fn login_by_password(
        &self,
        request: Request<proto::LoginByPasswordRequest>,
    ) -> RpcResult<proto::LoginByPasswordResponse> {
        let request = request.into_inner();
        let account = Account::parse(&request.account, &request.tel_code);
        let password = Password::tried("password", &request.password);
        let (account, password) = both_valid(account, password)?;
        let now = self.clock.now();
        // The work is the same for an unknown member.
        let (member, hash) = match self.store.account(&account).await? {
            Some(found) => (Some(found.member), found.password),
            None => (None, None),
        };
        // A member's number and email are one account, so that attempts by either are counted
        // together.
        let key = member.as_ref().map_or_else(|| account.key(), |member| member.phone.e164());
        let budgets = Budget::of_password_login(&key, caller::current().address);
        self.store.consume(&budgets, now).await?;
        let wrong = || Error::rejected("password", "account or password is wrong");
        let fits = self.passwords.verify(password, hash.clone()).await?;
        let member = member.filter(|_| fits).ok_or_else(wrong)?;
        let (name, token) = (random_name(), SessionToken::random());
        let session = NewSession { id: &name, token: &token };
        if !self.store.begin_session(session, member.id, hash.as_ref(), now).await? {
            return Err(wrong().into());
        }
        tracing::info!(member = member.id, "logged in by password");
        Ok(Response::new(proto::LoginByPasswordResponse {
            user_info: Some(convert::user_info(&member)),
            session_token: token.into_text(),
        }))
    }

    async fn set_password(
        &self,
        request: Request<proto::SetPasswordRequest>,
    ) -> RpcResult<proto::SetPasswordResponse> {
        let request = request.into_inner();
        let caller = caller::current();
        let stored = self.store.account_of(caller.require_member()?).await?;
        let stored = stored.ok_or_else(|| Error::of(ErrorCode::SessionExpired))?;
        let StoredAccount { member, password: replaced } = stored;
        let password = Password::to_set(&request.password);
        let mut proof = PasswordProof::parse(&request.old_password, &request.code);
        if let Ok(PasswordProof::None) = proof {
            let session = caller.session.as_deref().unwrap_or_default();
            let is_first =
                replaced.is_none() && self.store.is_sign_up_session(session, &member).await?;
            if !is_first {
                proof = Err(PasswordProof::missing());
            }
        }
        let (password, proof) = both_valid(password, proof)?;

        let now = self.clock.now();
        let mut budgets = vec![Budget::of_password(member.id)];
        match &proof {
            PasswordProof::OldPassword(_) => {
                let account = member.phone.e164();
                budgets.extend(Budget::of_password_login(&account, caller.address));
            }
            PasswordProof::Code(_) => {
                budgets.extend(Budget::of_code_login(&member.phone, caller.address));
            }
            PasswordProof::None => {}
        }
        self.store.consume(&budgets, now).await?;
        match proof {
            PasswordProof::OldPassword(old) => {
                if !self.passwords.verify(old, replaced.clone()).await? {
                    return Err(PasswordProof::wrong_old_password().into());
                }
            }
            PasswordProof::Code(code) => {
                let (phone, scene) = (&member.phone, Scene::Verification);
                if !self.store.use_code(&self.hasher, phone, scene, &code, now).await? {
                    return Err(PasswordProof::wrong_code().into());
                }
            }
            PasswordProof::None => {}
        }

        let hash = self.passwords.hash(password).await?;
        let current_session = caller.session.as_deref();
        if !self.store.set_password(member.id, replaced.as_ref(), &hash, current_session).await? {
            return Err(
                Error::new(ErrorCode::Conflict, "the password changed during the call").into()
            );
        }
        tracing::info!(member = member.id, "password set");
        Ok(Response::new(proto::SetPasswordResponse { done: true }))
    }

    async fn check_member(
        &self,
        _: Request<proto::CheckMemberRequest>,
    ) -> RpcResult<proto::CheckMemberResponse> {
        let Some(id) = caller::current().member else {
            return Ok(Response::new(proto::CheckMemberResponse::default()));
        };
        let member = self.store.member(id).await?;
        Ok(Response::new(
            member.map(|member| convert::checked(convert::user_info(&member))).unwrap_or_default(),
        ))
    }

    async fn logout(&self, _: Request<proto::LogoutRequest>) -> RpcResult<proto::LogoutResponse> {
        let caller = caller::current();
        if let (Some(member), Some(session)) = (caller.member, &caller.session) {
            self.store.end_session(session, member).await?;
            tracing::info!(member, "logged out");
        }
        Ok(Response::new(proto::LogoutResponse { done: true }))
    }
}
