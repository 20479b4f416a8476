//! The college's rpcs, with the seed.
use sahm_chassis::ErrorCode;
use sahm_content::domain::{
    Bilingual, CollegeVideo, Course, Entry, EntryData, EntryKind, Group, Level, Locale, Playback,
    Text, VideoSource,
};
use sahm_proto::content::v1 as wire;

use crate::{
    on_both_engines, on_the_seed,
    seeded::{Seeded, code, fields, visiting},
    support::{Base, NOW, changes, soft_changes, tags},
};

on_the_seed!(
    home_and_navigation_show_the_seed,
    navigation_lists_all_courses,
    courses_and_articles_are_paged,
    article_is_found_by_id_and_slug,
    article_under_a_wrong_parent_is_not_found,
    likes_count_once_per_visitor,
    video_progress_is_remembered,
);
on_both_engines!(
    many_articles_are_paged_without_gaps,
    changes_have_the_tags_of_their_items_and_lists,
    menu_changes_purge_the_menu_softly,
    entry_dated_ahead_is_not_returned,
);

async fn home_and_navigation_show_the_seed(site: Seeded) {
    let request = wire::GetHomeRequest { locale: "ar-sa".into() };
    let home = site.college().get_home(request).await.unwrap().into_inner();
    assert!(home.modules.len() >= 6 && home.latest_articles.len() == 8);
    assert!(home.modules.iter().all(|module| module.id == module.category.as_ref().unwrap().id));
    assert!(home.latest_articles.iter().all(|article| article.locale == "ar-sa"));
    assert!(home.latest_articles.iter().all(|article| article.category_id > 0));
    assert_eq!(home.research_centre.unwrap().slug, "sahm-research-center");
    assert!(!home.hot_courses.is_empty());
    let request =
        wire::ListCoursesRequest { size: 50, locale: "ar-sa".into(), ..Default::default() };
    let listed = site.college().list_courses(request).await.unwrap().into_inner();
    let courses = home.modules.iter().flat_map(|module| &module.courses);
    for course in courses.chain(&home.hot_courses) {
        let request = wire::GetCourseRequest {
            course_id: course.id.to_string(),
            locale: "ar-sa".into(),
            ..Default::default()
        };
        let articles = site.college().get_course(request).await.unwrap().into_inner().articles;
        let lessons = home.lessons.iter().find(|lessons| lessons.course_id == course.id).unwrap();
        assert!(listed.lessons.contains(lessons), "{}", course.slug);
        let ids: Vec<u64> = articles.iter().map(|article| article.id).collect();
        assert_eq!(lessons.article_ids, ids, "{}", course.slug);
        let minutes: u32 = articles.iter().map(|article| article.reading_minutes).sum();
        assert_eq!(lessons.reading_minutes, minutes, "{}", course.slug);
    }

    let request = wire::GetNavigationRequest {};
    let found = site.college().get_navigation(request).await.unwrap().into_inner();
    let first = &found.navigation_vo_list[0];
    assert_eq!((first.id, first.link.as_str()), (1, "/education/category/1"));
    assert_eq!((first.category_id, &first.category_name_sa), (1, &first.name_sa));
    assert_eq!(first.course_vo_list[0].seo_url, "first-steps-in-the-market");
    assert_eq!(
        first.course_vo_list[0].link,
        "/education/course/first-steps-in-the-market/1?pageFrom=2"
    );
    let last = found.hot_vo_list.last().unwrap();
    assert_eq!(last.link, "/education/course/sahm-research-center/6?pageFrom=2");
    assert!(last.external);
    let request = wire::ListModulesRequest {};
    assert!(site.college().list_modules(request).await.unwrap().into_inner().items.len() >= 6);
    let request = wire::ListCategoriesRequest {};
    assert!(site.college().list_categories(request).await.unwrap().into_inner().items.len() >= 6);
}

async fn navigation_lists_all_courses(site: Seeded) {
    let courses: Vec<Entry> = (10_001..=10_201).map(|id| course(id, 1)).collect();
    site.store().await.put(&courses, &[], NOW).await.unwrap();
    let request = wire::GetNavigationRequest {};
    let found = site.college().get_navigation(request).await.unwrap().into_inner();
    assert!(found.navigation_vo_list[0].course_vo_list.len() > courses.len());
    assert!(found.navigation_vo_list.iter().all(|category| !category.course_vo_list.is_empty()));
    let request = wire::ListModulesRequest {};
    let modules = site.college().list_modules(request).await.unwrap().into_inner().items;
    assert!(modules.iter().all(|module| !module.courses.is_empty()));
}

async fn courses_and_articles_are_paged(site: Seeded) {
    let mut college = site.college();
    let mut request = wire::ListCoursesRequest { size: 5, ..Default::default() };
    let mut seen = Vec::new();
    loop {
        let page = college.list_courses(request.clone()).await.unwrap().into_inner();
        seen.extend(
            page.items.iter().map(|course| (course.category_id, course.position, course.id)),
        );
        if page.next_cursor.is_empty() {
            break;
        }
        request.cursor = page.next_cursor;
    }
    assert!(seen.len() >= 12 && seen.is_sorted(), "{seen:?}");

    for (category_id, course_id) in [(0, ""), (1, ""), (0, "101"), (1, "first-steps-in-the-market")]
    {
        let mut request = wire::ListCollegeArticlesRequest {
            category_id,
            course_id: course_id.into(),
            size: 3,
            ..Default::default()
        };
        let mut seen = Vec::new();
        loop {
            let page = college.list_college_articles(request.clone()).await.unwrap().into_inner();
            seen.extend(page.items);
            if page.next_cursor.is_empty() {
                break;
            }
            request.cursor = page.next_cursor;
        }
        assert!(seen.len() >= 3);
        if course_id.is_empty() {
            assert!(seen.is_sorted_by(|a, b| a.published_at >= b.published_at));
        } else {
            assert!(seen.iter().all(|article| article.course_id == 101));
        }
        assert!(category_id == 0 || seen.iter().all(|one| one.category_id == category_id));
        let mut ids: Vec<u64> = seen.iter().map(|article| article.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), seen.len());
    }
    let company = wire::ListCompanyArticlesRequest { size: 50, ..Default::default() };
    let company = college.list_company_articles(company).await.unwrap().into_inner().items;
    assert!(company.len() >= 4 && company.iter().all(|one| one.kind == "company-article"));
    for (course_id, category_id) in [("999", 0), ("No Name", 0), ("", 999), ("101", 2)] {
        let course_id = course_id.to_owned();
        let request =
            wire::ListCollegeArticlesRequest { course_id, category_id, ..Default::default() };
        let status = college.list_college_articles(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::CourseNotFound);
    }
    let request = wire::ListCoursesRequest { category_id: 999, ..Default::default() };
    assert_eq!(code(&college.list_courses(request).await.unwrap_err()), ErrorCode::CourseNotFound);
    let request = wire::ListCoursesRequest { size: 51, ..Default::default() };
    assert_eq!(fields(&college.list_courses(request).await.unwrap_err()), ["size"]);
    let request = wire::ListCoursesRequest { cursor: "x".into(), ..Default::default() };
    assert_eq!(fields(&college.list_courses(request).await.unwrap_err()), ["cursor"]);
}

async fn article_is_found_by_id_and_slug(site: Seeded) {
    let mut college = site.college();
    let request = |article_id: &str| wire::GetCollegeArticleRequest {
        article_id: article_id.into(),
        locale: "ar-sa".into(),
        ..Default::default()
    };
    let by_id = college.get_college_article(request("1001")).await.unwrap().into_inner();
    let by_id = by_id.article.unwrap();
    assert_eq!((by_id.id, by_id.locale.as_str(), by_id.course_id), (1001, "ar-sa", 101));
    assert_eq!(by_id.available_locales, ["en-us", "ar-sa"]);
    assert!(by_id.body_html.contains("<h2>") && by_id.reading_minutes > 0);
    let by_slug = college.get_college_article(request(&by_id.slug)).await.unwrap().into_inner();
    assert_eq!(by_slug.article.as_ref(), Some(&by_id));

    let request = wire::ListRecommendedArticlesRequest {
        article_id: "1001".into(),
        size: 6,
        ..Default::default()
    };
    let six = college.list_recommended_articles(request.clone()).await.unwrap().into_inner();
    let (found, mut cursor, mut paged) = (six.items, String::new(), Vec::new());
    assert!(!six.next_cursor.is_empty());
    while paged.len() < found.len() {
        let request = wire::ListRecommendedArticlesRequest { size: 2, cursor, ..request.clone() };
        let page = college.list_recommended_articles(request).await.unwrap().into_inner();
        paged.extend(page.items);
        cursor = page.next_cursor;
    }
    assert_eq!(paged, found);
    assert_eq!((found.len(), found[0].course_id), (6, 101));
    assert!(found.iter().all(|article| article.id != 1001));

    let request = wire::GetCollegeBreadcrumbRequest {
        article_id: by_id.slug.clone(),
        locale: "ar-sa".into(),
        ..Default::default()
    };
    let steps = college.get_college_breadcrumb(request).await.unwrap().into_inner().items;
    let kinds: Vec<&str> = steps.iter().map(|step| step.kind.as_str()).collect();
    assert_eq!(kinds, ["category", "course", "article"]);
    assert_eq!(steps[2].link, format!("/education/article/{}/1/101", by_id.slug));

    let request = wire::GetCourseRequest { course_id: "101".into(), ..Default::default() };
    let course = college.get_course(request).await.unwrap().into_inner();
    assert!(course.articles.len() >= 3 && course.course.unwrap().image.is_some());
    let request = wire::ListCollegeArticleRefsRequest::default();
    let refs = college.list_college_article_refs(request).await.unwrap().into_inner().items;
    assert!(refs.len() >= 52 && refs.iter().all(|one| one.available_locales.len() == 2));
    let request =
        wire::BatchGetCollegeArticlesRequest { ids: vec![1002, 9, 1001], locale: "".into() };
    let found = college.batch_get_college_articles(request).await.unwrap().into_inner().items;
    assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [1002, 1001]);
}

async fn article_under_a_wrong_parent_is_not_found(site: Seeded) {
    let mut college = site.college();
    for (article_id, course_id, category_id) in [
        ("9", "", 0),
        ("Not A Slug", "", 0),
        ("1001", "102", 0),
        ("1001", "", 2),
        ("1001", "no-course", 0),
        ("1201", "101", 0),
    ] {
        let (article_id, course_id) = (article_id.to_owned(), course_id.to_owned());
        let request = wire::GetCollegeArticleRequest {
            article_id: article_id.clone(),
            course_id: course_id.clone(),
            category_id,
            ..Default::default()
        };
        let status = college.get_college_article(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::CourseNotFound);
        let request = wire::GetCollegeBreadcrumbRequest {
            article_id,
            course_id,
            category_id,
            ..Default::default()
        };
        let status = college.get_college_breadcrumb(request).await.unwrap_err();
        assert_eq!(code(&status), ErrorCode::CourseNotFound);
    }
    let request =
        wire::GetCourseRequest { course_id: "101".into(), category_id: 2, ..Default::default() };
    let status = college.get_course(request).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::CourseNotFound);
    let status = college.get_course(wire::GetCourseRequest::default()).await.unwrap_err();
    assert_eq!(fields(&status), ["course_id"]);
}

async fn likes_count_once_per_visitor(site: Seeded) {
    let other = site.replica().await;
    let seeded = changes(&site.store().await).await;
    let add = || wire::AddCollegeArticleLikeRequest { article_id: "1001".into() };
    let status = site.college().add_college_article_like(add()).await.unwrap_err();
    assert_eq!(fields(&status), ["visitor"]);
    let mut calls = tokio::task::JoinSet::new();
    for turn in 0..60 {
        let mut college = if turn % 2 == 0 { site.college() } else { other.college() };
        calls.spawn(async move {
            let visitor = format!("visitor-{}", turn % 20);
            visiting(&visitor, college.add_college_article_like(add())).await.unwrap();
        });
    }
    calls.join_all().await;
    let mut college = site.college();
    let answer = visiting("visitor-1", college.add_college_article_like(add())).await.unwrap();
    assert_eq!(answer.into_inner().count, 20);
    for _ in 0..2 {
        let cancel = wire::CancelCollegeArticleLikeRequest { article_id: "1001".into() };
        let answer = visiting("visitor-1", college.cancel_college_article_like(cancel)).await;
        assert_eq!(answer.unwrap().into_inner().count, 19);
    }
    for count in 1..=2 {
        let request = wire::AddCollegeArticleReadLogRequest { article_id: "1001".into() };
        let answer = college.add_college_article_read_log(request).await.unwrap().into_inner();
        assert_eq!((answer.id, answer.count), (1001, count));
    }
    let request =
        wire::GetCollegeArticleRequest { article_id: "1001".into(), ..Default::default() };
    let article = college.get_college_article(request).await.unwrap().into_inner().article.unwrap();
    assert_eq!((article.like_count, article.read_count), (19, 2));
    assert_eq!(changes(&site.store().await).await, seeded, "counts are no content");
}

async fn video_progress_is_remembered(site: Seeded) {
    let video = Entry {
        id: 5,
        locale: None,
        slug: String::new(),
        published_at: 1,
        body_html: String::new(),
        data: EntryData::CollegeVideo(CollegeVideo {
            course: 101,
            name: Bilingual { en: "One".into(), sa: "واحد".into() },
            playback: Playback {
                sources: vec![VideoSource {
                    address: "/media/one.mp4".into(),
                    content_type: "video/mp4".into(),
                }],
                duration: 90,
                ..Playback::default()
            },
            ..CollegeVideo::default()
        }),
    };
    site.store().await.put(&[video], &[], NOW).await.unwrap();
    let mut college = site.college();
    let result = |position, duration| wire::UploadCollegeVideoResultRequest {
        video_id: 5,
        position,
        duration,
    };
    for (request, field) in [
        (result(91, 90), "position"),
        (result(1, 0), "duration"),
        (result(86_400, 86_400), "duration"),
        (result(1, 92), "duration"),
    ] {
        let status = visiting("v", college.upload_college_video_result(request)).await.unwrap_err();
        assert_eq!(fields(&status), [field]);
    }
    for position in [30, 45] {
        let request = result(position, 90);
        let saved = visiting("v", college.upload_college_video_result(request)).await.unwrap();
        assert!(saved.into_inner().saved);
    }
    for (visitor, position) in [("v", 45), ("w", 0)] {
        let request = wire::GetCollegeVideoRequest { video_id: 5 };
        let found =
            visiting(visitor, college.get_college_video(request)).await.unwrap().into_inner();
        assert_eq!((found.position, found.video.unwrap().name_sa), (position, "واحد".into()));
    }
    let request = wire::GetCollegeVideoRequest { video_id: 6 };
    let status = college.get_college_video(request).await.unwrap_err();
    assert_eq!(code(&status), ErrorCode::ArticleNotFound);
}

/// An article of course 1 that was published `NOW - id` seconds ago.
fn article(id: u64, course: u64) -> Entry {
    let text = Text {
        parent: course,
        position: u32::try_from(id % 7).unwrap(),
        title: format!("Title {id}"),
        summary: "One.".into(),
        reading_minutes: 1,
        ..Text::default()
    };
    Entry {
        id,
        locale: Some(Locale::EnUs),
        slug: format!("title-{id}"),
        published_at: NOW - u32::try_from(id).unwrap(),
        body_html: "<p>One</p>".into(),
        data: EntryData::CollegeArticle(text),
    }
}

fn course(id: u64, category: u64) -> Entry {
    let course = Course {
        category,
        position: 1,
        level: Level::Beginner,
        hot: false,
        name: Bilingual::default(),
        summary: Bilingual::default(),
        picture: None,
    };
    Entry { locale: None, data: EntryData::CollegeCourse(course), ..article(id, 0) }
}

async fn many_articles_are_paged_without_gaps(base: Base) {
    let store = base.open().await;
    store
        .put(&(1..=500).map(|id| article(id, 1 + id % 3)).collect::<Vec<_>>(), &[], NOW)
        .await
        .unwrap();
    let lists = ["course:1".to_owned(), "course:2".to_owned(), "course:3".to_owned()];
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = store
            .entries_of(EntryKind::CollegeArticle, &lists, Some(Locale::EnUs), after, 50, NOW)
            .await
            .unwrap();
        seen.extend(page.items.iter().map(|entry| (entry.id % 7, entry.id)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!((seen.len(), seen.is_sorted()), (500, true));
}

async fn changes_have_the_tags_of_their_items_and_lists(base: Base) {
    let store = base.open().await;
    let first = store.put(&[article(7, 1)], &[], NOW).await.unwrap();
    let again = store.put(&[article(7, 1)], &[], NOW + 1).await.unwrap();
    assert_eq!((first.added, again.unchanged), (1, 1));
    store.put(&[article(7, 2)], &[], NOW).await.unwrap();
    assert_eq!(store.withdraw(EntryKind::CollegeArticle, &[9, 7, 7]).await.unwrap(), [7]);
    assert_eq!(
        changes(&store).await,
        [
            tags(&["college:article:7", "college:course:1", "college:articles"]),
            tags(&[
                "college:article:7",
                "college:course:1",
                "college:course:2",
                "college:articles"
            ]),
            tags(&["college:article:7", "college:course:2", "college:articles"]),
        ]
    );
    for list in ["articles", "course:1", "course:2"] {
        let page = store
            .entries(EntryKind::CollegeArticle, list, Some(Locale::EnUs), None, 50, NOW)
            .await
            .unwrap();
        assert_eq!(page.items, []);
    }
}

async fn menu_changes_purge_the_menu_softly(base: Base) {
    let store = base.open().await;
    let entry = |id, data| Entry { id, locale: None, data, ..article(id, 0) };
    let category = EntryData::CollegeCategory(Group::default());
    store.put(&[entry(1, category)], &[], NOW).await.unwrap();
    store.put(&[course(5, 1), article(7, 5)], &[], NOW).await.unwrap();
    store.put(&[article(8, 5)], &[], NOW).await.unwrap();
    store.withdraw(EntryKind::CollegeArticle, &[7, 8]).await.unwrap();
    store.withdraw(EntryKind::CollegeCourse, &[5]).await.unwrap();
    let menu = tags(&["college:navigation"]);
    let course = ["college:categories", "college:course:5"];
    assert_eq!(
        changes(&store).await,
        [
            tags(&["college:categories", "college:category:1"]),
            menu.clone(),
            tags(&[&course[..], &["college:article:7", "college:articles"]].concat()),
            menu.clone(),
            tags(&["college:article:8", "college:course:5", "college:articles"]),
            tags(&[
                "college:article:7",
                "college:article:8",
                "college:course:5",
                "college:articles",
            ]),
            tags(&course),
            menu.clone(),
        ]
    );
    assert_eq!(soft_changes(&store).await, [menu.clone(), menu.clone(), menu]);
}

async fn entry_dated_ahead_is_not_returned(base: Base) {
    let store = base.open().await;
    let mut ahead = article(8, 1);
    ahead.published_at = NOW + 60;
    store.put(&[article(7, 1), ahead], &[], NOW).await.unwrap();
    for (now, ids, next) in [(NOW, vec![7], Some(NOW + 60)), (NOW + 60, vec![7, 8], None)] {
        let page = store
            .entries(EntryKind::CollegeArticle, "course:1", Some(Locale::EnUs), None, 50, now)
            .await
            .unwrap();
        let mut found: Vec<u64> = page.items.iter().map(|entry| entry.id).collect();
        found.sort_unstable();
        assert_eq!((found, page.next_change_at), (ids, next));
        let held = store.entry(EntryKind::CollegeArticle, 8, Locale::EnUs, now).await.unwrap();
        assert_eq!(held.is_some(), next.is_none());
    }
}
