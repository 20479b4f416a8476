//! The lists that contain an entry, and the tags of its changes in the change log.
use crate::domain::{Entry, EntryData, lists, tags};

impl Entry {
    /// The lists that contain the entry, with its rank in each.
    pub fn list_positions(&self) -> Vec<(String, i64)> {
        let newest = -i64::from(self.published_at);
        let within = |group: u64, position: u32| {
            i64::try_from(group).unwrap_or(i64::MAX >> 32) << 24
                | i64::from(position.min(0xff_ffff))
        };
        match &self.data {
            EntryData::News(article) => {
                let lists = article.market.lists().iter();
                lists.map(|list| (list.as_str().to_owned(), newest)).collect()
            }
            EntryData::CollegeCategory(group) => {
                vec![(lists::CATEGORIES.into(), group.position.into())]
            }
            EntryData::CollegeCourse(course) => {
                let rank = within(course.category, course.position);
                let mut positions = vec![
                    (lists::COURSES.into(), rank),
                    (lists::category(course.category), course.position.into()),
                ];
                if course.hot {
                    positions.push((lists::HOT.into(), rank));
                }
                positions
            }
            EntryData::CollegeArticle(text) => vec![
                (lists::ARTICLES.into(), newest),
                (lists::course(text.parent), text.position.into()),
                (lists::newest_of_course(text.parent), newest),
            ],
            EntryData::CompanyArticle(_) => vec![(lists::COMPANY.into(), newest)],
            EntryData::HelpChannel(group) => {
                vec![(lists::channels(group.parent), group.position.into())]
            }
            EntryData::HelpDocument(text) => {
                let mut positions = vec![(lists::channel(text.parent), text.position.into())];
                if text.common {
                    positions.push((lists::COMMON.into(), within(text.parent, text.position)));
                }
                positions
            }
            EntryData::LegalDocument(_) => vec![(lists::LEGAL.into(), 0)],
            EntryData::CollegeVideo(video) => {
                let mut positions =
                    vec![(lists::course_videos(video.course), video.position.into())];
                if video.article > 0 {
                    positions.push((lists::article_videos(video.article), video.position.into()));
                }
                positions
            }
            EntryData::NewsFlash(flash) => {
                let lists = flash.market.lists().iter();
                lists.map(|&list| (lists::flash(list), newest)).collect()
            }
            EntryData::NewsVideo(video) => {
                let lists = video.market.lists().iter();
                lists.map(|&list| (lists::news_videos(list), newest)).collect()
            }
            EntryData::ImageBanner(banner) => {
                vec![(lists::banners(&banner.position_code), banner.position.into())]
            }
            EntryData::NewsTab(_)
            | EntryData::SeoInfo(_)
            | EntryData::SearchSynonyms(_)
            | EntryData::Stock(_) => Vec::new(),
        }
    }

    /// The surrogate tags that a change of the entry purges: those of the item and of the lists that
    /// contain it. If the entry moved, its previous tags are purged too. Read counts are not content
    /// and have no tag.
    pub fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = self.kind().tag(self.id).into_iter().collect();
        match &self.data {
            EntryData::News(article) => {
                tags.extend(
                    article.market.lists().iter().map(|list| tags::news_list(list.as_str())),
                );
            }
            EntryData::NewsTab(_) => tags.push(tags::NEWS_TABS.into()),
            EntryData::CollegeCategory(_) | EntryData::CollegeCourse(_) => {
                tags.push(tags::COLLEGE_CATEGORIES.into());
            }
            EntryData::CollegeArticle(text) => {
                tags.extend([tags::college_course(text.parent), tags::COLLEGE_ARTICLES.into()]);
            }
            EntryData::CompanyArticle(_) => tags.push(tags::COLLEGE_COMPANY.into()),
            EntryData::CollegeVideo(video) => {
                tags.extend((video.course > 0).then(|| tags::college_course(video.course)));
                tags.extend((video.article > 0).then(|| tags::college_article(video.article)));
            }
            EntryData::HelpChannel(_) => tags.push(tags::HELP_CHANNELS.into()),
            EntryData::HelpDocument(text) => {
                tags.extend([tags::help_channel(text.parent), tags::HELP_DOCUMENTS.into()]);
            }
            EntryData::LegalDocument(_) => tags.push(tags::HELP_LEGAL.into()),
            EntryData::SeoInfo(_) => tags.push(tags::HELP_SEO.into()),
            EntryData::SearchSynonyms(_) => tags.push(tags::SEARCH_SYNONYMS.into()),
            EntryData::NewsFlash(flash) => {
                tags.extend(
                    flash.market.lists().iter().map(|list| tags::news_flash(list.as_str())),
                );
            }
            EntryData::NewsVideo(video) => {
                tags.extend(
                    video.market.lists().iter().map(|list| tags::news_videos(list.as_str())),
                );
            }
            EntryData::ImageBanner(banner) => tags.push(tags::banner(&banner.position_code)),
            EntryData::Stock(_) => tags.push(tags::NEWS_STOCKS.into()),
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::{
        Banner, Bilingual, CollegeVideo, Course, FlashNews, Group, Level, Market, NewsArticle,
        NewsTab, NewsVideo, Stock, Synonyms, Text,
    };

    fn entry(data: EntryData) -> Entry {
        Entry {
            id: 7,
            locale: None,
            slug: "seven".into(),
            published_at: 100,
            body_html: String::new(),
            data,
        }
    }

    fn text(parent: u64, common: bool) -> Text {
        Text { parent, position: 3, common, ..Text::default() }
    }

    #[test]
    fn entries_have_their_lists_ranks_and_tags() {
        let group = Group { parent: 2, position: 5, ..Group::default() };
        type Case = (EntryData, &'static [(&'static str, i64)], &'static [&'static str]);
        let course = |hot, position| {
            EntryData::CollegeCourse(Course {
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
        let news = |market| EntryData::News(NewsArticle { market, ..NewsArticle::default() });
        let table: [Case; 21] = [
            (
                news(Market::Us),
                &[("all", -100), ("us", -100)],
                &["news:7", "news:list:all", "news:list:us"],
            ),
            (
                news(Market::All),
                &[("all", -100), ("us", -100), ("saudi", -100)],
                &["news:7", "news:list:all", "news:list:us", "news:list:saudi"],
            ),
            (
                news(Market::Saudi),
                &[("all", -100), ("saudi", -100)],
                &["news:7", "news:list:all", "news:list:saudi"],
            ),
            (news(Market::Empty), &[("all", -100)], &["news:7", "news:list:all"]),
            (EntryData::NewsTab(NewsTab::default()), &[], &["news:tabs"]),
            (
                EntryData::CollegeCategory(group.clone()),
                &[("categories", 5)],
                &["college:category:7", "college:categories"],
            ),
            (
                EntryData::CollegeArticle(text(9, false)),
                &[("articles", -100), ("course:9", 3), ("course-newest:9", -100)],
                &["college:article:7", "college:course:9", "college:articles"],
            ),
            (
                EntryData::CompanyArticle(text(0, false)),
                &[("company", -100)],
                &["college:article:7", "college:company"],
            ),
            (EntryData::HelpChannel(group), &[("channels:2", 5)], &["help:channels"]),
            (
                EntryData::HelpDocument(text(2, true)),
                &[("channel:2", 3), ("common", (2 << 24) + 3)],
                &["help:doc:7", "help:channel:2", "help:documents"],
            ),
            (
                EntryData::LegalDocument(text(0, false)),
                &[("legal", 0)],
                &["help:doc:7", "help:legal"],
            ),
            (
                EntryData::CollegeVideo(CollegeVideo {
                    course: 9,
                    article: 8,
                    position: 2,
                    ..CollegeVideo::default()
                }),
                &[("course-videos:9", 2), ("article-videos:8", 2)],
                &["college:video:7", "college:course:9", "college:article:8"],
            ),
            (
                EntryData::NewsFlash(FlashNews { market: Market::Us, ..FlashNews::default() }),
                &[("flash:all", -100), ("flash:us", -100)],
                &["news:flash:all", "news:flash:us"],
            ),
            (
                course(false, 4),
                &[("courses", (2 << 24) + 4), ("category:2", 4)],
                &["college:course:7", "college:categories"],
            ),
            (
                // Positions are clamped to 24 bits, so that a rank stays within its category.
                course(true, u32::MAX),
                &[
                    ("courses", (2 << 24) + 0xff_ffff),
                    ("category:2", 0xffff_ffff),
                    ("courses:hot", (2 << 24) + 0xff_ffff),
                ],
                &["college:course:7", "college:categories"],
            ),
            (
                EntryData::CollegeVideo(CollegeVideo {
                    course: 9,
                    position: 2,
                    ..CollegeVideo::default()
                }),
                &[("course-videos:9", 2)],
                &["college:video:7", "college:course:9"],
            ),
            (
                EntryData::NewsVideo(NewsVideo { market: Market::Saudi, ..NewsVideo::default() }),
                &[("news-videos:all", -100), ("news-videos:saudi", -100)],
                &["news:videos:all", "news:videos:saudi"],
            ),
            (
                EntryData::ImageBanner(Banner {
                    position_code: "SA_TOP_NEWS".into(),
                    position: 6,
                    ..Banner::default()
                }),
                &[("banners:SA_TOP_NEWS", 6)],
                &["banner:sa_top_news"],
            ),
            (EntryData::SeoInfo(Group::default()), &[], &["help:seo"]),
            (EntryData::SearchSynonyms(synonyms), &[], &["search:synonyms"]),
            (EntryData::Stock(Stock::default()), &[], &["news:stocks"]),
        ];
        for (data, positions, tags) in table {
            let entry = entry(data);
            let found = entry.list_positions();
            let found: Vec<_> = found.iter().map(|(list, rank)| (list.as_str(), *rank)).collect();
            assert_eq!(
                (found.as_slice(), entry.tags()),
                (positions, tags.iter().map(|&tag| tag.into()).collect())
            );
            let soft: &[&str] = match &entry.data {
                EntryData::CollegeCategory(_) | EntryData::CollegeCourse(_) => {
                    &["college:navigation"]
                }
                _ => &[],
            };
            assert_eq!(entry.kind().soft_tags(), soft);
            let json = serde_json::to_string(&entry.data).unwrap();
            assert_eq!(serde_json::from_str::<EntryData>(&json).unwrap(), entry.data);
        }
    }
}
