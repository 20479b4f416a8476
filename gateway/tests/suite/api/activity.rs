//! The calls of `/activity` with the real activity and identity services in process.

use axum::body::Body;
use http::{HeaderMap, Request, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use sahm_proto::activity::v1::{
    CloseDrawRequest, Deposit, OpenDrawRequest, RecordDepositRequest, RevealDrawRequest,
    draw_service_client::DrawServiceClient, participant_service_client::ParticipantServiceClient,
};
use serde_json::{Value, json};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// 2026-09-23, 00:00 UTC: 923 is active, 901 has ended.
const NOW: u32 = 1_790_121_600;

struct Site {
    api: Api,
    activity: Transport,
    context: Context,
    _data: tempfile::TempDir,
}

impl Site {
    async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let activity = sahm_activity::Activity::start(&context, Clock::fixed(NOW)).await.unwrap();
        let identity = sahm_identity::Identity::start(&context, Clock::system()).await.unwrap();
        let activity = Transport::local(activity.routes);
        let services = Services::new([
            (ServiceName::Activity, activity.clone()),
            (ServiceName::Identity, Transport::local(identity.routes)),
        ]);
        let api = Api::new(&services, &context).unwrap();
        Self { api, activity, context, _data: data }
    }

    async fn send(
        &self,
        method: &str,
        uri: &str,
        kind: &str,
        cookie: &str,
        body: &str,
    ) -> (u16, HeaderMap, Value) {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in [(header::CONTENT_TYPE, kind), (header::COOKIE, cookie)] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let response = self.api.handle(request.body(Body::from(body.to_owned())).unwrap()).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        assert_eq!(parts.headers[header::CACHE_CONTROL], "no-store");
        (parts.status.as_u16(), parts.headers, serde_json::from_slice(&body).unwrap())
    }

    /// Makes a reading call by GET, form and JSON, whose responses must be equal.
    async fn read(&self, call: &str, params: &[(&str, &str)], lang: &str) -> (u16, Value) {
        let uri = format!("/api/activity/{call}");
        let language = ("lang", lang);
        let pairs = params.iter().chain([&language]);
        let query = pairs.clone().map(|(name, value)| format!("{name}={value}"));
        let query = query.collect::<Vec<_>>().join("&");
        let object = pairs.map(|(name, value)| ((*name).to_owned(), json!(value)));
        let object = Value::Object(object.collect()).to_string();
        let (status, _, got) = self.send("GET", &format!("{uri}?{query}"), "", "", "").await;
        for (kind, body) in [(FORM, &query), (JSON, &object)] {
            let (posted, _, body) = self.send("POST", &uri, kind, "", body).await;
            assert_eq!((posted, &body), (status, &got), "{call} by {kind}");
        }
        (status, got)
    }

    /// `data` of a reading call, which must be equal in both locales.
    async fn data(&self, call: &str, params: &[(&str, &str)]) -> Value {
        let (status, english) = self.read(call, params, "en-us").await;
        let (_, arabic) = self.read(call, params, "ar-sa").await;
        assert_eq!((status, english["code"].as_u64()), (200, Some(10_000_000)), "{english}");
        assert_eq!(english["data"], arabic["data"]);
        assert!(english["msg"] == "Success" && arabic["msg"] == "تمت العملية بنجاح");
        english["data"].clone()
    }

    /// `data` of a member's call by form and JSON, whose responses must be equal.
    async fn member(&self, call: &str, cookie: &str, params: &[(&str, &str)]) -> Value {
        let uri = format!("/api/activity/{call}");
        let form = params.iter().map(|(name, value)| format!("{name}={value}"));
        let form = form.collect::<Vec<_>>().join("&");
        let object = params.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
        let object = Value::Object(object.collect()).to_string();
        let (status, _, by_form) = self.send("POST", &uri, FORM, cookie, &form).await;
        let (_, _, by_json) = self.send("POST", &uri, JSON, cookie, &object).await;
        assert_eq!((status, &by_form), (200, &by_json), "{call}: {by_form}");
        by_form["data"].clone()
    }

    /// Logs in a member of the seed.
    async fn log_in(&self, phone: &str) -> String {
        let body = json!({ "account": phone, "password": sahm_identity::seed::PASSWORD });
        let uri = "/api/passport/password/login";
        let (_, headers, _) = self.send("POST", uri, JSON, "", &body.to_string()).await;
        let set = headers[header::SET_COOKIE].to_str().unwrap();
        set.split(';').next().unwrap().to_owned()
    }

    async fn deposit(&self, id: &str, member: u64, amount: &str) {
        let deposit = Deposit {
            id: id.into(),
            member,
            amount: amount.into(),
            currency: "SAR".into(),
            deposited_at: NOW,
        };
        let request = RecordDepositRequest { deposit: Some(deposit) };
        ParticipantServiceClient::new(self.activity.clone()).record_deposit(request).await.unwrap();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn campaign_has_all_fields_by_get_form_and_json() {
    let site = Site::start().await;
    let data = site.data("regular/config", &[("activityId", "901")]).await;
    let theme = |id: &str, tone: &str, title: [&str; 2], subtitle: [&str; 2]| {
        json!({
            "id": id, "tone": tone,
            "title": title[0], "titleEn": title[0], "titleSa": title[1],
            "subtitle": subtitle[0], "subtitleEn": subtitle[0], "subtitleSa": subtitle[1],
        })
    };
    let summary = [
        "Celebrate Eid with Sahm: free stocks for your deposits, and commission coupons for \
         Saudi stocks, valid from 10:00 to 15:00 on trading days.",
        "احتفل بالعيد مع شركة سهم: أسهم مجانية على إيداعاتك، وقسائم عمولة للأسهم السعودية تسري \
         من 10:00 صباحًا إلى 3:00 مساءً في أيام التداول.",
    ];
    let expected = json!({
        "id": "901", "kind": "eidAlAdha", "state": "ended",
        "stateText": "The campaign has ended.", "stateTextEn": "The campaign has ended.",
        "stateTextSa": "انتهت الحملة.",
        "beginAt": 1_779_310_800, "endAt": 1_780_606_800,
        "title": "Eid al-Adha gifts", "titleEn": "Eid al-Adha gifts",
        "titleSa": "هدايا عيد الأضحى",
        "summary": summary[0], "summaryEn": summary[0], "summarySa": summary[1],
        "themes": [
            theme(
                "0", "gold", ["Eid Mubarak from Sahm", "عيدكم مبارك من شركة سهم"],
                ["Free stocks and coupons for Eid.", "أسهم مجانية وقسائم بمناسبة العيد."],
            ),
            theme(
                "1", "night", ["A gift at every step", "هدية مع كل خطوة"],
                ["Deposit from SAR 1,000 or $300.", "أودع ابتداءً من 1,000 ريال أو 300 دولار."],
            ),
        ],
        "hasDraws": false,
    });
    assert_eq!(data, json!({ "campaign": expected }));
    for (id, kind, state) in [("6666", "regular", "active"), ("923", "nationalDay", "active")] {
        let one = site.data("regular/config", &[("activityId", id)]).await;
        assert_eq!(
            (&one["campaign"]["kind"], &one["campaign"]["state"]),
            (&json!(kind), &json!(state))
        );
    }
}

#[tokio::test]
async fn campaign_rules_info_and_statistics_are_returned() {
    let site = Site::start().await;
    let rules = site.data("base/rule", &[("activityId", "923")]).await;
    assert_eq!(rules["id"], "923");
    let ids = rules["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]);
    assert_eq!(ids.collect::<Vec<_>>(), ["sample", "who", "tickets", "draw", "fair-play", "risk"]);
    let rule = &rules["rules"][2];
    let fields = ["id", "title", "titleEn", "titleSa", "text", "textEn", "textSa"];
    assert_eq!(names(rule).len(), fields.len());
    assert!(fields.iter().all(|field| rule[field].is_string()), "{rule}");
    let begins = "Every SAR 50 earns one ticket, up to 4 tickets per member in each draw.";
    assert!(rule["textEn"].as_str().unwrap().starts_with(begins), "{rule}");

    let info = site.data("base/info", &[("activityId", "6666")]).await;
    let info = &info["info"];
    assert_eq!(
        (&info["id"], &info["titleSa"]),
        (&json!("6666"), &json!("كيف تحصل على أسهمك المجانية؟"))
    );
    assert_eq!(
        info["steps"][2]["textEn"],
        "The free stocks appear in your account within 14 business days."
    );
    assert_eq!(info["rewards"].as_array().unwrap().len(), 3);

    let standards = json!([
        { "id": "1", "sar": "1000", "usd": "300" }, { "id": "2", "sar": "5000", "usd": "1500" },
    ]);
    for (id, expected) in [
        (
            "6666",
            json!({
                "id": "6666", "standards": standards, "freeStockDays": 14, "shareValueMin": "80",
                "ticketAmount": "", "ticketsMax": 0, "weeklyPrize": "", "inviterPrizeMax": "20000",
                "couponFrom": "", "couponUntil": "",
            }),
        ),
        (
            "901",
            json!({
                "id": "901", "standards": standards, "freeStockDays": 14, "shareValueMin": "80",
                "ticketAmount": "", "ticketsMax": 0, "weeklyPrize": "", "inviterPrizeMax": "",
                "couponFrom": "10:00", "couponUntil": "15:00",
            }),
        ),
        (
            "923",
            json!({
                "id": "923", "standards": standards, "freeStockDays": 0, "shareValueMin": "",
                "ticketAmount": "50", "ticketsMax": 4, "weeklyPrize": "18888", "inviterPrizeMax": "",
                "couponFrom": "", "couponUntil": "",
            }),
        ),
    ] {
        let figures = site.data("base/custom-info", &[("activityId", id)]).await;
        assert_eq!(figures, json!({ "info": expected }));
    }
    let gcc = site.data("base/gcc/rule-list", &[("activityId", "6666")]).await;
    let kuwait = &gcc["rules"][2];
    let text = "Deposit in US dollars: $300 for level 1, $1,500 for level 2. Deposits in riyals \
                count towards the riyal levels.";
    let text_sa = "الإيداع بالدولار الأمريكي: 300 دولار للمستوى الأول و1,500 دولار للثاني. أما \
                   الإيداعات بالريال فتُحتسب وفق مستويات الريال.";
    let expected = json!({
        "id": "KWT", "countryCode": "KWT", "name": "Kuwait", "nameEn": "Kuwait",
        "nameSa": "الكويت", "currency": "USD", "text": text, "textEn": text, "textSa": text_sa,
    });
    assert_eq!((&gcc["id"], kuwait), (&json!("6666"), &expected));
}

#[tokio::test]
async fn unknown_campaign_is_empty_and_missing_id_is_rejected() {
    let site = Site::start().await;
    for (call, empty) in [
        ("regular/config", json!({ "campaign": null })),
        ("base/rule", json!({ "id": null, "rules": [] })),
        ("base/info", json!({ "info": null })),
        ("base/custom-info", json!({ "info": null })),
        ("base/gcc/rule-list", json!({ "id": null, "rules": [] })),
    ] {
        for id in ["1", "18446744073709551615"] {
            assert_eq!(site.data(call, &[("activityId", id)]).await, empty, "{call}");
        }
        for params in [&[][..], &[("activityId", "0")], &[("activityId", "x")]] {
            let (status, body) = site.read(call, params, "en-us").await;
            assert_eq!((status, &body["code"]), (400, &json!(10_000_003)), "{call}");
            assert!(body["data"]["fields"]["activityId"].is_string(), "{body}");
        }
    }
    let cookie = site.log_in("500000002").await;
    let unknown = [("activityId", "1"), ("channel", "cms_fb")];
    for (call, empty) in [
        ("short-chain/create/invite-code", json!({ "id": null, "inviteCode": "", "url": "" })),
        (
            "invite/join",
            json!({ "id": null, "joined": false, "joinedAt": 0, "state": "", "text": "" }),
        ),
        (
            "member/assets-standard",
            json!({
                "id": null, "joined": false, "depositedSar": "", "depositedUsd": "",
                "thresholds": [],
            }),
        ),
    ] {
        assert_eq!(site.member(call, &cookie, &unknown).await, empty, "{call}");
    }
}

#[tokio::test]
async fn shares_and_codes_are_localized() {
    let site = Site::start().await;
    for (channel, id, campaign_id) in [
        ("cms_twitter", "cms_twitter", "1110619"),
        ("cms_fb", "cms_fb", "1110620"),
        ("cms_others", "cms_others", "1110621"),
        ("edu_twitter", "edu_twitter", "1110622"),
        ("edu_fb", "edu_fb", "1110623"),
        ("edu_others", "edu_others", "1110624"),
        ("WHATSAPP", "cms_others", "1110621"),
    ] {
        let (_, english) =
            site.read("anniversary/share/value", &[("channel", channel)], "en").await;
        let (_, arabic) = site.read("anniversary/share/value", &[("channel", channel)], "ar").await;
        let data = &english["data"];
        assert_eq!(names(data).len(), 5);
        assert_eq!((&data["id"], &data["campaignId"]), (&json!(id), &json!(campaign_id)));
        assert_eq!((&data["text"], &arabic["data"]["text"]), (&data["textEn"], &data["textSa"]));
    }
    let (status, body) = site.read("anniversary/share/value", &[("channel", "fax")], "en").await;
    assert!(status == 400 && body["data"]["fields"]["channel"].is_string());

    let check = "invite-code/check-validity";
    for (code, lang, text) in [
        ("NOBODY12", "en-us", "Invitation code does not exist."),
        ("NOBODY12", "ar-sa", "رمز الدعوة غير موجود."),
        ("a-b", "en-us", "Invalid invitation code."),
        ("a-b", "ar-sa", "رمز الدعوة غير صالح."),
    ] {
        let (status, body) = site.read(check, &[("inviteCode", code)], lang).await;
        let id = if code == "a-b" { "" } else { code };
        assert_eq!(status, 200);
        assert_eq!(body["data"], json!({ "id": id, "valid": false, "text": text }));
    }
    let (status, body) = site.read(check, &[], "en-us").await;
    assert!(status == 400 && body["data"]["fields"]["inviteCode"].is_string());
}

#[tokio::test]
async fn member_invites_another_who_joins_once() {
    let site = Site::start().await;
    let (inviter, invited) = (site.log_in("500000002").await, site.log_in("500000003").await);
    let chain = "short-chain/create/invite-code";
    let params = [("activityId", "6666"), ("channel", "edu_twitter"), ("lang", "ar-sa")];
    let link = site.member(chain, &inviter, &params).await;
    let code = link["inviteCode"].as_str().unwrap().to_owned();
    assert_eq!(
        link,
        json!({
            "id": "1", "inviteCode": code,
            "url": format!(
                "http://127.0.0.1:8080/ar-sa/activity/pre-activity-new\
                 ?activityId=6666&inviteCode={code}&_scnl=1110622"
            ),
        })
    );
    let valid = site.data("invite-code/check-validity", &[("inviteCode", &code)]).await;
    assert_eq!(valid, json!({ "id": code, "valid": true, "text": "" }));

    let params = [("activityId", "6666"), ("inviteCode", code.as_str())];
    let expected =
        json!({ "id": "1", "joined": true, "joinedAt": NOW, "state": "active", "text": "" });
    for call in ["invite/join", "join-act/common"] {
        assert_eq!(site.member(call, &invited, &params).await, expected);
        let uri = format!("/api/activity/{call}");
        let own = format!("activityId=6666&inviteCode={code}");
        let (status, _, body) = site.send("POST", &uri, FORM, &inviter, &own).await;
        assert_eq!((status, &body["code"]), (400, &json!(10_000_003)));
        assert_eq!(body["data"]["fields"]["inviteCode"], "Invalid invitation code.");
    }
    for (lang, text) in [("en-us", "The campaign has ended."), ("ar-sa", "انتهت الحملة.")]
    {
        let params = [("activityId", "901"), ("lang", lang)];
        let late = site.member("invite/join", &invited, &params);
        let expected = json!({
            "id": null, "joined": false, "joinedAt": 0, "state": "ended", "text": text,
        });
        assert_eq!(late.await, expected);
    }
}

#[tokio::test]
async fn member_calls_return_standards_country_and_draws() {
    let site = Site::start().await;
    let cookie = site.log_in("500000002").await;
    let country = site.member("base/member-country-code", &cookie, &[]).await;
    assert_eq!(country["countryCode"], "SAU");
    let member: u64 = country["id"].as_str().unwrap().parse().unwrap();

    let day = [("activityId", "923")];
    site.member("join-act/common", &cookie, &day).await;
    let mut draws = DrawServiceClient::new(site.activity.clone());
    let open = OpenDrawRequest { id: "week-1".into(), activity_id: 923, prizes: Vec::new() };
    let opened = draws.open_draw(open).await.unwrap().into_inner().draw.unwrap();
    site.deposit("a", member, "49.99").await;
    site.deposit("b", member, "950.01").await;
    let standard = site.member("member/assets-standard", &cookie, &day).await;
    assert_eq!(
        standard,
        json!({
            "id": "923", "joined": true, "depositedSar": "1000", "depositedUsd": "0",
            "thresholds": [
                { "id": "1", "sar": "1000", "usd": "300", "reached": true },
                { "id": "2", "sar": "5000", "usd": "1500", "reached": false },
            ],
        })
    );

    let info = "national-day/lottery-draw-info";
    let prize = json!({ "id": "1", "amount": "18888", "currency": "SAR" });
    let draw = json!({
        "id": "week-1", "activityId": "923", "state": "open", "prizes": [prize], "ticketCount": 4,
        "seedHash": opened.seed_hash, "ticketsHash": "", "seed": "", "wins": [],
        "openedAt": NOW, "closedAt": 0, "revealedAt": 0,
    });
    let ticket = |number: u32, prize: Value| {
        json!({
            "id": format!("week-1:{number}"), "drawId": "week-1", "number": number,
            "issuedAt": NOW, "prize": prize,
        })
    };
    let tickets = [4, 3, 2, 1].map(|number| ticket(number, Value::Null));
    let expected = json!({
        "id": "923", "state": "active", "joined": true,
        "tickets": tickets,
        "draws": [draw], "prize": prize, "ticketAmount": "50", "ticketsMax": 4,
    });
    assert_eq!(site.member(info, &cookie, &[]).await, expected);

    draws.close_draw(CloseDrawRequest { id: "week-1".into() }).await.unwrap();
    let reveal = RevealDrawRequest { id: "week-1".into() };
    let revealed = draws.reveal_draw(reveal).await.unwrap().into_inner().draw.unwrap();
    let won = revealed.wins[0].number;
    let seen = site.member(info, &cookie, &[]).await;
    assert_eq!(seen["draws"][0]["seed"], revealed.seed);
    assert_eq!(seen["draws"][0]["wins"], json!([{ "id": "1", "prize": prize, "number": won }]));
    let tickets =
        [4, 3, 2, 1].map(|at| ticket(at, if at == won { prize.clone() } else { Value::Null }));
    assert_eq!(seen["tickets"], json!(tickets));
}

#[tokio::test]
async fn member_calls_check_the_session_first_and_reject_get() {
    let site = Site::start().await;
    for call in [
        "short-chain/create/invite-code",
        "invite/join",
        "join-act/common",
        "member/assets-standard",
        "base/member-country-code",
        "national-day/lottery-draw-info",
    ] {
        let uri = format!("/api/activity/{call}");
        for (lang, text) in [
            ("en-us", "For your safety concern, please log in again."),
            ("ar-sa", "حرصًا على أمانك، يُرجى تسجيل الدخول مرة أخرى."),
        ] {
            let body = format!("activityId=x&lang={lang}");
            let (status, _, response) = site.send("POST", &uri, FORM, "", &body).await;
            assert_eq!((status, &response["code"]), (401, &json!(10_000_006)), "{call}");
            assert_eq!((&response["msg"], &response["data"]), (&json!(text), &Value::Null));
        }
        let (status, headers, _) = site.send("GET", &uri, "", "", "").await;
        assert_eq!((status, headers[header::ALLOW].to_str().unwrap()), (405, "POST"), "{call}");
    }
    let cookie = site.log_in("500000002").await;
    for (call, body, field) in [
        ("invite/join", "", "activityId"),
        ("invite/join", "activityId=6666&inviteCode=a-b", "inviteCode"),
        ("invite/join", "activityId=6666&inviteCode=NOBODY12", "inviteCode"),
        ("short-chain/create/invite-code", "activityId=6666", "channel"),
        ("member/assets-standard", "activityId=-1", "activityId"),
    ] {
        let uri = format!("/api/activity/{call}");
        let (status, _, response) = site.send("POST", &uri, FORM, &cookie, body).await;
        assert_eq!((status, &response["code"]), (400, &json!(10_000_003)), "{call} {body}");
        assert!(response["data"]["fields"][field].is_string(), "{call} {body}: {response}");
    }
}
