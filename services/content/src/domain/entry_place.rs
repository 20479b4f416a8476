//! Where entries stand in lists, and what their changes name in the change log.
use super::{Entry, Head, lists, tags};

impl Entry {
    /// The lists in which it stands, and its rank there.
    pub fn places(&self) -> Vec<(String, i64)> {
        let newest = -i64::from(self.published_at);
        let within = |group: u64, position: u32| {
            i64::try_from(group).unwrap_or(i64::MAX >> 32) << 24
                | i64::from(position.min(0xff_ffff))
        };
        match &self.head {
            Head::CollegeCategory(group) => {
                vec![(lists::CATEGORIES.into(), group.position.into())]
            }
            Head::CollegeCourse(course) => {
                let rank = within(course.category, course.position);
                let mut places = vec![
                    (lists::COURSES.into(), rank),
                    (lists::category(course.category), course.position.into()),
                ];
                if course.hot {
                    places.push((lists::HOT.into(), rank));
                }
                places
            }
            Head::CollegeArticle(text) => vec![
                (lists::ARTICLES.into(), newest),
                (lists::course(text.parent), text.position.into()),
                (lists::newest_of_course(text.parent), newest),
            ],
            Head::CompanyArticle(_) => vec![(lists::COMPANY.into(), newest)],
            Head::HelpChannel(group) => {
                vec![(lists::channels(group.parent), group.position.into())]
            }
            Head::HelpDocument(text) => {
                let mut places = vec![(lists::channel(text.parent), text.position.into())];
                if text.common {
                    places.push((lists::COMMON.into(), within(text.parent, text.position)));
                }
                places
            }
            Head::LegalDocument(_) => vec![(lists::LEGAL.into(), 0)],
            Head::CollegeVideo(video) => {
                let mut places = vec![(lists::course_videos(video.course), video.position.into())];
                if video.article > 0 {
                    places.push((lists::article_videos(video.article), video.position.into()));
                }
                places
            }
            Head::NewsFlash(flash) => {
                let lists = flash.market.lists().iter();
                lists.map(|&list| (lists::flash(list), newest)).collect()
            }
            Head::NewsVideo(video) => {
                let lists = video.market.lists().iter();
                lists.map(|&list| (lists::news_videos(list), newest)).collect()
            }
            Head::ImageBanner(banner) => {
                vec![(lists::banners(&banner.position_code), banner.position.into())]
            }
            Head::SeoInfo(_) | Head::SearchSynonyms(_) | Head::Stock(_) => Vec::new(),
        }
    }

    /// The tags that a change of it purges softly: the college's menu stands on every page.
    pub fn soft_tags(&self) -> &'static [&'static str] {
        match &self.head {
            Head::CollegeCategory(_) | Head::CollegeCourse(_) => &[tags::COLLEGE_NAVIGATION],
            _ => &[],
        }
    }

    /// What a change of it names in the change log; of a moved one, the tags of before count too.
    pub fn tags(&self) -> Vec<String> {
        match &self.head {
            Head::CollegeCategory(_) => {
                vec![tags::COLLEGE_CATEGORIES.into(), tags::college_category(self.id)]
            }
            Head::CollegeCourse(_) => {
                vec![tags::COLLEGE_CATEGORIES.into(), tags::college_course(self.id)]
            }
            Head::CollegeArticle(text) => vec![
                tags::college_article(self.id),
                tags::college_course(text.parent),
                tags::COLLEGE_ARTICLES.into(),
            ],
            Head::CompanyArticle(_) => {
                vec![tags::college_article(self.id), tags::COLLEGE_COMPANY.into()]
            }
            Head::CollegeVideo(video) => {
                let mut tags = vec![tags::college_video(self.id)];
                tags.extend((video.course > 0).then(|| tags::college_course(video.course)));
                tags.extend((video.article > 0).then(|| tags::college_article(video.article)));
                tags
            }
            Head::HelpChannel(_) => vec![tags::HELP_CHANNELS.into()],
            Head::HelpDocument(text) => vec![
                tags::help_document(self.id),
                tags::help_channel(text.parent),
                tags::HELP_DOCUMENTS.into(),
            ],
            Head::LegalDocument(_) => {
                vec![tags::help_document(self.id), tags::HELP_LEGAL.into()]
            }
            Head::SeoInfo(_) => vec![tags::HELP_SEO.into()],
            Head::SearchSynonyms(_) => vec![tags::SEARCH_SYNONYMS.into()],
            Head::NewsFlash(flash) => {
                flash.market.lists().iter().map(|&list| tags::news_flash(list)).collect()
            }
            Head::NewsVideo(video) => {
                video.market.lists().iter().map(|&list| tags::news_videos(list)).collect()
            }
            Head::ImageBanner(banner) => vec![tags::banner(&banner.position_code)],
            Head::Stock(_) => vec![tags::NEWS_STOCKS.into()],
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::{
        Banner, Bilingual, Course, Flash, Group, Level, Market, NewsVideo, Stock, Synonyms, Text,
        Video,
    };

    fn entry(head: Head) -> Entry {
        Entry {
            id: 7,
            locale: None,
            slug: "seven".into(),
            published_at: 100,
            body_html: String::new(),
            head,
        }
    }

    fn text(parent: u64, common: bool) -> Text {
        Text { parent, position: 3, common, ..Text::default() }
    }

    #[test]
    fn places_and_tags() {
        let group = Group { parent: 2, position: 5, ..Group::default() };
        type Case = (Head, &'static [(&'static str, i64)], &'static [&'static str]);
        let course = |hot, position| {
            Head::CollegeCourse(Course {
                category: 2,
                position,
                level: Level::Beginner,
                hot,
                name: Bilingual::default(),
                summary: Bilingual::default(),
                picture: None,
            })
        };
        let synonyms = Synonyms { locale: "en-us".into(), terms: vec!["a".into(), "b".into()] };
        let table: [Case; 16] = [
            (
                Head::CollegeCategory(group.clone()),
                &[("categories", 5)],
                &["college:categories", "college:category:7"],
            ),
            (
                Head::CollegeArticle(text(9, false)),
                &[("articles", -100), ("course:9", 3), ("course-newest:9", -100)],
                &["college:article:7", "college:course:9", "college:articles"],
            ),
            (
                Head::CompanyArticle(text(0, false)),
                &[("company", -100)],
                &["college:article:7", "college:company"],
            ),
            (Head::HelpChannel(group), &[("channels:2", 5)], &["help:channels"]),
            (
                Head::HelpDocument(text(2, true)),
                &[("channel:2", 3), ("common", (2 << 24) + 3)],
                &["help:doc:7", "help:channel:2", "help:documents"],
            ),
            (Head::LegalDocument(text(0, false)), &[("legal", 0)], &["help:doc:7", "help:legal"]),
            (
                Head::CollegeVideo(Video {
                    course: 9,
                    article: 8,
                    position: 2,
                    ..Video::default()
                }),
                &[("course-videos:9", 2), ("article-videos:8", 2)],
                &["college:video:7", "college:course:9", "college:article:8"],
            ),
            (
                Head::NewsFlash(Flash { market: Market::Us, ..Flash::default() }),
                &[("flash:all", -100), ("flash:us", -100)],
                &["news:flash:all", "news:flash:us"],
            ),
            (
                course(false, 4),
                &[("courses", (2 << 24) + 4), ("category:2", 4)],
                &["college:categories", "college:course:7"],
            ),
            (
                // A position beyond 24 bits is the last of its category and not of the next.
                course(true, u32::MAX),
                &[
                    ("courses", (2 << 24) + 0xff_ffff),
                    ("category:2", 0xffff_ffff),
                    ("courses:hot", (2 << 24) + 0xff_ffff),
                ],
                &["college:categories", "college:course:7"],
            ),
            (
                Head::CollegeVideo(Video { course: 9, position: 2, ..Video::default() }),
                &[("course-videos:9", 2)],
                &["college:video:7", "college:course:9"],
            ),
            (
                Head::NewsVideo(NewsVideo { market: Market::Saudi, ..NewsVideo::default() }),
                &[("news-videos:all", -100), ("news-videos:saudi", -100)],
                &["news:videos:all", "news:videos:saudi"],
            ),
            (
                Head::ImageBanner(Banner {
                    position_code: "SA_TOP_NEWS".into(),
                    position: 6,
                    ..Banner::default()
                }),
                &[("banners:SA_TOP_NEWS", 6)],
                &["banner:sa_top_news"],
            ),
            (Head::SeoInfo(Group::default()), &[], &["help:seo"]),
            (Head::SearchSynonyms(synonyms), &[], &["search:synonyms"]),
            (Head::Stock(Stock::default()), &[], &["news:stocks"]),
        ];
        for (head, places, tags) in table {
            let entry = entry(head);
            let found = entry.places();
            let found: Vec<_> = found.iter().map(|(list, rank)| (list.as_str(), *rank)).collect();
            assert_eq!(
                (found.as_slice(), entry.tags()),
                (places, tags.iter().map(|&tag| tag.into()).collect())
            );
            let soft: &[&str] = match &entry.head {
                Head::CollegeCategory(_) | Head::CollegeCourse(_) => &["college:navigation"],
                _ => &[],
            };
            assert_eq!(entry.soft_tags(), soft);
            let json = serde_json::to_string(&entry.head).unwrap();
            assert_eq!(serde_json::from_str::<Head>(&json).unwrap(), entry.head);
        }
    }
}
