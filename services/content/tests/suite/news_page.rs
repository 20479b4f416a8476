//! Flash news and videos of the news page, with the seed.
use sahm_chassis::ErrorCode;
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
    support::{changes, tags},
};

on_the_seed!(flash_news_are_paged, news_videos_are_playable, college_videos_are_playable);

async fn flash_news_are_paged(site: Seeded) {
    let mut flash = site.flash();
    for locale in ["en-us", "ar-sa"] {
        for (market, least) in [("", 12), ("all", 12), ("us", 6), ("saudi", 6)] {
            let mut request = wire::ListFlashNewsRequest {
                market: market.into(),
                locale: locale.into(),
                size: 5,
                ..Default::default()
            };
            let mut seen = Vec::new();
            loop {
                let page = flash.list_flash_news(request.clone()).await.unwrap().into_inner();
                seen.extend(page.items);
                if page.next_cursor.is_empty() {
                    break;
                }
                request.cursor = page.next_cursor;
            }
            assert!(seen.len() >= least, "{market}: {}", seen.len());
            assert!(seen.is_sorted_by_key(|item| std::cmp::Reverse(item.published_at)));
            assert!(seen.iter().all(|item| item.locale == locale && item.sample));
            let others = if market == "us" { "saudi" } else { "us" };
            let mixed = seen.iter().any(|item| item.market == others);
            assert_eq!(mixed, matches!(market, "" | "all"));
        }
    }
    let request = wire::BatchGetFlashNewsRequest { ids: vec![3008, 7], ..Default::default() };
    let found = flash.batch_get_flash_news(request).await.unwrap().into_inner().items;
    let codes: Vec<_> = found[0].stocks.iter().map(|stock| &*stock.id).collect();
    assert_eq!((found.len(), codes), (1, vec!["AAPL", "MSFT"]));
    let request = wire::WithdrawFlashNewsRequest { ids: vec![3008] };
    flash.withdraw_flash_news(request).await.unwrap();
    let log = changes(&site.store().await).await;
    assert_eq!(log.last(), Some(&tags(&["news:flash:all", "news:flash:us"])));
    let request = wire::ListFlashNewsRequest { market: "mars".into(), ..Default::default() };
    assert_eq!(fields(&flash.list_flash_news(request).await.unwrap_err()), ["market"]);
    let request = wire::ListFlashNewsRequest { cursor: "x".into(), ..Default::default() };
    assert_eq!(fields(&flash.list_flash_news(request).await.unwrap_err()), ["cursor"]);
}

/// Asserts that all files a player needs are served.
async fn plays(site: &Seeded, playback: &wire::Playback) {
    let sources = playback.sources.iter().map(|one| (&*one.address, &*one.content_type));
    let poster = playback.poster.iter().map(|one| (&*one.path, "image/svg+xml"));
    let captions = playback.captions.iter().map(|one| (&*one.path, "text/vtt; charset=utf-8"));
    assert_eq!((playback.sources.len(), playback.captions.len()), (2, 2));
    assert!(playback.duration > 0 && playback.poster.is_some());
    for (path, content_type) in sources.chain(poster).chain(captions) {
        let name = path.strip_prefix("/media/").unwrap().to_owned();
        let media = site.media().get_media(wire::GetMediaRequest { name }).await.unwrap();
        let media = media.into_inner();
        assert_eq!(media.content_type, content_type);
        assert!(!media.body.is_empty() && media.body.len() < 300_000);
    }
}

async fn news_videos_are_playable(site: Seeded) {
    let mut videos = site.videos();
    let all = videos.list_news_videos(wire::ListNewsVideosRequest::default()).await.unwrap();
    let all = all.into_inner().items;
    assert_eq!(all.len(), 4);
    assert!(all.is_sorted_by_key(|video| std::cmp::Reverse(video.published_at)));
    for video in &all {
        assert!(!video.title_sa.is_empty() && video.title == video.title_en && video.sample);
        plays(&site, video.playback.as_ref().unwrap()).await;
    }
    for market in ["us", "saudi"] {
        let request = wire::ListNewsVideosRequest { market: market.into(), ..Default::default() };
        let found = videos.list_news_videos(request).await.unwrap().into_inner().items;
        assert!(found.len() == 2 && found.iter().all(|video| video.market == market));
    }
    let request = wire::ListNewsVideosRequest { size: 3, ..Default::default() };
    let page = videos.list_news_videos(request.clone()).await.unwrap().into_inner();
    let request = wire::ListNewsVideosRequest { cursor: page.next_cursor, ..request };
    let rest = videos.list_news_videos(request).await.unwrap().into_inner();
    assert_eq!((page.items.len(), rest.items.len(), &*rest.next_cursor), (3, 1, ""));

    let request = wire::GetNewsVideoRequest { id: all[0].id };
    assert_eq!(videos.get_news_video(request).await.unwrap().into_inner().video.unwrap(), all[0]);
    let request = wire::BatchGetNewsVideosRequest { ids: vec![7, all[1].id] };
    assert_eq!(
        videos.batch_get_news_videos(request).await.unwrap().into_inner().items,
        [all[1].clone()]
    );
    let request = wire::WithdrawNewsVideosRequest { ids: vec![all[0].id] };
    videos.withdraw_news_videos(request).await.unwrap();
    for (id, expected) in [(all[0].id, ErrorCode::ArticleNotFound), (0, ErrorCode::Parameter)] {
        let status = videos.get_news_video(wire::GetNewsVideoRequest { id }).await.unwrap_err();
        assert_eq!(code(&status), expected);
    }
}

async fn college_videos_are_playable(site: Seeded) {
    let mut college = site.college();
    for (video_id, course, article) in [(5001, 101, 1002), (5002, 107, 1027), (5003, 113, 1049)] {
        let request =
            wire::GetCourseRequest { course_id: course.to_string(), ..Default::default() };
        let of_course = college.get_course(request).await.unwrap().into_inner().videos;
        let request = wire::GetCollegeArticleRequest {
            article_id: article.to_string(),
            ..Default::default()
        };
        let of_article = college.get_college_article(request).await.unwrap().into_inner().videos;
        let request = wire::GetCollegeVideoRequest { video_id };
        let one = college.get_college_video(request).await.unwrap().into_inner().video.unwrap();
        assert_eq!((of_course, of_article), (vec![one.clone()], vec![one.clone()]));
        assert_eq!((one.course_id, one.article_id), (course, article));
        let playback = one.playback.unwrap();
        assert_eq!((&one.address, one.duration), (&playback.sources[0].address, playback.duration));
        plays(&site, &playback).await;
    }
    let request = wire::GetCourseRequest { course_id: "102".into(), ..Default::default() };
    assert!(college.get_course(request).await.unwrap().into_inner().videos.is_empty());
}
