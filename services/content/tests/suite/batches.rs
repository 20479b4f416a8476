//! Single-item and batch rpcs.
use sahm_chassis::ErrorCode;
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
};

on_the_seed!(
    single_items_are_returned_by_id,
    batches_return_items_in_the_requested_order,
    videos_are_paged,
    cursors_of_other_lists_are_rejected,
);

async fn single_items_are_returned_by_id(site: Seeded) {
    let mut flash = site.flash();
    let page = flash.list_flash_news(wire::ListFlashNewsRequest::default()).await;
    let listed = page.unwrap().into_inner().items.remove(0);
    let request = |id| wire::GetFlashNewsRequest { id, ..Default::default() };
    let found = flash.get_flash_news(request(listed.id)).await.unwrap().into_inner();
    assert_eq!(found.item, Some(listed));
    let missing = flash.get_flash_news(request(7)).await.unwrap_err();
    assert_eq!(code(&missing), ErrorCode::ArticleNotFound);
    assert_eq!(fields(&flash.get_flash_news(request(0)).await.unwrap_err()), ["id"]);

    let mut college = site.college();
    let listed = college.list_categories(wire::ListCategoriesRequest {}).await;
    let listed = listed.unwrap().into_inner().items.remove(1);
    let request = |id| wire::GetCategoryRequest { id };
    let found = college.get_category(request(listed.id)).await.unwrap().into_inner();
    assert_eq!(found.category, Some(listed));
    let missing = college.get_category(request(77)).await.unwrap_err();
    assert_eq!(code(&missing), ErrorCode::CourseNotFound);
    assert_eq!(fields(&college.get_category(request(0)).await.unwrap_err()), ["id"]);

    let mut news = site.news();
    let request = |id| wire::GetTabRequest { id };
    let tab = news.get_tab(request(3)).await.unwrap().into_inner().tab.unwrap();
    assert_eq!((tab.id, tab.market_type.as_str()), (3, "saudi"));
    for id in [77, u64::MAX] {
        let missing = news.get_tab(request(id)).await.unwrap_err();
        assert_eq!(code(&missing), ErrorCode::NotFound);
    }
    assert_eq!(fields(&news.get_tab(request(0)).await.unwrap_err()), ["id"]);

    let request = |id| wire::GetBannerRequest { id, locale: "ar-sa".into() };
    let banner =
        site.images().get_banner(request(6001)).await.unwrap().into_inner().banner.unwrap();
    assert_eq!((banner.position_code.as_str(), banner.content_id), ("SA_TOP_NEWS", 1015));
    let missing = site.images().get_banner(request(7)).await.unwrap_err();
    assert_eq!(code(&missing), ErrorCode::NotFound);
    assert_eq!(fields(&site.images().get_banner(request(0)).await.unwrap_err()), ["id"]);
}

/// Calls a batch rpc with these ids and returns the ids of the response.
macro_rules! ids {
    ($client:expr, $call:ident, $request:ident, $ids:expr) => {{
        let request = wire::$request { ids: $ids, ..Default::default() };
        let answered = $client.$call(request).await;
        answered
            .map(|found| found.into_inner().items.iter().map(|item| item.id).collect::<Vec<u64>>())
    }};
}

#[allow(clippy::needless_update)] // Only some requests have a locale.
async fn batches_return_items_in_the_requested_order(site: Seeded) {
    let (mut college, mut help, mut images) = (site.college(), site.help(), site.images());
    let mut news = site.news();
    let found = ids!(news, batch_get_tabs, BatchGetTabsRequest, vec![3, 77, 1, 3]);
    assert_eq!(found.unwrap(), [3, 1]);
    let found = ids!(college, batch_get_categories, BatchGetCategoriesRequest, vec![2, 77, 1]);
    assert_eq!(found.unwrap(), [2, 1]);
    let found = ids!(college, batch_get_courses, BatchGetCoursesRequest, vec![102, 77, 101]);
    assert_eq!(found.unwrap(), [102, 101]);
    let found =
        ids!(college, batch_get_college_videos, BatchGetCollegeVideosRequest, vec![77, 5001]);
    assert_eq!(found.unwrap(), [5001]);
    let found = ids!(help, batch_get_help_channels, BatchGetHelpChannelsRequest, vec![2, 7777, 1]);
    assert_eq!(found.unwrap(), [2, 1]);
    let found = ids!(images, batch_get_banners, BatchGetBannersRequest, vec![6003, 77, 6001]);
    assert_eq!(found.unwrap(), [6003, 6001]);

    let many = vec![1; 51];
    for status in [
        ids!(news, batch_get_tabs, BatchGetTabsRequest, many.clone()).unwrap_err(),
        ids!(college, batch_get_categories, BatchGetCategoriesRequest, Vec::new()).unwrap_err(),
        ids!(college, batch_get_courses, BatchGetCoursesRequest, many.clone()).unwrap_err(),
        ids!(college, batch_get_college_videos, BatchGetCollegeVideosRequest, many.clone())
            .unwrap_err(),
        ids!(help, batch_get_help_channels, BatchGetHelpChannelsRequest, many.clone()).unwrap_err(),
        ids!(images, batch_get_banners, BatchGetBannersRequest, many).unwrap_err(),
    ] {
        assert_eq!(fields(&status), ["ids"]);
    }
}

async fn videos_are_paged(site: Seeded) {
    let mut college = site.college();
    let mut list = async |course_id: &str, size, cursor: String| {
        let request = wire::ListCollegeVideosRequest { course_id: course_id.into(), size, cursor };
        college.list_college_videos(request).await.map(tonic::Response::into_inner)
    };
    let all = list("", 50, String::new()).await.unwrap();
    let ids: Vec<u64> = all.items.iter().map(|video| video.id).collect();
    assert!(ids.len() >= 3 && ids.is_sorted() && all.next_cursor.is_empty());
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = list("", 2, cursor).await.unwrap();
        paged.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(paged, all.items);

    let course = all.items[0].course_id;
    let of_course: Vec<u64> =
        all.items.iter().filter(|video| video.course_id == course).map(|video| video.id).collect();
    let found = list(&course.to_string(), 50, String::new()).await.unwrap();
    let mut found: Vec<u64> = found.items.iter().map(|video| video.id).collect();
    found.sort_unstable();
    assert_eq!(found, of_course);
    let missing = list("77", 4, String::new()).await.unwrap_err();
    assert_eq!(code(&missing), ErrorCode::CourseNotFound);
    assert_eq!(fields(&list("", 4, "x".into()).await.unwrap_err()), ["cursor"]);
    assert_eq!(fields(&list("", 51, String::new()).await.unwrap_err()), ["size"]);
}

async fn cursors_of_other_lists_are_rejected(site: Seeded) {
    crate::search::ready(&site).await;
    let tabs = |cursor: &str, market: &str| {
        let (cursor, market) = (cursor.into(), market.into());
        let mut news = site.news();
        async move {
            let request = wire::ListTabsRequest { cursor, market, size: 1 };
            news.list_tabs(request).await.map(|found| found.into_inner().next_cursor)
        }
    };
    let courses = |cursor: &str, category_id| {
        let cursor = cursor.into();
        let mut college = site.college();
        async move {
            let request =
                wire::ListCoursesRequest { cursor, category_id, size: 1, ..Default::default() };
            college.list_courses(request).await.map(|found| found.into_inner().next_cursor)
        }
    };
    let articles = |cursor: &str, market: &str, locale: &str| {
        let (cursor, market, locale) = (cursor.into(), market.into(), locale.into());
        let mut news = site.news();
        async move {
            let request = wire::ListArticlesRequest { cursor, market, locale, size: 1 };
            news.list_articles(request).await.map(|found| found.into_inner().next_cursor)
        }
    };
    let search = |cursor: &str, keyword: &str| {
        let (cursor, keyword) = (cursor.into(), keyword.into());
        let mut help = site.help();
        async move {
            let request =
                wire::SearchHelpRequest { cursor, keyword, size: 1, ..Default::default() };
            help.search_help(request).await.map(|found| found.into_inner().next_cursor)
        }
    };
    let of_tabs = tabs("", "").await.unwrap();
    let of_courses = courses("", 0).await.unwrap();
    let of_us = articles("", "us", "en-us").await.unwrap();
    let of_search = search("", "account").await.unwrap();
    let good = [
        tabs(&of_tabs, "").await,
        courses(&of_courses, 0).await,
        articles(&of_us, "us", "ar-sa").await,
        search(&of_search, "account").await,
    ];
    assert!(good.iter().all(Result::is_ok), "{good:?}");
    let refused = [
        courses(&of_tabs, 0).await,
        tabs(&of_courses, "").await,
        courses(&of_courses, 2).await,
        articles(&of_us, "saudi", "en-us").await,
        articles(&of_search, "us", "en-us").await,
        search(&of_search, "password").await,
        search(&of_us, "account").await,
    ];
    for (at, result) in refused.into_iter().enumerate() {
        assert_eq!(fields(&result.unwrap_err()), ["cursor"], "row {at}");
    }
}
