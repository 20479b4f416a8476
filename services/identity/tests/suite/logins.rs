//! Codes, logins, passwords and sessions.
use std::time::Duration;

use sahm_chassis::{ErrorCode, caller::Caller};
use sahm_identity::{seed, store::IdentityStore};
use sahm_proto::identity::v1::{
    AssessRecaptchaRequest, AuthCodeScene, CheckMemberRequest, CheckRecaptchaRequest,
    EndMemberSessionsRequest, GetMemberRequest, LoginBySmsRequest, LogoutRequest,
    SendAuthCodeRequest, SetPasswordRequest, UseAuthCodeRequest,
};

use crate::{
    on_both,
    support::{Site, acting, field, fields, from, got},
};

const PHONE: &str = "512345678";

on_both!(
    code_signs_up_and_logs_in,
    code_is_bound_to_number_and_scene_and_used_once,
    codes_expire_and_the_newest_replaces_others,
    sending_codes_is_rate_limited,
    login_attempts_are_limited_per_address_and_member,
    code_logs_in_while_passwords_are_locked,
    phone_and_email_of_a_member_share_one_attempt_budget,
    new_code_has_its_own_attempts,
    failed_password_logins_reveal_nothing,
    setting_a_password_ends_other_sessions,
    set_password_requires_the_old_password_or_a_code,
    set_password_without_a_proof_is_for_the_session_that_signed_up,
    session_ends_on_logout_and_on_expiry,
    sweep_deletes_expired_rows_only,
    recaptcha_is_required_after_many_codes,
    invalid_parameters_are_reported,
);

fn wrong_code(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

async fn use_code(site: &Site, scene: i32, code: &str) -> Result<bool, sahm_chassis::Error> {
    let request = UseAuthCodeRequest {
        tel_code: "966".into(),
        phone: PHONE.into(),
        scene,
        code: code.into(),
    };
    got(site.passport().use_auth_code(request).await).map(|response| response.valid)
}

async fn code_signs_up_and_logs_in(site: Site) {
    let code = site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
    let sent = site.sent();
    let keys: Vec<_> = sent[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["code", "phone", "scene", "telCode", "time"]);
    assert_eq!(
        (sent[0]["telCode"].as_str(), sent[0]["phone"].as_str()),
        (Some("966"), Some(PHONE))
    );
    assert_eq!(code.len(), 6);

    let request = LoginBySmsRequest {
        tel_code: "+٩٦٦".into(),
        phone: "٠٥١٢٣٤٥٦٧٨".into(),
        code,
        agreement: true,
        invite_code: "ab12cd".into(),
    };
    let login = got(site.passport().login_by_sms(request).await).unwrap();
    assert_eq!(login.signed_up, Some(true));
    let info = login.user_info.unwrap();
    assert!(info.logined && !info.opened && !info.opened_saudi && !info.is_obtain_sns);
    assert_eq!((info.hs_no.clone(), info.id), (None, info.mid));
    assert_eq!(login.session_token.len(), 43);

    let live = site.check(&login.session_token).await.unwrap();
    assert_eq!((Some(live.member), live.user_info), (info.mid, Some(info)));
    let request = GetMemberRequest { id: live.member };
    let member = got(site.members().get_member(request).await).unwrap().member.unwrap();
    assert_eq!((member.masked_phone.as_str(), member.region.as_str()), ("51*****78", "SA"));
    assert_eq!((member.invite_code.as_str(), member.has_password), ("AB12CD", false));

    site.clock.advance(Duration::from_secs(60));
    let (again, caller) = site.member(PHONE).await;
    assert_eq!(again.signed_up, Some(false));
    assert_eq!(again.user_info.unwrap().mid, Some(live.member));
    let request = CheckMemberRequest::default();
    let checked = acting(&caller, site.passport().check_member(request)).await;
    assert_eq!(got(checked).unwrap().mid, Some(live.member));
    let visitor = got(site.passport().check_member(CheckMemberRequest::default()).await).unwrap();
    assert_eq!(visitor, Default::default());
}

async fn code_is_bound_to_number_and_scene_and_used_once(site: Site) {
    let code = site.send(PHONE, AuthCodeScene::PasswordLogin).await.unwrap();
    // The code of another scene or number.
    assert_eq!(field(&use_code(&site, 1, &code).await.unwrap_err()), "code");
    let error = site.log_in("512345679", &code).await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Rejected, "code"));
    assert!(use_code(&site, 2, &code).await.unwrap());
    assert!(use_code(&site, 2, &code).await.is_err(), "used twice");

    site.clock.advance(Duration::from_secs(300));
    let code = site.send(PHONE, AuthCodeScene::PasswordLogin).await.unwrap();
    for _ in 0..5 {
        assert!(use_code(&site, 2, &wrong_code(&code)).await.is_err());
    }
    assert!(use_code(&site, 2, &code).await.is_err(), "tried too often");
}

async fn codes_expire_and_the_newest_replaces_others(site: Site) {
    let first = site.send(PHONE, AuthCodeScene::NewsTranslation).await.unwrap();
    site.clock.advance(Duration::from_secs(60));
    let second = site.send(PHONE, AuthCodeScene::NewsTranslation).await.unwrap();
    if first != second {
        assert!(use_code(&site, 3, &first).await.is_err());
    }
    site.clock.advance(Duration::from_secs(299));
    assert!(use_code(&site, 3, &second).await.unwrap());
    let third = site.send(PHONE, AuthCodeScene::NewsTranslation).await.unwrap();
    site.clock.advance(Duration::from_secs(300));
    assert!(use_code(&site, 3, &third).await.is_err(), "too old");
}

async fn sending_codes_is_rate_limited(site: Site) {
    for round in 0..5 {
        site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
        let error = site.send(PHONE, AuthCodeScene::PasswordLogin).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooMany);
        let after = if round == 4 { 3600 - 4 * 60 } else { 60 };
        assert_eq!(error.retry_after(), Some(Duration::from_secs(after)));
        site.clock.advance(Duration::from_secs(60));
    }
    assert!(site.send(PHONE, AuthCodeScene::Verification).await.is_err());
    assert_eq!(site.sent().len(), 5);
    // An unknown number has the same limit.
    site.send("512345679", AuthCodeScene::Verification).await.unwrap();
    site.clock.advance(Duration::from_secs(3600 - 300));
    site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
}

async fn login_attempts_are_limited_per_address_and_member(site: Site) {
    let here = from("192.0.2.1");
    for known in ["500000002", "512345679"] {
        for _ in 0..10 {
            let error = acting(&here, site.password_login(known, "x")).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::Rejected);
        }
        let error = acting(&here, site.password_login(known, "x")).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooMany);
        assert_eq!(error.retry_after(), Some(Duration::from_secs(300)));
    }
    // Logins by code have their own attempts.
    for _ in 0..10 {
        let error = acting(&here, site.log_in("500000002", "123456")).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Rejected);
    }
    let error = acting(&here, site.log_in("500000002", "123456")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany);
    for number in 30..60 {
        let phone = format!("5123456{number}");
        let error = acting(&here, site.log_in(&phone, "123456")).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Rejected, "{number}");
    }
    let error = acting(&here, site.log_in("512345699", "123456")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany);
    let there = from("192.0.2.2");
    let error = acting(&there, site.log_in("512345699", "123456")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Rejected);
    // The member, at another address, is not locked out.
    acting(&there, site.password_login("500000002", seed::PASSWORD)).await.unwrap();
    site.clock.advance(Duration::from_secs(300));
    acting(&here, site.password_login("500000002", seed::PASSWORD)).await.unwrap();
}

async fn code_logs_in_while_passwords_are_locked(site: Site) {
    let here = from("192.0.2.1");
    for _ in 0..10 {
        acting(&here, site.password_login("500000001", "x")).await.unwrap_err();
    }
    let error = acting(&here, site.password_login("500000001", "x")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany);
    let code = site.send("500000001", AuthCodeScene::Verification).await.unwrap();
    acting(&here, site.log_in("500000001", &code)).await.unwrap();
}

async fn phone_and_email_of_a_member_share_one_attempt_budget(site: Site) {
    let here = from("192.0.2.1");
    let accounts = ["500000006", "opened@sahm.example", "+966500000006", "OPENED@sahm.example"];
    for attempt in 0..10 {
        let account = accounts[attempt % accounts.len()];
        let error = acting(&here, site.password_login(account, "x")).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Rejected, "{attempt}");
    }
    for account in accounts {
        let error = acting(&here, site.password_login(account, seed::PASSWORD)).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooMany, "{account}");
    }
}

async fn new_code_has_its_own_attempts(site: Site) {
    let first = site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
    for _ in 0..5 {
        assert!(site.log_in(PHONE, &wrong_code(&first)).await.is_err());
    }
    assert!(site.log_in(PHONE, &first).await.is_err(), "its tries are used up");
    site.clock.advance(Duration::from_secs(60));
    let second = site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
    site.log_in(PHONE, &second).await.unwrap();
}

async fn failed_password_logins_reveal_nothing(site: Site) {
    for account in ["500000007", "+966500000007", "0500000007", "Saudi@Sahm.example"] {
        let login = site.password_login(account, seed::PASSWORD).await.unwrap();
        let info = login.user_info.unwrap();
        assert!(info.opened && info.opened_saudi && info.is_obtain_sns);
        assert_eq!(info.hs_no.as_deref(), Some("SA-10000007"));
        site.check(&login.session_token).await.unwrap();
    }
    let mut messages = Vec::new();
    // Wrong password, no password, unknown number, unknown email.
    for account in ["500000006", "500000001", "512345670", "nobody@sahm.example"] {
        let error = site.password_login(account, "Wrong#1234").await.unwrap_err();
        messages.push(format!("{:?} {error}", error.code()));
    }
    messages.dedup();
    assert_eq!(messages.len(), 1, "{messages:?}");
}

async fn setting_a_password_ends_other_sessions(site: Site) {
    let (first, caller) = site.member(PHONE).await;
    site.clock.advance(Duration::from_secs(60));
    let (second, _) = site.member(PHONE).await;
    for (password, fits) in [("weak", false), ("Strong#1234", true)] {
        assert_eq!(
            set_password(&site, &caller, password, "", "").await.is_ok(),
            fits,
            "{password}"
        );
    }
    let error = site.check(&second.session_token).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::SessionExpired);
    site.check(&first.session_token).await.unwrap();
    site.password_login(PHONE, "Strong#1234").await.unwrap();
    let visitor = Caller::default();
    let error = set_password(&site, &visitor, "Strong#1234", "", "").await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotLoggedIn);
}

async fn set_password(
    site: &Site,
    caller: &Caller,
    password: &str,
    old_password: &str,
    code: &str,
) -> Result<(), sahm_chassis::Error> {
    let request = SetPasswordRequest {
        password: password.into(),
        old_password: old_password.into(),
        code: code.into(),
    };
    got(acting(caller, site.passport().set_password(request)).await).map(|_| ())
}

async fn set_password_requires_the_old_password_or_a_code(site: Site) {
    let login = site.password_login("500000002", seed::PASSWORD).await.unwrap();
    let live = site.check(&login.session_token).await.unwrap();
    let caller = Caller {
        member: Some(live.member),
        session: Some(live.session),
        address: Some("192.0.2.1".parse().unwrap()),
        ..Caller::default()
    };
    let error = set_password(&site, &caller, "New#12345", "", "").await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "old_password"));
    let error = set_password(&site, &caller, "weak", "", "").await.unwrap_err();
    assert_eq!(fields(&error), ["password", "old_password"]);
    let error = set_password(&site, &caller, "New#12345", "Wrong#123", "").await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Rejected, "old_password"));
    // A code of another number, and one of another scene.
    let other = site.send(PHONE, AuthCodeScene::Verification).await.unwrap();
    let scene = site.send("500000002", AuthCodeScene::PasswordLogin).await.unwrap();
    for code in [other, scene] {
        let error = set_password(&site, &caller, "New#12345", "", &code).await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Rejected, "code"));
    }
    let error = set_password(&site, &caller, "New#12345", "", "1").await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "code"));
    site.password_login("500000002", seed::PASSWORD).await.unwrap();

    set_password(&site, &caller, "New#12345", seed::PASSWORD, "").await.unwrap();
    site.password_login("500000002", "New#12345").await.unwrap();
    site.clock.advance(Duration::from_secs(300));
    let code = site.send("500000002", AuthCodeScene::Verification).await.unwrap();
    set_password(&site, &caller, "Newer#12345", "", &code).await.unwrap();
    site.password_login("500000002", "Newer#12345").await.unwrap();
    assert!(set_password(&site, &caller, "Newest#12345", "", &code).await.is_err(), "used twice");
}

async fn set_password_without_a_proof_is_for_the_session_that_signed_up(site: Site) {
    let (_, sign_up) = site.member(PHONE).await;
    site.clock.advance(Duration::from_secs(60));
    let (_, later) = site.member(PHONE).await;
    let strangers = Caller { session: sign_up.session.clone(), member: Some(1), ..later.clone() };
    for caller in [&later, &strangers, &Caller { session: None, ..sign_up.clone() }] {
        let error = set_password(&site, caller, "Strong#1234", "", "").await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "old_password"));
    }
    // No old password can be correct.
    let error = set_password(&site, &later, "Strong#1234", "Strong#1234", "").await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Rejected, "old_password"));
    set_password(&site, &sign_up, "Strong#1234", "", "").await.unwrap();
    let error = set_password(&site, &sign_up, "Other#1234", "", "").await.unwrap_err();
    assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, "old_password"));
}

async fn session_ends_on_logout_and_on_expiry(site: Site) {
    let (first, caller) = site.member(PHONE).await;
    // A session of another member cannot be ended.
    let stranger = Caller { member: Some(1), ..caller.clone() };
    got(acting(&stranger, site.passport().logout(LogoutRequest {})).await).unwrap();
    site.check(&first.session_token).await.unwrap();
    for _ in 0..2 {
        got(acting(&caller, site.passport().logout(LogoutRequest {})).await).unwrap();
        let error = site.check(&first.session_token).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::SessionExpired);
    }
    assert!(got(site.passport().logout(LogoutRequest {}).await).unwrap().done);

    site.clock.advance(Duration::from_secs(60));
    let (second, caller) = site.member(PHONE).await;
    let request = EndMemberSessionsRequest { member: caller.member.unwrap() };
    assert_eq!(got(site.sessions().end_member_sessions(request).await).unwrap().ended, 1);
    assert!(site.check(&second.session_token).await.is_err());

    site.clock.advance(Duration::from_secs(60));
    let (third, _) = site.member(PHONE).await;
    site.clock.advance(Duration::from_secs(30 * 86_400 - 1));
    site.check(&third.session_token).await.unwrap();
    site.clock.advance(Duration::from_secs(1));
    assert!(site.check(&third.session_token).await.is_err());
    for token in ["", "x", &"A".repeat(43)] {
        let error = site.check(token).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::SessionExpired, "{token}");
    }
}

async fn sweep_deletes_expired_rows_only(site: Site) {
    let (dead, _) = site.member(PHONE).await;
    site.send("512345670", AuthCodeScene::Verification).await.unwrap();
    // The current sessions end in 30 days, codes and counts within the hour.
    site.clock.advance(Duration::from_secs(30 * 86_400 - 1));
    let (live, _) = site.member("512345679").await;
    let code = site.send("512345671", AuthCodeScene::Verification).await.unwrap();
    let store = IdentityStore::open(&site.database()).await.unwrap();
    let now = site.clock.now();
    let sweep = async |now| store.sweep(now, Duration::MAX).await.unwrap();
    // The code and the counts of the first day; one session is valid for one more second.
    assert_eq!(sweep(now).await, 4);
    site.check(&dead.session_token).await.unwrap();
    assert_eq!(sweep(now).await, 0);
    assert_eq!(sweep(now + 1).await, 1);
    site.check(&live.session_token).await.unwrap();
    assert!(site.check(&dead.session_token).await.is_err());
    let error = site.send("512345671", AuthCodeScene::Verification).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooMany, "its count is gone");
    site.log_in("512345671", &code).await.unwrap();
}

async fn recaptcha_is_required_after_many_codes(site: Site) {
    let needed = async || {
        let request = CheckRecaptchaRequest { tel_code: "966".into(), phone: PHONE.into() };
        got(site.passport().check_recaptcha(request).await).unwrap().needed
    };
    let send = async |token: &str| {
        let request = SendAuthCodeRequest {
            tel_code: "966".into(),
            phone: PHONE.into(),
            scene: 1,
            recaptcha_token: token.into(),
            locale: "ar-sa".into(),
        };
        got(site.passport().send_auth_code(request).await)
    };
    for _ in 0..3 {
        assert!(!needed().await);
        send("").await.unwrap();
        site.clock.advance(Duration::from_secs(60));
    }
    assert!(needed().await);
    for token in ["", "bad", "bot-1"] {
        let error = send(token).await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Rejected, "recaptcha_token"));
    }
    send("person").await.unwrap();

    let assess = async |action: &str, token: &str| {
        let request = AssessRecaptchaRequest { action: action.into(), token: token.into() };
        got(site.passport().assess_recaptcha(request).await)
    };
    assert_eq!(assess("login", "person").await.unwrap().score, 0.9);
    assert_eq!(assess("login", "bot").await.unwrap().score, 0.1);
    assert_eq!(field(&assess("login", "bad").await.unwrap_err()), "recaptchaToken");
    assert_eq!(field(&assess("", "person").await.unwrap_err()), "action");
}

async fn invalid_parameters_are_reported(site: Site) {
    let send = async |tel_code: &str, phone: &str, scene: i32| {
        let (tel_code, phone) = (tel_code.into(), phone.into());
        let request = SendAuthCodeRequest { tel_code, phone, scene, ..Default::default() };
        got(site.passport().send_auth_code(request).await)
    };
    let error = send("x", "y", 4).await.unwrap_err();
    assert_eq!(fields(&error), ["tel_code", "phone", "scene"]);
    for (tel_code, phone, scene, named) in [
        ("", PHONE, 1, "tel_code"),
        ("966", "", 1, "phone"),
        ("966", "412345678", 1, "phone"),
        ("966", PHONE, 0, "scene"),
        ("966", PHONE, 4, "scene"),
    ] {
        let error = send(tel_code, phone, scene).await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, named));
    }
    let whole = LoginBySmsRequest {
        tel_code: "966".into(),
        phone: PHONE.into(),
        code: "123456".into(),
        agreement: true,
        invite_code: String::new(),
    };
    let none = LoginBySmsRequest { invite_code: "-".into(), ..Default::default() };
    let error = got(site.passport().login_by_sms(none).await).unwrap_err();
    assert_eq!(fields(&error), ["tel_code", "phone", "code", "agreement", "invite_code"]);
    let error = site.password_login("x", "").await.unwrap_err();
    assert_eq!(error.fields().len(), 2, "{error}");
    let error = got(site.passport().use_auth_code(UseAuthCodeRequest::default()).await);
    assert_eq!(error.unwrap_err().fields().len(), 4);
    for (request, named) in [
        (LoginBySmsRequest { code: "12345".into(), ..whole.clone() }, "code"),
        (LoginBySmsRequest { agreement: false, ..whole.clone() }, "agreement"),
        (LoginBySmsRequest { invite_code: "a-b".into(), ..whole.clone() }, "invite_code"),
    ] {
        let error = got(site.passport().login_by_sms(request).await).unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, named));
    }
    for (account, password, named) in
        [("", "x", "account"), ("a@b", "x", "account"), (PHONE, "", "password")]
    {
        let error = site.password_login(account, password).await.unwrap_err();
        assert_eq!((error.code(), field(&error)), (ErrorCode::Parameter, named));
    }
    assert!(site.sent().is_empty());
}
