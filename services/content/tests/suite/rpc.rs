//! The rpcs, in process and over TCP.
use std::time::Duration;

use sahm_chassis::{
    Context, Error, ErrorCode,
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    service::Service,
};
use sahm_content::domain::{Locale, Market};
use sahm_proto::{
    changes::v1::{
        WatchChangesRequest, WatchChangesResponse,
        change_log_service_client::ChangeLogServiceClient,
    },
    content::v1::{
        AddArticleReadLogRequest, BatchGetArticlesRequest, GetArticleRequest, GetMediaRequest,
        ListArticleRefsRequest, ListArticlesRequest, ListTabArticlesRequest, ListTabsRequest,
        WithdrawArticlesRequest, media_service_client::MediaServiceClient,
        news_service_client::NewsServiceClient,
    },
};
use tokio_stream::StreamExt;
use tonic::Status;

use crate::support::{Base, NOW, tab, text};

/// A started service and a transport to it.
struct Site {
    base: Base,
    context: Context,
    transport: Transport,
    clock: Clock,
}

impl Site {
    async fn start(base: Base, over_tcp: bool) -> Self {
        let store = base.open().await;
        let tabs = [(1, Market::All), (2, Market::Us), (3, Market::Empty)];
        let mut items = tabs.map(|(id, market)| tab(id, market, 1)).to_vec();
        items.extend((1..=9).map(|id| text(id, Locale::EnUs, Market::Us)));
        items.extend((1..=8).map(|id| text(id, Locale::ArSa, Market::Us)));
        store.put(&items, &[], NOW).await.unwrap();

        let (context, clock) = (base.context(), Clock::fixed(NOW));
        let service = sahm_content::Content::start(&context, clock.clone()).await.unwrap();
        let transport = if over_tcp {
            let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            rpc::serve(listener, service, &context);
            Transport::connect(&url, &context)
        } else {
            Transport::local(service.routes)
        };
        Self { base, context, transport, clock }
    }

    fn news(&self) -> NewsServiceClient<Transport> {
        NewsServiceClient::new(self.transport.clone())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

macro_rules! over_both_transports {
    ($($case:ident),* $(,)?) => {
        mod local {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(super::Site::start(super::Base::sqlite(), false).await).await;
            })*
        }
        mod tcp {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(super::Site::start(super::Base::postgres().await, true).await).await;
            })*
        }
    };
}

over_both_transports!(
    articles_are_paged,
    tabs_list_their_articles,
    article_has_all_fields,
    batches_and_addresses_are_returned,
    invalid_parameters_are_reported,
    missing_items_are_not_found,
    withdrawal_is_in_the_change_log_immediately,
    readings_are_counted_without_a_purge,
);

fn ids(items: &[sahm_proto::content::v1::ArticleSummary]) -> Vec<u64> {
    items.iter().map(|summary| summary.id).collect()
}

async fn articles_are_paged(site: Site) {
    let mut request = ListArticlesRequest { market: "us".into(), ..Default::default() };
    let mut pages = Vec::new();
    loop {
        let page = site.news().list_articles(request.clone()).await.unwrap().into_inner();
        pages.push(ids(&page.items));
        if page.next_cursor.is_empty() {
            break;
        }
        request.cursor = page.next_cursor;
    }
    assert_eq!(pages, [vec![1, 2, 3, 4], vec![5, 6, 7, 8], vec![9]]);

    let request = ListArticlesRequest { locale: "ar_SA".into(), size: 50, ..Default::default() };
    let page = site.news().list_articles(request).await.unwrap().into_inner();
    assert_eq!((page.items.len(), page.next_cursor.as_str()), (8, ""));
    assert!(page.items.iter().all(|summary| summary.locale == "ar-sa"));

    let mut ahead = text(10, Locale::EnUs, Market::Saudi);
    ahead.published_at = NOW + 5;
    site.base.open().await.put(&[ahead], &[], NOW).await.unwrap();
    let request = ListArticlesRequest { market: "saudi".into(), ..Default::default() };
    let page = site.news().list_articles(request.clone()).await.unwrap().into_inner();
    assert_eq!((page.items.len(), page.next_change_at), (0, NOW + 5));
    site.clock.set(NOW + 5);
    let page = site.news().list_articles(request).await.unwrap().into_inner();
    assert_eq!((ids(&page.items), page.next_change_at), (vec![10], 0));
}

async fn tabs_list_their_articles(site: Site) {
    let tabs = site.news().list_tabs(ListTabsRequest::default()).await.unwrap().into_inner().items;
    let markets: Vec<_> = tabs.iter().map(|tab| (tab.id, tab.market_type.as_str())).collect();
    assert_eq!(markets, [(1, "all"), (2, "us"), (3, "")]);
    assert_eq!((tabs[0].name.as_str(), tabs[0].name_en.as_str()), ("Tab", "Tab"));
    assert_eq!(tabs[0].name_sa, "تبويب");
    let request = ListTabsRequest { market: "us".into(), ..Default::default() };
    assert_eq!(site.news().list_tabs(request).await.unwrap().into_inner().items.len(), 1);

    for (tab_id, first) in
        [(1, vec![1, 2, 3, 4]), (2, vec![1, 2, 3, 4]), (7, vec![]), (0, vec![]), (u64::MAX, vec![])]
    {
        let request = ListTabArticlesRequest { tab_id, ..Default::default() };
        let page = site.news().list_tab_articles(request).await.unwrap().into_inner();
        assert_eq!(ids(&page.items), first, "tab {tab_id}");
    }
}

async fn article_has_all_fields(site: Site) {
    let request = GetArticleRequest { id: 9, locale: "ar-sa".into(), from: "home".into() };
    let article = site.news().get_article(request).await.unwrap().into_inner().article.unwrap();
    let whole = text(9, Locale::EnUs, Market::Us);
    assert_eq!(
        (article.locale.as_str(), article.available_locales),
        ("en-us", vec!["en-us".into()])
    );
    let title = whole.text().unwrap().title.clone();
    assert_eq!((article.title, article.body_html), (title, whole.body_html));
    assert_eq!((article.published_at, article.updated_at), (whole.published_at, NOW));
    assert_eq!((article.market.as_str(), article.author.as_str()), ("us", "Newsroom"));
}

async fn batches_and_addresses_are_returned(site: Site) {
    let request = BatchGetArticlesRequest { content_ids: "3,77,1".into(), locale: String::new() };
    let found = site.news().batch_get_articles(request).await.unwrap().into_inner().items;
    assert_eq!(ids(&found), [3, 1]);
    let request = ListArticleRefsRequest { size: 7, ..Default::default() };
    let cursor = site.news().list_article_refs(request).await.unwrap().into_inner().next_cursor;
    let request = ListArticleRefsRequest { size: 2, cursor, ..Default::default() };
    let page = site.news().list_article_refs(request).await.unwrap().into_inner();
    assert_eq!(page.items.len(), 2);
    let request = ListArticleRefsRequest { size: 2, after_id: 7, ..Default::default() };
    assert_eq!(site.news().list_article_refs(request).await.unwrap().into_inner(), page);
    let found: Vec<_> =
        page.items.into_iter().map(|item| (item.id, item.available_locales)).collect();
    assert_eq!(found, [(8, vec!["en-us".into(), "ar-sa".into()]), (9, vec!["en-us".into()])]);
}

fn fields(status: Status) -> Vec<String> {
    let error = Error::from(&status);
    assert_eq!((error.code(), status.code()), (ErrorCode::Parameter, tonic::Code::InvalidArgument));
    error.fields().iter().map(|field| field.field.clone()).collect()
}

async fn invalid_parameters_are_reported(site: Site) {
    let mut news = site.news();
    for (market, size, cursor, field) in [
        ("mars", 0, "", "market"),
        ("", 51, "", "size"),
        ("", 4, "MTIzNDU2Nzg5MDEyMzQ1Njc4", "cursor"),
        ("", 4, "not a cursor", "cursor"),
    ] {
        let (market, cursor) = (market.to_owned(), cursor.to_owned());
        let request = ListArticlesRequest { market, size, cursor, ..Default::default() };
        assert_eq!(fields(news.list_articles(request).await.unwrap_err()), [field]);
    }
    let request = ListTabsRequest { market: "mars".into(), ..Default::default() };
    assert_eq!(fields(news.list_tabs(request).await.unwrap_err()), ["market"]);
    let request = ListTabArticlesRequest { tab_id: 1, cursor: "x".into(), ..Default::default() };
    assert_eq!(fields(news.list_tab_articles(request).await.unwrap_err()), ["cursor"]);
    assert_eq!(fields(news.get_article(GetArticleRequest::default()).await.unwrap_err()), ["id"]);
    let request = GetArticleRequest { id: 1, from: "é".repeat(41), ..Default::default() };
    assert_eq!(fields(news.get_article(request).await.unwrap_err()), ["from"]);
    for content_ids in ["", ",", "a", "1,x"] {
        let request =
            BatchGetArticlesRequest { content_ids: content_ids.into(), ..Default::default() };
        assert_eq!(fields(news.batch_get_articles(request).await.unwrap_err()), ["content_ids"]);
    }
    let request = WithdrawArticlesRequest::default();
    assert_eq!(fields(news.withdraw_articles(request).await.unwrap_err()), ["ids"]);
    let request = WithdrawArticlesRequest { ids: (1..=1_001).collect() };
    assert_eq!(fields(news.withdraw_articles(request).await.unwrap_err()), ["ids"]);
    let request = ListArticleRefsRequest { size: 10_001, ..Default::default() };
    assert_eq!(fields(news.list_article_refs(request).await.unwrap_err()), ["size"]);
    let request = ListArticleRefsRequest { cursor: "7".into(), ..Default::default() };
    assert_eq!(fields(news.list_article_refs(request).await.unwrap_err()), ["cursor"]);
}

async fn missing_items_are_not_found(site: Site) {
    let code = |status: Status| {
        assert_eq!(status.code(), tonic::Code::NotFound);
        Error::from(&status).code()
    };
    for id in [77, u64::MAX] {
        let request = GetArticleRequest { id, ..Default::default() };
        let status = site.news().get_article(request).await.unwrap_err();
        assert_eq!(code(status), ErrorCode::ArticleNotFound);
        let request = AddArticleReadLogRequest { id };
        let status = site.news().add_article_read_log(request).await.unwrap_err();
        assert_eq!(code(status), ErrorCode::ArticleNotFound);
    }
    let mut media = MediaServiceClient::new(site.transport.clone());
    for name in ["", "../x", "0123456789abcdef.svg"] {
        let status = media.get_media(GetMediaRequest { name: name.into() }).await.unwrap_err();
        assert_eq!(code(status), ErrorCode::NotFound);
    }
}

async fn withdrawal_is_in_the_change_log_immediately(site: Site) {
    let mut log = ChangeLogServiceClient::new(site.transport.clone());
    let mut stream = log.watch_changes(WatchChangesRequest::default()).await.unwrap().into_inner();
    let hello: WatchChangesResponse = stream.next().await.unwrap().unwrap();
    let request = WithdrawArticlesRequest { ids: vec![9, 77] };
    let answer = site.news().withdraw_articles(request).await.unwrap().into_inner();
    assert_eq!(answer.withdrawn_ids, [9]);
    let withdrawn = async {
        loop {
            let step = stream.next().await.unwrap().unwrap();
            if step.sequence > hello.sequence {
                break step.change.unwrap();
            }
        }
    };
    let change = tokio::time::timeout(Duration::from_secs(1), withdrawn).await.unwrap();
    assert_eq!(
        (change.tags.join(" ").as_str(), change.soft),
        ("news:9 news:list:all news:list:us", false)
    );
    let request = GetArticleRequest { id: 9, ..Default::default() };
    assert!(site.news().get_article(request).await.is_err());
}

async fn readings_are_counted_without_a_purge(site: Site) {
    let before = crate::support::changes(&site.base.open().await).await.len();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let mut news = site.news();
        calls.spawn(async move {
            news.add_article_read_log(AddArticleReadLogRequest { id: 1 }).await.unwrap();
        });
    }
    calls.join_all().await;
    let answer = site.news().add_article_read_log(AddArticleReadLogRequest { id: 1 }).await;
    assert_eq!(answer.unwrap().into_inner().count, 101);
    let request = GetArticleRequest { id: 1, ..Default::default() };
    let article = site.news().get_article(request).await.unwrap().into_inner().article.unwrap();
    assert_eq!(article.read_count, 101);
    assert_eq!(crate::support::changes(&site.base.open().await).await.len(), before);
}
