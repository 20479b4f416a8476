//! The search, with the seed.
use std::time::{Duration, Instant};

use sahm_chassis::ErrorCode;
use sahm_content::domain::{EntryKind, Locale, Market};
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
    support::{NOW, article, text},
};

/// The requirement is two seconds; the margin allows for a busy machine.
const FRESH: Duration = Duration::from_secs(6);

on_the_seed!(
    words_match_in_all_their_forms,
    frequent_searches_find_the_expected_item_first,
    tables_and_synonyms_are_not_shown_as_matches,
    matches_are_highlighted,
    hits_are_paged,
    index_follows_imports_and_withdrawals,
    invalid_parameters_are_reported,
);

/// Waits until the index is built.
pub(crate) async fn ready(site: &Seeded) {
    let start = Instant::now();
    loop {
        let request = wire::SearchRequest { keyword: "a".into(), ..Default::default() };
        match site.search().search(request).await {
            Ok(_) => return,
            Err(status) => assert_eq!(code(&status), ErrorCode::Unavailable),
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the index is never built");
    }
}

async fn search(site: &Seeded, keyword: &str, locale: &str) -> wire::SearchResponse {
    let request = wire::SearchRequest {
        keyword: keyword.into(),
        locale: locale.into(),
        size: 50,
        ..Default::default()
    };
    site.search().search(request).await.unwrap().into_inner()
}

async fn words_match_in_all_their_forms(site: Seeded) {
    ready(&site).await;
    // Both keywords of a row find the same items.
    for (locale, one, other) in [
        ("ar-sa", "إيداع", "ايداع"),
        ("ar-sa", "السعودية", "السُّعوديّة"),
        ("ar-sa", "شركات", "الشركات"),
        ("en-us", "Settlement", "settlements"),
        ("en-us", "DEPOSIT", "deposits"),
    ] {
        let ids = |found: wire::SearchResponse| {
            let mut ids: Vec<u64> = found.items.iter().map(|hit| hit.id).collect();
            ids.sort_unstable();
            ids
        };
        let (one, other) = (search(&site, one, locale).await, search(&site, other, locale).await);
        assert!(one.total > 0 && one.items.iter().all(|hit| hit.locale == locale));
        assert_eq!(one.total, other.total);
        if one.total <= 50 {
            assert_eq!(ids(one), ids(other));
        }
    }
    // Prefixes, synonyms and one wrong letter.
    for (locale, keyword) in [
        ("en-us", "commis"),
        ("en-us", "comission"),
        ("en-us", "setlement"),
        ("ar-sa", "الإيدا"),
        ("ar-sa", "صندوق"),
        ("ar-sa", "صناديق"),
        ("en-us", "how do I open an account"),
        ("en-us", "zzzzqqq commission"),
    ] {
        assert!(search(&site, keyword, locale).await.total > 0, "{keyword}");
    }
    for keyword in ["", "  ", "؟!", "zzzzqqqxx"] {
        assert_eq!(search(&site, keyword, "en-us").await.total, 0, "{keyword:?}");
    }
    let kinds: std::collections::BTreeSet<String> =
        search(&site, "market", "en-us").await.items.into_iter().map(|hit| hit.kind).collect();
    assert!(kinds.len() >= 2, "{kinds:?}");
}

async fn frequent_searches_find_the_expected_item_first(site: Seeded) {
    ready(&site).await;
    let table = [
        ("en-us", "withdraw", "help-document", 123),
        ("en-us", "withdrawal", "help-document", 123),
        ("en-us", "withdrw", "help-document", 123),
        ("en-us", "with", "help-document", 123),
        ("en-us", "deposit", "help-document", 121),
        ("en-us", "depost", "help-document", 121),
        ("en-us", "how do I deposit money", "help-document", 121),
        ("en-us", "complaint", "help-document", 150),
        ("en-us", "complant", "help-document", 150),
        ("en-us", "password", "help-document", 120),
        ("en-us", "pasword", "help-document", 120),
        ("en-us", "passwo", "help-document", 120),
        ("en-us", "margin", "help-document", 134),
        ("en-us", "marign", "help-document", 134),
        ("en-us", "fees", "help-document", 138),
        ("en-us", "feees", "help-document", 138),
        ("en-us", "commission", "help-document", 137),
        ("en-us", "comission", "help-document", 137),
        ("en-us", "raffle", "help-document", 107),
        ("en-us", "tickets", "help-document", 107),
        ("en-us", "invitation code", "help-document", 108),
        ("en-us", "coupon", "help-document", 109),
        ("en-us", "free stocks", "help-document", 106),
        ("en-us", "sign up", "help-document", 110),
        ("en-us", "open an account", "help-document", 111),
        ("en-us", "log in", "help-document", 116),
        ("en-us", "login", "help-document", 116),
        ("en-us", "verification code", "help-document", 119),
        ("en-us", "OTP", "help-document", 119),
        ("en-us", "VAT", "help-document", 140),
        ("en-us", "settled", "help-document", 124),
        ("en-us", "Saudi market open", "help-document", 125),
        ("en-us", "US market hours", "help-document", 131),
        ("en-us", "limit order", "help-document", 127),
        ("en-us", "options", "help-document", 135),
        ("en-us", "fraud", "help-document", 118),
        ("en-us", "reach", "help-document", 142),
        ("en-us", "contact", "help-document", 142),
        ("en-us", "get the app", "help-document", 144),
        ("en-us", "link", "help-document", 145),
        ("en-us", "colours", "help-document", 146),
        ("en-us", "taxes", "help-document", 143),
        ("en-us", "upload picture", "help-document", 112),
        ("en-us", "phone number", "help-document", 113),
        ("en-us", "register tadawul", "help-document", 129),
        ("en-us", "capital", "help-document", 105),
        ("en-us", "ETF", "news", 2008),
        ("en-us", "REIT", "news", 1005),
        ("en-us", "rights issue", "news", 1011),
        ("en-us", "balance sheet", "college-article", 1041),
        ("en-us", "رسوم", "news", 1010),
        ("ar-sa", "سحب", "help-document", 123),
        ("ar-sa", "أسحب", "help-document", 123),
        ("ar-sa", "السحب", "help-document", 123),
        ("ar-sa", "إيداع", "help-document", 121),
        ("ar-sa", "ايداع", "help-document", 121),
        ("ar-sa", "كلمة المرور", "help-document", 120),
        ("ar-sa", "كلمه المرور", "help-document", 120),
        ("ar-sa", "رسوم", "news", 1010),
        ("ar-sa", "fees", "news", 1010),
        ("ar-sa", "شكوى", "help-document", 150),
        ("ar-sa", "password", "help-document", 120),
        ("ar-sa", "قسيمة", "help-document", 109),
        ("ar-sa", "جائزة", "help-document", 107),
        ("ar-sa", "رمز الدعوة", "help-document", 108),
        ("ar-sa", "الأسهم المجانية", "help-document", 106),
        ("ar-sa", "تسجيل الدخول", "help-document", 116),
        ("ar-sa", "رمز التحقق", "help-document", 119),
        ("ar-sa", "ضريبة القيمة المضافة", "help-document", 140),
        ("ar-sa", "الهامش", "help-document", 134),
        ("ar-sa", "تواصل", "help-document", 142),
        ("ar-sa", "احتيال", "help-document", 118),
        ("ar-sa", "margin", "help-document", 134),
        ("ar-sa", "withdraw", "help-document", 123),
        ("ar-sa", "حقوق الأولوية", "news", 1011),
    ];
    let mut wrong = Vec::new();
    for (locale, keyword, kind, id) in table {
        let found = search(&site, keyword, locale).await.items;
        if found.first().is_none_or(|hit| (hit.kind.as_str(), hit.id) != (kind, id)) {
            let first = found.iter().take(3).map(|hit| format!("{} {}", hit.id, hit.title));
            wrong.push(format!("{locale} {keyword:?}: {:?}", first.collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn tables_and_synonyms_are_not_shown_as_matches(site: Seeded) {
    ready(&site).await;
    let marked = |parts: &[wire::SearchPart]| {
        let marked = parts.iter().filter(|part| part.hit);
        marked.map(|part| part.text.to_lowercase()).collect::<Vec<_>>()
    };
    let found = search(&site, "fees", "en-us").await.items;
    assert!(found.len() > 5);
    for hit in found {
        for word in [marked(&hit.title_parts), marked(&hit.excerpt_parts)].concat() {
            assert!(["fee", "fees"].contains(&word.as_str()), "{}: {word}", hit.id);
        }
    }
    // The document on exchanging money has its figures in a table: `Riyals | $300 | …`.
    let found = search(&site, "exchange riyals 300", "en-us").await.items;
    let hit = found.iter().find(|hit| hit.id == 122).unwrap();
    let excerpt: String = hit.excerpt_parts.iter().map(|part| part.text.as_str()).collect();
    assert!(!excerpt.contains("$300 SAR 1,125"), "{excerpt}");
}

async fn matches_are_highlighted(site: Seeded) {
    ready(&site).await;
    let request = wire::SearchHelpRequest { keyword: "reach".into(), ..Default::default() };
    let found = site.help().search_help(request).await.unwrap().into_inner();
    let first = &found.items[0];
    assert_eq!((first.id, first.link.as_str()), (142, "/support/detail/how-to-reach-us"));
    let marked = |parts: &[wire::SearchPart]| {
        let marked = parts.iter().filter(|part| part.hit);
        marked.map(|part| part.text.to_lowercase()).collect::<Vec<_>>()
    };
    assert_eq!(marked(&first.title_parts), ["reach"]);
    for hit in &found.items {
        let text = |parts: &[wire::SearchPart]| {
            parts.iter().map(|part| part.text.as_str()).collect::<String>()
        };
        assert_eq!(text(&hit.title_parts), hit.title);
        assert!(hit.kind == "help-document" || hit.kind == "legal-document");
        let both = [marked(&hit.title_parts), marked(&hit.excerpt_parts)].concat();
        assert!(!both.is_empty() || hit.id != 142);
    }
}

async fn hits_are_paged(site: Seeded) {
    ready(&site).await;
    let request = |cursor: &str, size| wire::SearchRequest {
        keyword: "account".into(),
        kinds: vec!["help-document".into()],
        cursor: cursor.into(),
        size,
        ..Default::default()
    };
    let whole = site.search().search(request("", 50)).await.unwrap().into_inner();
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    loop {
        let page = site.search().search(request(&cursor, 7)).await.unwrap().into_inner();
        assert_eq!(page.total, whole.total);
        seen.extend(page.items);
        if page.next_cursor.is_empty() {
            break;
        }
        cursor = page.next_cursor;
    }
    assert!(seen.len() > 7);
    assert_eq!(seen[..whole.items.len()], whole.items[..]);
    assert_eq!(seen.len(), whole.total as usize);
}

async fn index_follows_imports_and_withdrawals(site: Seeded) {
    ready(&site).await;
    let replica = site.replica().await;
    ready(&replica).await;
    let mut new = text(7, Locale::EnUs, Market::Us);
    article(&mut new).text.title = "Quixotry on the exchange".into();
    let mut ahead = text(8, Locale::EnUs, Market::Us);
    article(&mut ahead).text.title = "Quixotry tomorrow".into();
    ahead.published_at = NOW + 3600;
    assert_eq!(search(&site, "quixotry", "en-us").await.total, 0);
    let store = site.store().await;
    store.put(&[new, ahead], &[], NOW).await.unwrap();
    for site in [&site, &replica] {
        found_within(site, FRESH, 1).await;
    }
    store.withdraw(EntryKind::News, &[7]).await.unwrap();
    found_within(&site, FRESH, 0).await;
}

async fn found_within(site: &Seeded, limit: Duration, total: u32) {
    let start = Instant::now();
    while search(site, "quixotry", "en-us").await.total != total {
        assert!(start.elapsed() < limit, "not within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn invalid_parameters_are_reported(site: Seeded) {
    for (keyword, kinds, size, cursor, field) in [
        ("a".repeat(101), vec![], 0, "", "keyword"),
        ("a".into(), vec!["videos".to_owned()], 0, "", "kinds"),
        ("a".into(), vec![], 51, "", "size"),
        ("a".into(), vec![], 0, "x", "cursor"),
    ] {
        let cursor = cursor.to_owned();
        let request = wire::SearchRequest { keyword, kinds, size, cursor, ..Default::default() };
        assert_eq!(fields(&site.search().search(request).await.unwrap_err()), [field]);
    }
}
