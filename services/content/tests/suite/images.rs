//! Banners at positions of pages.
use sahm_chassis::ErrorCode;
use sahm_content::domain::{Banner, Bilingual, DisplayPeriod, Entry, EntryData, Larger, Picture};
use sahm_proto::content::v1 as wire;

use crate::{
    on_the_seed,
    seeded::{Seeded, code, fields},
    support::{NOW, bilingual, changes, tags},
};

on_the_seed!(banners_of_the_news_pages_are_returned, banners_show_strictly_between_begin_and_end);

fn position(code: &str, locale: &str) -> wire::ListPositionImagesRequest {
    wire::ListPositionImagesRequest {
        client_type: 3,
        position_code: code.into(),
        locale: locale.into(),
    }
}

fn positions(codes: &str) -> wire::BatchListPositionImagesRequest {
    wire::BatchListPositionImagesRequest {
        client_type: 3,
        position_code_list: codes.into(),
        ..Default::default()
    }
}

async fn banners_of_the_news_pages_are_returned(site: Seeded) {
    let mut images = site.images();
    let mut paths = Vec::new();
    for (locale, title) in [
        ("en-us", "How the Saudi index is calculated, and what it does not tell you"),
        ("ar-sa", "كيف يُحسب مؤشر السوق السعودية؟ وما الذي لا يخبرك به؟"),
    ] {
        let shown = images.list_position_images(position("SA_TOP_NEWS", locale)).await.unwrap();
        let shown = shown.into_inner();
        assert!(shown.items.len() >= 2 && shown.next_change_at > NOW);
        let first = &shown.items[0];
        let image = first.image.clone().unwrap();
        assert_eq!((&*first.title, &*image.alt, image.width), (title, title, 1200));
        paths.push(image.path.clone());
        let name = image.path.strip_prefix("/media/").unwrap().to_owned();
        let media = site.media().get_media(wire::GetMediaRequest { name }).await.unwrap();
        assert_eq!(media.into_inner().content_type, "image/svg+xml");

        assert_eq!(
            (first.url_type, first.content_id, &*first.url),
            (2, 1015, "/news/content/1015")
        );
        assert_eq!(first.redirect.clone().unwrap().value.unwrap().url, "/news/content/1015");
        assert_eq!((first.timestamp, &*first.origin), (first.begin_time, "SA_TOP_NEWS"));
        let data = first.content_data.clone().unwrap();
        assert_eq!(
            (&*data.seo_url, data.timestamp, &*data.origin),
            ("1015", first.begin_time, "SA_TOP_NEWS")
        );
        let last = shown.items.last().unwrap();
        assert_eq!((last.url_type, last.content_id, last.content_data.clone()), (1, 0, None));
    }
    assert_ne!(paths[0], paths[1], "each language has its picture");

    let request = positions("US_TOP_NEWS,NO_SUCH,SA_TOP_NEWS");
    let first = images.batch_list_position_images(request).await.unwrap().into_inner();
    let codes: Vec<_> = first.items.iter().map(|banner| &*banner.position_code).collect();
    assert_eq!(codes, ["US_TOP_NEWS", "SA_TOP_NEWS"]);
    assert_eq!(first.items[1].content_id, 1015);

    let none = images.list_position_images(position("NO_SUCH", "")).await.unwrap().into_inner();
    assert_eq!(none, wire::ListPositionImagesResponse::default());
    let app = wire::ListPositionImagesRequest { client_type: 1, ..position("SA_TOP_NEWS", "") };
    let none = images.list_position_images(app).await.unwrap().into_inner();
    assert!(none.items.is_empty());
    let status = images.list_position_images(position("", "")).await.unwrap_err();
    assert_eq!(fields(&status), ["position_code"]);
    let status = images.batch_list_position_images(positions(",")).await.unwrap_err();
    assert_eq!(fields(&status), ["position_code_list"]);
}

fn banner(id: u64, begin: u32, end: u32) -> Entry {
    let banner = Banner {
        position_code: "TEST".into(),
        position_name: Bilingual { en: "Test".into(), sa: String::new() },
        position: u32::try_from(id).unwrap(),
        title: Bilingual { en: "T".into(), sa: String::new() },
        picture: Some(Picture {
            name: "0123456789abcdef.svg".into(),
            width: 3,
            height: 1,
            larger: Larger::default(),
        }),
        url: "https://www.example.com/".into(),
        display_period: DisplayPeriod { begin, end },
        ..Banner::default()
    };
    bilingual(id, EntryData::ImageBanner(banner))
}

async fn banners_show_strictly_between_begin_and_end(site: Seeded) {
    let store = site.store().await;
    let items = [banner(1, NOW, NOW + 10), banner(2, NOW - 5, NOW + 5), banner(3, NOW - 9, NOW)];
    store.put(&items, &[], NOW).await.unwrap();
    let mut images = site.images();
    for (later, ids, next) in [
        (0, &[2][..], NOW + 1),
        (1, &[1, 2], NOW + 5),
        (4, &[1, 2], NOW + 5),
        (5, &[1], NOW + 10),
        (9, &[1], NOW + 10),
        (10, &[], 0),
    ] {
        site.clock.set(NOW + later);
        let shown = images.list_position_images(position("TEST", "ar-sa")).await.unwrap();
        let shown = shown.into_inner();
        let found: Vec<_> = shown.items.iter().map(|banner| banner.id).collect();
        assert_eq!((&*found, shown.next_change_at), (ids, next), "{later} s later");
        let batch =
            images.batch_list_position_images(positions("TEST")).await.unwrap().into_inner();
        let first: Vec<_> = batch.items.iter().map(|banner| banner.id).collect();
        assert_eq!(first, ids.iter().copied().take(1).collect::<Vec<_>>());
        assert_eq!(batch.next_change_at, next);
        assert!(shown.items.iter().all(|banner| banner.title == "T"));
    }
    let request = wire::ListBannersRequest { position_code: "TEST".into(), ..Default::default() };
    let every = images.list_banners(request).await.unwrap().into_inner().items;
    assert_eq!(every.len(), 3);
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    loop {
        let position_code = "TEST".into();
        let request =
            wire::ListBannersRequest { position_code, size: 1, cursor, ..Default::default() };
        let page = images.list_banners(request).await.unwrap().into_inner();
        paged.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(paged, every);
    let missing = images.get_banner(wire::GetBannerRequest { id: 77, ..Default::default() }).await;
    assert_eq!(code(&missing.unwrap_err()), ErrorCode::NotFound);
    site.clock.set(NOW);
    let request = wire::WithdrawBannersRequest { ids: vec![2, 9] };
    let gone = images.withdraw_banners(request).await.unwrap().into_inner();
    assert_eq!(gone.withdrawn_ids, [2]);
    let shown = images.list_position_images(position("TEST", "")).await.unwrap().into_inner();
    assert!(shown.items.is_empty());
    let log = changes(&store).await;
    assert_eq!(log[log.len() - 2..], [tags(&["banner:test"]), tags(&["banner:test"])]);
}
