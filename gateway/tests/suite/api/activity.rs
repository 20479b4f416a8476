//! The calls of `/activity` with the real activity and identity services in process.

use http::header;
use sahm_activity::Activity;
use sahm_chassis::{clock::Clock, service::Service, settings::ServiceName};
use sahm_identity::Identity;
use sahm_proto::activity::v1::{
    CloseDrawRequest, Deposit, OpenDrawRequest, RecordDepositRequest, RevealDrawRequest,
    draw_service_client::DrawServiceClient, participant_service_client::ParticipantServiceClient,
};
use serde_json::{Value, json};

use crate::api::kit::{self, Parameters, Response};

/// 2026-09-23, 00:00 UTC: 923 is active, 901 has ended.
const NOW: u32 = 1_790_121_600;

fn path(call: &str) -> String {
    format!("/api/activity/{call}")
}

struct Site(kit::Site);

impl Site {
    async fn start() -> Self {
        let (fixed, system) = (Clock::fixed(NOW), Clock::system());
        Self(kit::Site::start([(Activity::start, fixed), (Identity::start, system)]).await)
    }

    async fn read(&self, call: &str, parameters: &Parameters<'_>, lang: &str) -> Response {
        self.0.read(&path(call), &[parameters, &[("lang", lang)]].concat()).await
    }

    /// `data` of a call, which must be equal in both locales.
    async fn data(&self, call: &str, parameters: &Parameters<'_>) -> Value {
        let english = self.read(call, parameters, "en-us").await;
        let arabic = self.read(call, parameters, "ar-sa").await;
        assert_eq!((english.status, english.code()), (200, 10_000_000), "{}", english.json);
        assert_eq!(english.data(), arabic.data());
        let messages = (&english.json["msg"], &arabic.json["msg"]);
        assert_eq!(messages, (&json!("Success"), &json!("تمت العملية بنجاح")));
        english.data().clone()
    }

    /// `data` of a member's call.
    async fn member_data(&self, call: &str, cookie: &str, parameters: &Parameters<'_>) -> Value {
        let response = self.0.post(&path(call), cookie, parameters).await;
        assert_eq!(response.status, 200, "{call}: {}", response.json);
        response.data().clone()
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
        let transport = self.0.transport(ServiceName::Activity);
        ParticipantServiceClient::new(transport).record_deposit(request).await.unwrap();
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
         من 10:00 صباحًا إلى 3:00 عصرًا في أيام التداول.",
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
            let response = site.read(call, params, "en-us").await;
            assert_eq!((response.status, response.code()), (400, 10_000_003), "{call}");
            assert!(response.fields()["activityId"].is_string(), "{}", response.json);
        }
    }
    let cookie = site.0.log_in("500000002").await;
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
        assert_eq!(site.member_data(call, &cookie, &unknown).await, empty, "{call}");
    }
}

#[tokio::test]
async fn share_texts_and_invitation_code_errors_are_localized() {
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
        let english = site.read("anniversary/share/value", &[("channel", channel)], "en").await;
        let arabic = site.read("anniversary/share/value", &[("channel", channel)], "ar").await;
        let data = english.data();
        assert_eq!(names(data).len(), 5);
        assert_eq!((&data["id"], &data["campaignId"]), (&json!(id), &json!(campaign_id)));
        assert_eq!((&data["text"], &arabic.data()["text"]), (&data["textEn"], &data["textSa"]));
    }
    let fax = site.read("anniversary/share/value", &[("channel", "fax")], "en").await;
    assert!(fax.status == 400 && fax.fields()["channel"].is_string());

    let check = "invite-code/check-validity";
    for (code, lang, text) in [
        ("NOBODY12", "en-us", "Invitation code does not exist."),
        ("NOBODY12", "ar-sa", "رمز الدعوة غير موجود."),
        ("a-b", "en-us", "Invalid invitation code."),
        ("a-b", "ar-sa", "رمز الدعوة غير صالح."),
    ] {
        let response = site.read(check, &[("inviteCode", code)], lang).await;
        let id = if code == "a-b" { "" } else { code };
        assert_eq!(response.status, 200);
        assert_eq!(response.data(), &json!({ "id": id, "valid": false, "text": text }));
    }
    let missing = site.read(check, &[], "en-us").await;
    assert!(missing.status == 400 && missing.fields()["inviteCode"].is_string());
}

#[tokio::test]
async fn member_invites_another_who_joins_once() {
    let site = Site::start().await;
    let (inviter, invited) = (site.0.log_in("500000002").await, site.0.log_in("500000003").await);
    let chain = "short-chain/create/invite-code";
    let params = [("activityId", "6666"), ("channel", "edu_twitter"), ("lang", "ar-sa")];
    let link = site.member_data(chain, &inviter, &params).await;
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
        assert_eq!(site.member_data(call, &invited, &params).await, expected);
        let own = site.0.post(&path(call), &inviter, &params).await;
        assert_eq!((own.status, own.code()), (400, 10_000_003));
        assert_eq!(own.fields()["inviteCode"], "Invalid invitation code.");
    }
    for (lang, text) in [("en-us", "The campaign has ended."), ("ar-sa", "انتهت الحملة.")]
    {
        let params = [("activityId", "901"), ("lang", lang)];
        let late = site.member_data("invite/join", &invited, &params);
        let expected = json!({
            "id": null, "joined": false, "joinedAt": 0, "state": "ended", "text": text,
        });
        assert_eq!(late.await, expected);
    }
}

#[tokio::test]
async fn member_calls_return_standards_country_and_draws() {
    let site = Site::start().await;
    let cookie = site.0.log_in("500000002").await;
    let country = site.member_data("base/member-country-code", &cookie, &[]).await;
    assert_eq!(country["countryCode"], "SAU");
    let member: u64 = country["id"].as_str().unwrap().parse().unwrap();

    let day = [("activityId", "923")];
    site.member_data("join-act/common", &cookie, &day).await;
    let mut draws = DrawServiceClient::new(site.0.transport(ServiceName::Activity));
    let open = OpenDrawRequest { id: "week-1".into(), activity_id: 923, prizes: Vec::new() };
    let opened = draws.open_draw(open).await.unwrap().into_inner().draw.unwrap();
    site.deposit("a", member, "49.99").await;
    site.deposit("b", member, "950.01").await;
    let standard = site.member_data("member/assets-standard", &cookie, &day).await;
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
    assert_eq!(site.member_data(info, &cookie, &[]).await, expected);

    draws.close_draw(CloseDrawRequest { id: "week-1".into() }).await.unwrap();
    let reveal = RevealDrawRequest { id: "week-1".into() };
    let revealed = draws.reveal_draw(reveal).await.unwrap().into_inner().draw.unwrap();
    let won = revealed.wins[0].number;
    let seen = site.member_data(info, &cookie, &[]).await;
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
        let path = path(call);
        for (lang, text) in [
            ("en-us", "For your safety concern, please log in again."),
            ("ar-sa", "حرصًا على أمانك، يُرجى تسجيل الدخول مرة أخرى."),
        ] {
            let response = site.0.post(&path, "", &[("activityId", "x"), ("lang", lang)]).await;
            assert_eq!((response.status, response.code()), (401, 10_000_006), "{call}");
            assert_eq!((&response.json["msg"], response.data()), (&json!(text), &Value::Null));
        }
        let get = site.0.get(&path).await;
        let allow = get.headers[header::ALLOW].to_str().unwrap();
        assert_eq!((get.status, allow), (405, "POST"), "{call}");
    }
    let cookie = site.0.log_in("500000002").await;
    for (call, body, field) in [
        ("invite/join", "", "activityId"),
        ("invite/join", "activityId=6666&inviteCode=a-b", "inviteCode"),
        ("invite/join", "activityId=6666&inviteCode=NOBODY12", "inviteCode"),
        ("short-chain/create/invite-code", "activityId=6666", "channel"),
        ("member/assets-standard", "activityId=-1", "activityId"),
    ] {
        let response = site.0.form(&path(call), &cookie, body).await;
        assert_eq!((response.status, response.code()), (400, 10_000_003), "{call} {body}");
        assert!(response.fields()[field].is_string(), "{call} {body}: {}", response.json);
    }
}
