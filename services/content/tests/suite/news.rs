//! Readers' actions on news, with the seed.
use std::{collections::BTreeSet, time::Duration};

use sahm_chassis::ErrorCode;
use sahm_content::domain::{Bilingual, EntryData, EntryKind, Stock};
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields, visiting},
    support::{NOW, bilingual, changes, soft_changes, tags},
};

on_the_seed!(
    likes_count_once_per_visitor,
    readings_count_once_per_reader,
    tabs_count_unread_articles,
    recommendations_match_the_market_and_exclude_the_article,
    names_of_securities_are_linked,
    imported_names_of_securities_are_linked,
);

fn like(id: u64, like: impl Into<Option<bool>>) -> wire::OperateLikeRequest {
    wire::OperateLikeRequest { content_id: id, like: like.into() }
}

async fn likes_count_once_per_visitor(site: Seeded) {
    let replica = site.replica().await;
    let before = changes(&site.store().await).await.len();
    let mut calls = tokio::task::JoinSet::new();
    for turn in 0..60 {
        let mut news = if turn % 2 == 0 { site.news() } else { replica.news() };
        calls.spawn(async move {
            let visitor = format!("visitor-{}", turn % 20);
            visiting(&visitor, news.operate_like(like(1001, true))).await.unwrap();
        });
    }
    calls.join_all().await;
    let mut news = site.news();
    let answer = visiting("visitor-1", news.operate_like(like(1001, true))).await.unwrap();
    assert_eq!(answer.into_inner(), wire::OperateLikeResponse { id: 1001, liked: true, count: 20 });
    for _ in 0..2 {
        let answer = visiting("visitor-1", news.operate_like(like(1001, false))).await.unwrap();
        let expected = wire::OperateLikeResponse { id: 1001, liked: false, count: 19 };
        assert_eq!(answer.into_inner(), expected);
    }
    for (visitor, likes) in [("visitor-2", true), ("visitor-1", false), ("nobody", false)] {
        let request = wire::ListLikesRequest { content_ids: "1002,7,1001".into() };
        let found = visiting(visitor, replica.news().list_likes(request)).await.unwrap();
        let found: Vec<_> =
            found.into_inner().items.iter().map(|one| (one.id, one.liked, one.count)).collect();
        assert_eq!(found, [(1002, false, 0), (1001, likes, 19)], "{visitor}");
    }
    let request = wire::GetArticleRequest { id: 1001, ..Default::default() };
    let article = news.get_article(request).await.unwrap().into_inner().article.unwrap();
    assert_eq!(article.like_count, 19);

    assert_eq!(fields(&news.operate_like(like(1001, true)).await.unwrap_err()), ["visitor"]);
    for (request, field) in [(like(1001, None), "like"), (like(0, true), "content_id")] {
        let status = visiting("v", news.operate_like(request)).await.unwrap_err();
        assert_eq!(fields(&status), [field]);
    }
    let status = visiting("v", news.operate_like(like(7, true))).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::ArticleNotFound);
    let status = news.list_likes(wire::ListLikesRequest::default()).await.unwrap_err();
    assert_eq!(fields(&status), ["content_ids"]);
    assert_eq!(changes(&site.store().await).await.len(), before, "likes are no content");
}

async fn readings_count_once_per_reader(site: Seeded) {
    let replica = site.replica().await;
    let read = || wire::AddArticleReadLogRequest { id: 1001 };
    for (visitor, count) in [("one", 1), ("one", 1), ("two", 2), ("one", 2)] {
        let answer = visiting(visitor, replica.news().add_article_read_log(read())).await.unwrap();
        assert_eq!(answer.into_inner().count, count, "{visitor}");
    }
    // Calls without a reader count each time.
    for count in 3..=4 {
        let answer = site.news().add_article_read_log(read()).await.unwrap().into_inner();
        assert_eq!((answer.id, answer.count), (1001, count));
    }
    let college = || wire::AddCollegeArticleReadLogRequest { article_id: "1001".into() };
    for (visitor, count) in [("one", 1), ("one", 1), ("two", 2)] {
        let mut calls = site.college();
        let answer = visiting(visitor, calls.add_college_article_read_log(college())).await;
        assert_eq!(answer.unwrap().into_inner().count, count);
    }
    let counts = site.store().await.counts(EntryKind::News, &[1001]).await.unwrap();
    assert_eq!((counts[&1001].reads, counts[&1001].likes), (4, 0));
}

async fn tabs_count_unread_articles(site: Seeded) {
    let mut news = site.news();
    let listed = |market: &str| wire::ListArticlesRequest {
        market: market.into(),
        locale: "ar-sa".into(),
        size: 50,
        ..Default::default()
    };
    let all = news.list_articles(listed("")).await.unwrap().into_inner().items;
    let since = all[5].published_at;
    let request = wire::ListUnreadRequest { since, locale: "ar-sa".into() };
    let unread = news.list_unread(request).await.unwrap().into_inner().items;
    assert_eq!(unread.iter().map(|tab| tab.id).collect::<Vec<_>>(), [1, 2, 3]);
    for tab in &unread {
        let items = news.list_articles(listed(&tab.market_type)).await.unwrap().into_inner().items;
        let newer = items.iter().filter(|item| item.published_at > since).count();
        assert_eq!(tab.count as usize, newer, "{}", tab.market_type);
    }
    assert!(unread[0].count > 0 && unread[0].count <= 5);
    for (since, none) in [(NOW, true), (0, false)] {
        let request = wire::ListUnreadRequest { since, ..Default::default() };
        let unread = news.list_unread(request).await.unwrap().into_inner().items;
        assert!(unread.iter().all(|tab| (tab.count == 0) == none));
    }
    for (market, count) in [("", 3), ("all", 3), ("us", 1), ("saudi", 1)] {
        let request = wire::ListTabsRequest { market: market.into(), ..Default::default() };
        assert_eq!(news.list_tabs(request).await.unwrap().into_inner().items.len(), count);
    }
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = wire::ListTabsRequest { size: 1, cursor, ..Default::default() };
        let page = news.list_tabs(request).await.unwrap().into_inner();
        ids.extend(page.items.iter().map(|tab| tab.id));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(ids, [1, 2, 3]);
}

async fn recommendations_match_the_market_and_exclude_the_article(site: Seeded) {
    let mut news = site.news();
    for (id, market, size) in [(2001, "us", 4), (1001, "saudi", 50), (1009, "all", 3)] {
        let request = wire::ListRecommendedNewsRequest {
            content_id: id,
            locale: "ar-sa".into(),
            size,
            ..Default::default()
        };
        let items = news.list_recommended_news(request).await.unwrap().into_inner().items;
        let ids: BTreeSet<u64> = items.iter().map(|item| item.id).collect();
        assert!(ids.len() == items.len() && !ids.contains(&id) && items.len() <= size as usize);
        let of_market = |item: &&wire::ArticleSummary| {
            market == "all" || item.market == market || item.market == "all"
        };
        let first = items.iter().take_while(of_market).count();
        assert!(first >= 3 && items.iter().all(|item| item.locale == "ar-sa"));
        if size == 50 {
            assert!(items.len() > first, "others follow those of the market");
        }
    }
    let request = |size, cursor| wire::ListRecommendedNewsRequest {
        content_id: 1001,
        size,
        cursor,
        ..Default::default()
    };
    let whole = news.list_recommended_news(request(50, String::new())).await.unwrap().into_inner();
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = news.list_recommended_news(request(7, cursor)).await.unwrap().into_inner();
        paged.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!((paged, whole.next_cursor), (whole.items, String::new()));
    let wrong = news.list_recommended_news(request(7, "x".into())).await.unwrap_err();
    assert_eq!(code(&wrong), ErrorCode::Parameter);
    for (id, expected) in [(7, ErrorCode::ArticleNotFound), (0, ErrorCode::Parameter)] {
        let request = wire::ListRecommendedNewsRequest { content_id: id, ..Default::default() };
        assert_eq!(code(&news.list_recommended_news(request).await.unwrap_err()), expected);
    }
}

async fn names_of_securities_are_linked(site: Seeded) {
    let mut news = site.news();
    for (locale, name) in [("en-us", "Saudi Aramco"), ("ar-sa", "أرامكو السعودية")] {
        let request =
            wire::GetArticleRequest { id: 1015, locale: locale.into(), ..Default::default() };
        let article = news.get_article(request).await.unwrap().into_inner().article.unwrap();
        let codes: Vec<_> = article.stocks.iter().map(|stock| &*stock.stock_code).collect();
        assert_eq!(codes, ["1111", "2222"]);
        let link = format!(
            "(<a href=\"/invest/saudi-stocks\" data-stock-code=\"2222\" data-data-type=\"10001\">{name}</a>)"
        );
        assert!(article.body_html.contains(&link), "{}", article.body_html);
        let request = wire::ListRelatedStocksRequest { content_id: 1015, locale: locale.into() };
        let related = news.list_related_stocks(request).await.unwrap().into_inner().items;
        assert_eq!(related, article.stocks);
        assert_eq!((&*related[1].stock_name, related[1].data_type), ("Saudi Aramco", 10_001));
        assert_eq!(related[1].sa_stock_name, "أرامكو السعودية");
    }
    let mut naming = 0;
    let request = wire::ListArticleRefsRequest::default();
    for article in news.list_article_refs(request).await.unwrap().into_inner().items {
        let request =
            wire::ListRelatedStocksRequest { content_id: article.id, ..Default::default() };
        let related = news.list_related_stocks(request).await.unwrap().into_inner().items;
        naming += usize::from(!related.is_empty());
    }
    assert!(naming >= 6, "{naming} articles name securities");
    let request = wire::ListRelatedStocksRequest { content_id: 7, ..Default::default() };
    let status = news.list_related_stocks(request).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::ArticleNotFound);
}

async fn imported_names_of_securities_are_linked(site: Seeded) {
    let replica = site.replica().await;
    let stock = Stock {
        code: "DIV".into(),
        data_type: 20_001,
        name: Bilingual { en: "divisor keeps".into(), sa: String::new() },
    };
    let put = site.store().await;
    let purges = soft_changes(&put).await.len();
    put.put(&[bilingual(77, EntryData::Stock(stock))], &[], NOW).await.unwrap();
    for site in [&site, &replica] {
        let mut news = site.news();
        let found = async {
            loop {
                let request =
                    wire::ListRelatedStocksRequest { content_id: 1015, ..Default::default() };
                let found = news.list_related_stocks(request).await.unwrap().into_inner().items;
                if found.iter().any(|stock| stock.id == "DIV") {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(3), found).await.unwrap();
    }
    // A page that was rendered before the names were reloaded is purged again, once by each process.
    let purged = async {
        while soft_changes(&put).await.len() < purges + 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(3), purged).await.unwrap();
    let found = soft_changes(&put).await;
    assert_eq!(found[purges..], [tags(&["news:stocks"]), tags(&["news:stocks"])]);
    let all =
        site.stocks().list_stocks(wire::ListStocksRequest::default()).await.unwrap().into_inner();
    assert!(all.items.len() >= 200 && all.items.is_sorted_by_key(|stock| stock.id.clone()));
    assert!(all.items.iter().any(|stock| stock.id == "DIV"));
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = wire::ListStocksRequest { size: 100, cursor };
        let page = site.stocks().list_stocks(request).await.unwrap().into_inner();
        paged.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all.items);
    let request = |code: &str| wire::GetStockRequest { stock_code: code.into() };
    let one = site.stocks().get_stock(request("AAPL")).await.unwrap().into_inner().stock.unwrap();
    assert_eq!(one.stock_code, "AAPL");
    let missing = site.stocks().get_stock(request("NOSUCH")).await.unwrap_err();
    assert_eq!(code(&missing), ErrorCode::NotFound);
    assert_eq!(fields(&site.stocks().get_stock(request("")).await.unwrap_err()), ["stock_code"]);
    let codes = ["2222", "NOSUCH", "AAPL", "2222"].map(String::from).to_vec();
    let request = wire::BatchGetStocksRequest { stock_codes: codes };
    let some = site.stocks().batch_get_stocks(request).await.unwrap().into_inner().items;
    assert_eq!(some.iter().map(|stock| &*stock.id).collect::<Vec<_>>(), ["2222", "AAPL"]);
}
