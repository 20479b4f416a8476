//! The calls of `/passport`, `/openaccount` and `/woms` with the real identity service.

use axum::body::Body;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use sahm_proto::identity::v1::{
    EndMemberSessionsRequest, session_service_client::SessionServiceClient,
};
use serde_json::{Value, json};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
const SUCCESS: u64 = 10_000_000;

struct Site {
    api: Api,
    /// Another gateway over the same services.
    other: Api,
    /// An operator's client of identity.
    sessions: SessionServiceClient<Transport>,
    context: Context,
    data: tempfile::TempDir,
}

struct Response {
    status: StatusCode,
    headers: HeaderMap,
    json: Value,
}

impl Response {
    fn code(&self) -> u64 {
        self.json["code"].as_u64().unwrap()
    }

    fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// The session cookie of the response, as a browser sends it.
    fn cookie(&self) -> Option<String> {
        let all = self.headers.get_all(header::SET_COOKIE).iter();
        let set = all.map(|value| value.to_str().unwrap().to_owned());
        let set = set.into_iter().find(|value| value.starts_with("sahm_session="))?;
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(set.contains(attribute), "{set}");
        }
        Some(set.split(';').next().unwrap().to_owned())
    }
}

impl Site {
    async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let identity = sahm_identity::Identity::start(&context, Clock::system()).await.unwrap();
        let identity = Transport::local(identity.routes);
        let services = Services::new([(ServiceName::Identity, identity.clone())]);
        let gateway = || Api::new(&services, &context).unwrap();
        let (api, other) = (gateway(), gateway());
        Self { api, other, sessions: SessionServiceClient::new(identity), context, data }
    }

    async fn send(
        &self,
        method: &str,
        uri: &str,
        kind: &str,
        cookie: &str,
        body: impl Into<Body>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in [(header::CONTENT_TYPE, kind), (header::COOKIE, cookie)] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        Self::handle(&self.api, request.body(body.into()).unwrap()).await
    }

    async fn handle(gateway: &Api, request: Request<Body>) -> Response {
        let (parts, body) = gateway.handle(request).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let json = serde_json::from_slice(&body).unwrap();
        assert_eq!(parts.headers[header::CACHE_CONTROL], "no-store");
        Response { status: parts.status, headers: parts.headers, json }
    }

    async fn form(&self, uri: &str, cookie: &str, body: &str) -> Response {
        self.send("POST", uri, FORM, cookie, body.to_owned()).await
    }

    async fn json(&self, uri: &str, cookie: &str, body: Value) -> Response {
        self.send("POST", uri, JSON, cookie, body.to_string()).await
    }

    fn code(&self) -> String {
        let path = self.data.path().join("outbox").join("sms.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        line["code"].as_str().unwrap().to_owned()
    }

    /// Logs in a member of the seed by password.
    async fn member(&self, phone: &str) -> String {
        let body = json!({ "account": phone, "password": sahm_identity::seed::PASSWORD });
        self.json("/api/passport/password/login", "", body).await.cookie().unwrap()
    }

    async fn member_id(&self, cookie: &str) -> u64 {
        let response = self.form("/api/passport/member/check", cookie, "").await;
        response.data()["id"].as_str().unwrap().parse().unwrap()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

#[tokio::test]
async fn visitor_signs_up_and_logs_out() {
    let site = Site::start().await;
    let sent = site
        .form("/api/passport/auth-code/send", "", "telCode=966&phone=512345678&scene=1&lang=ar-sa")
        .await;
    assert_eq!(sent.data(), &json!({ "sent": true, "retryAfter": 60 }));
    let code = site.code();
    let body = json!({ "telCode": "966", "phone": "512345678", "code": code, "agreement": true });
    let login = site.json("/api/passport/sms/login", "", body).await;
    assert_eq!((login.status, login.code()), (StatusCode::OK, SUCCESS));
    let mid = login.data()["userInfo"]["mid"].clone();
    assert!(mid.is_string());
    let info = json!({
        "id": mid, "logined": true, "opened": false, "openedSaudi": false, "hsNo": null,
        "mid": mid, "isObtainSns": false,
    });
    assert_eq!(login.data(), &json!({ "userInfo": info, "signedUp": true }));
    let cookie = login.cookie().unwrap();
    let token = cookie.split(['=', '.']).nth(1).unwrap();
    assert!(!login.json.to_string().contains(token));

    let uri = "/api/passport/member/check";
    for response in [
        site.form(uri, &cookie, "_clientType=10&_lang=ar_SA").await,
        site.json(uri, &cookie, json!({ "_clientType": 10, "_lang": "en_US" })).await,
    ] {
        assert_eq!((response.code(), response.data()), (SUCCESS, &info));
    }
    let progress = site.form("/api/openaccount/account/apply-progress", &cookie, "").await;
    assert_eq!(progress.data(), &json!({ "id": mid, "status": 0, "action": "openAccount" }));

    let out = site.form("/api/passport/logout", &cookie, "").await;
    assert_eq!(out.data(), &json!({ "done": true }));
    assert_eq!(out.cookie().as_deref(), Some("sahm_session="));
    let gone = site.form("/api/openaccount/account/apply-progress", &cookie, "").await;
    assert_eq!((gone.status, gone.code()), (StatusCode::UNAUTHORIZED, 10_000_007));
    let visitor = site.form(uri, &cookie, "").await;
    assert_eq!(
        visitor.data(),
        &json!({
            "id": null, "logined": false, "opened": false, "openedSaudi": false, "hsNo": null,
            "mid": null, "isObtainSns": false,
        })
    );
}

#[tokio::test]
async fn ended_session_is_rejected_by_every_gateway_at_once() {
    let site = Site::start().await;
    let progress = async |gateway: &Api, cookie: &str| {
        let request = Request::post("/api/openaccount/account/apply-progress")
            .header(header::CONTENT_TYPE, FORM)
            .header(header::COOKIE, cookie);
        Site::handle(gateway, request.body(Body::empty()).unwrap()).await
    };
    // Ended through one gateway, and by an operator.
    for ends_by_logout in [true, false] {
        let cookie = site.member("500000006").await;
        for gateway in [&site.api, &site.other] {
            let response = progress(gateway, &cookie).await;
            assert_eq!((response.status, response.code()), (StatusCode::OK, SUCCESS));
        }
        if ends_by_logout {
            let out = site.form("/api/passport/logout", &cookie, "").await;
            assert_eq!(out.data(), &json!({ "done": true }));
        } else {
            let member = site.member_id(&cookie).await;
            let request = EndMemberSessionsRequest { member };
            site.sessions.clone().end_member_sessions(request).await.unwrap();
        }
        for gateway in [&site.other, &site.api] {
            let response = progress(gateway, &cookie).await;
            assert_eq!((response.status, response.code()), (StatusCode::UNAUTHORIZED, 10_000_007));
        }
    }
}

#[tokio::test]
async fn invalid_identity_calls_have_their_error_codes() {
    let site = Site::start().await;
    let phone = "telCode=966&phone=512345678";
    let login = format!("{phone}&code=123456");
    for (call, body, status, code, field) in [
        ("auth-code/send", "telCode=966&phone=412345678&scene=1", 400, 10_000_003, "phone"),
        ("auth-code/send", "telCode=x&phone=512345678&scene=1", 400, 10_000_003, "telCode"),
        ("auth-code/send", &format!("{phone}&scene=4"), 400, 10_000_003, "scene"),
        ("auth-code/use", &format!("{phone}&scene=1&code=123456"), 422, 10_000_003, "code"),
        ("auth-code/use", &format!("{phone}&scene=1&code=1"), 400, 10_000_003, "code"),
        ("sms/login", &login, 400, 10_000_003, "agreement"),
        ("sms/login", &format!("{login}&agreement=true"), 422, 10_000_003, "code"),
        (
            "sms/login",
            &format!("{login}&agreement=true&inviteCode=-"),
            400,
            10_000_003,
            "inviteCode",
        ),
        ("password/login", "account=500000002&password=x", 422, 10_000_003, "password"),
        ("password/login", "account=x&password=x", 400, 10_000_003, "account"),
        ("password/set", "password=x", 401, 10_000_006, ""),
        ("recaptcha/assess", "action=login&token=bad", 422, 10_000_003, "recaptchaToken"),
        ("recaptcha/assess", "action=&token=x", 400, 10_000_003, "action"),
        ("auth-code/check-recaptcha", "telCode=966&phone=1", 400, 10_000_003, "phone"),
    ] {
        let response = site.form(&format!("/api/passport/{call}"), "", body).await;
        assert_eq!((response.status.as_u16(), response.code()), (status, code), "{call} {body}");
        if !field.is_empty() {
            assert!(response.data()["fields"][field].is_string(), "{call}: {}", response.json);
        }
        assert!(response.cookie().is_none());
    }
    let twice = [
        site.form("/api/passport/auth-code/send", "", &format!("{phone}&scene=1")).await,
        site.form("/api/passport/auth-code/send", "", &format!("{phone}&scene=1")).await,
    ];
    assert_eq!(twice.each_ref().map(|response| response.status.as_u16()), [200, 429]);
    let after: u32 = twice[1].headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&after));
    let needed = site.form("/api/passport/auth-code/check-recaptcha", "", phone).await;
    assert_eq!(needed.data(), &json!({ "needed": false }));
    let score = site.form("/api/passport/recaptcha/assess", "", "action=a&token=t").await;
    assert_eq!(score.data(), &json!({ "score": 0.9 }));
    for uri in ["/api/passport/member/check", "/api/passport/logout"] {
        let get = site.send("GET", uri, "", "", "").await;
        assert_eq!(get.status, StatusCode::METHOD_NOT_ALLOWED);
    }
    let texts = ["en-us", "ar-sa"].map(|lang| format!("account=x&password=x&lang={lang}"));
    let [english, arabic] =
        [&texts[0], &texts[1]].map(|body| site.form("/api/passport/password/login", "", body));
    assert_ne!(english.await.json["msg"], arabic.await.json["msg"]);
}

#[tokio::test]
async fn account_calls_return_the_members_account() {
    let site = Site::start().await;
    let uri = "/api/openaccount/getTadawulLoginUrl";
    assert_eq!(site.form(uri, "", "").await.code(), 10_000_006);
    assert_eq!(site.form(uri, "sahm_session=forged.forged", "").await.code(), 10_000_006);
    let opened = site.member("500000006").await;
    assert_eq!(site.form(uri, &opened, "").await.status, StatusCode::FORBIDDEN);
    let saudi = site.member("saudi@sahm.example").await;
    let url = site.form(uri, &saudi, "").await.data()["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:8080/?tadawul=simulated&ticket="));
    let check = site.form("/api/passport/member/check", &saudi, "").await;
    assert_eq!(check.data()["hsNo"], "SA-10000007");
    let progress = site.form("/api/openaccount/account/apply-progress", &saudi, "").await;
    assert_eq!(progress.data()["action"], "download");

    let set = "/api/passport/password/set";
    let weak = site.form(set, &opened, "password=weak").await;
    assert!(
        weak.status == StatusCode::BAD_REQUEST && weak.data()["fields"]["password"].is_string()
    );
    let body = json!({ "password": "Other#1234" });
    let unproven = site.json(set, &opened, body).await;
    assert_eq!(unproven.status, StatusCode::BAD_REQUEST);
    let arabic = format!("{set}?lang=ar-sa");
    let body = json!({ "password": "Other#1234", "oldPassword": "Wrong#1234" });
    let wrong = site.json(&arabic, &opened, body).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let [unproven, wrong] = [&unproven, &wrong]
        .map(|response| response.data()["fields"]["oldPassword"].as_str().unwrap_or_default());
    assert!(unproven.contains("old password") && wrong.contains("كلمة المرور"), "{wrong}");
    let body = json!({ "password": "Other#1234", "oldPassword": sahm_identity::seed::PASSWORD });
    let done = site.json(set, &opened, body).await;
    assert_eq!(done.data(), &json!({ "done": true }));
    let body = "account=opened%40sahm.example&password=Other%231234";
    let again = site.form("/api/passport/password/login", "", body).await;
    assert_eq!(again.data()["userInfo"]["opened"], true);
}

/// A multipart form with these files.
fn multipart(subject: &str, files: &[Vec<u8>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in [("subject", subject), ("content", "Text"), ("contact", "a@b.co")] {
        let part =
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    for bytes in files {
        let head = "--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a.png\"\r\n\
                    content-type: image/png\r\n\r\n";
        body.extend(head.as_bytes());
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--b--\r\n");
    body
}

fn bmp(size: usize) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
    bytes.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
    bytes.resize(size, 0);
    bytes
}

#[tokio::test]
async fn feedback_returns_a_ticket() {
    let site = Site::start().await;
    let uri = "/api/woms/feedback/submit";
    let kind = "multipart/form-data; boundary=b";
    for files in [vec![], vec![bmp(600_000); 3]] {
        let response = site.send("POST", uri, kind, "", multipart("Order", &files)).await;
        assert_eq!(
            (response.status, response.code()),
            (StatusCode::OK, SUCCESS),
            "{}",
            response.json
        );
        let ticket = response.data()["ticket"].as_str().unwrap();
        assert!(ticket.starts_with("FB-") && response.data()["id"] == ticket);
    }
    for (subject, files, field) in [
        ("", vec![], "subject"),
        ("Order", vec![b"<html>".repeat(100_000)], "files[0]"),
        ("Order", vec![bmp(600_000), bmp(100_000)], "files[1]"),
        ("Order", vec![bmp((5 << 20) + 1)], "files[0]"),
        ("Order", vec![bmp(600_000); 4], "files"),
    ] {
        let response = site.send("POST", uri, kind, "", multipart(subject, &files)).await;
        assert_eq!((response.status, response.code()), (StatusCode::BAD_REQUEST, 10_000_003));
        assert!(response.data()["fields"][field].is_string(), "{field}: {}", response.json);
    }
    let wrong = site.form(uri, "", "subject=a").await;
    assert_eq!(wrong.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn agreement_is_read_alike_from_form_and_json() {
    let site = Site::start().await;
    let path = "/api/passport/sms/login";
    let form = "telCode=966&phone=512345678&code=000000&agreement=1";
    let body = json!({ "telCode": 966, "phone": "512345678", "code": "000000", "agreement": 1 });
    for response in [site.form(path, "", form).await, site.json(path, "", body).await] {
        // Everything is valid except the code.
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", response.json);
        assert_eq!(response.data()["fields"], json!({ "code": "is wrong or no longer valid" }));
    }
}

#[tokio::test]
async fn invalid_fields_are_reported_together_in_the_callers_locale() {
    let site = Site::start().await;
    let path = "/api/passport/sms/login";
    let response = site.json(path, "", json!({})).await;
    let expected = json!({
        "telCode": "is needed", "phone": "is needed", "code": "is needed",
        "agreement": "must be true",
    });
    assert_eq!((response.status, &response.data()["fields"]), (StatusCode::BAD_REQUEST, &expected));
    let response = site.form(path, "", "lang=ar").await;
    assert_eq!(response.data()["fields"]["phone"], "مطلوب");
    // The service's own reason.
    let wrong = "account=500000007&password=wrong&lang=ar";
    let response = site.form("/api/passport/password/login", "", wrong).await;
    assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(response.data()["fields"]["password"], "الحساب أو كلمة المرور غير صحيحة");
}
