//! Surrogate tags (docs/page-cache.md): a change log names those of a change, and a caller attaches them to each cache
//! entry that it builds from a response.
//!
//! | tag | entries built from a response of |
//! | --- | --- |
//! | `news:{id}` | `GetArticle`, `BatchGetArticles` and `ListRelatedStocks` of that id, also when it was not found |
//! | `news:list:{market}` | `ListArticles` of that market (`all`, `us`, `saudi`); `all` also `ListArticleRefs` and `ListRecommendedNews`, beside the list of the article's market |
//! | `news:tabs` | `ListTabs`; `ListTabArticles` too, beside the list of the tab's market |
//! | `news:stocks` | all that show texts of news or the securities in them: `GetArticle`, `ListRelatedStocks`, `ListFlashNews`, `ListStocks` |
//! | `news:flash:{market}` | `ListFlashNews` of that market (`all`, `us`, `saudi`) |
//! | `news:videos:{market}` | `ListNewsVideos` of that market (`all`, `us`, `saudi`); `all` also `GetNewsVideo` |
//! | `banner:{position_code}` | `ListPositionImages` and `BatchListPositionImages` of that position, also when it shows none |
//! | `college:categories` | `GetHome`, `ListModules`, `ListCourses`, `ListCategories`; a course or breadcrumb that was not found |
//! | `college:category:{id}` | `GetCourse`, `GetCollegeBreadcrumb` and `GetCollegeArticle` within that category |
//! | `college:navigation` | `GetNavigation`; its changes are soft |
//! | `college:course:{id}` | `GetCourse` of that id, `ListCollegeArticles` of that course, `GetCollegeBreadcrumb` through it, `GetCollegeArticle` of an article in it |
//! | `college:articles` | `ListCollegeArticles` of a category or of all, `GetHome`, `ListRecommendedArticles`, `ListCollegeArticleRefs`; an article that was not found by its slug |
//! | `college:company` | `ListCompanyArticles`, `ListRecommendedArticles` of a company article, `ListCollegeArticleRefs` |
//! | `college:article:{id}` | `GetCollegeArticle` of that id, also when it was not found |
//! | `college:video:{id}` | `GetCollegeVideo` of that id |
//! | `help:channels` | `GetHelpChannelTree`, `GetHelpClassification`, `GetHelpChannel`, `GetHelpBreadcrumb` |
//! | `help:channel:{id}` | `GetHelpChannel` of that id (its documents) |
//! | `help:documents` | `GetHelpClassification`, `ListCommonQuestions`, `ListHelpDocumentRefs`; a document that was not found by its slug |
//! | `help:doc:{id}` | `GetHelpDocument` and `GetHelpBreadcrumb` of that id, also when it was not found |
//! | `help:legal` | `ListLegalDocuments`, `ListHelpDocumentRefs` |
//! | `help:seo` | `GetHelpSeoInfo` |
//! | `search:synonyms` | nothing that is cached: searches are not |
//! | `config:menu` | `GetMenu` |
//! | `config:items` | `GetWebConfig`, `GetCommonConfig`, `GetAppConfig`, `GetUrls` |
//! | `config:stores` | `GetDownloadInfo`, `GetDownloadLinkInfo` |
//! | `config:fees` | `GetFeeSchedule` |
//! | `config:switches` | `ListSwitches`; stands on no page |
//! | `config:countries` | `ListTelCodes`, `ListCountries` |
//! | `activity:{id}` | every answer about that campaign, also when it does not exist; `ListDraws` of it |
//! | `activity:list` | `ListCampaigns` |
//! | `activity:share` | `GetShareValue` |

/// The tabs of the news page.
pub const NEWS_TABS: &str = "news:tabs";

/// The securities whose names texts mention. An import purges it; each content service purges it once
/// more, softly, when it has reloaded the names.
pub const NEWS_STOCKS: &str = "news:stocks";

/// The menu.
pub const CONFIG_MENU: &str = "config:menu";

/// Web config items.
pub const CONFIG_ITEMS: &str = "config:items";

/// App store links.
pub const CONFIG_STORES: &str = "config:stores";

/// Feature switches.
pub const CONFIG_SWITCHES: &str = "config:switches";

/// The fee schedule.
pub const CONFIG_FEES: &str = "config:fees";

/// Countries and telephone codes.
pub const CONFIG_COUNTRIES: &str = "config:countries";

/// One article, in all locales.
pub fn news(id: u64) -> String {
    format!("news:{id}")
}

/// The list of a market's articles, in all locales; an empty market is every market.
pub fn news_list(market: &str) -> String {
    of_market("news:list", market)
}

/// The flash news of a market, in all locales; an empty market is every market.
pub fn news_flash(market: &str) -> String {
    of_market("news:flash", market)
}

/// The videos of a market; an empty market is every market.
pub fn news_videos(market: &str) -> String {
    of_market("news:videos", market)
}

fn of_market(list: &str, market: &str) -> String {
    format!("{list}:{}", if market.is_empty() { "all" } else { market })
}

/// The banners of a position; tags are in lower case.
pub fn banner(position_code: &str) -> String {
    format!("banner:{}", position_code.to_ascii_lowercase())
}

/// Categories and courses of the college.
pub const COLLEGE_CATEGORIES: &str = "college:categories";

/// The college's categories and courses in the menu of every page. Its changes are soft.
pub const COLLEGE_NAVIGATION: &str = "college:navigation";

/// Articles of the college, of all courses.
pub const COLLEGE_ARTICLES: &str = "college:articles";

/// Articles about the company.
pub const COLLEGE_COMPANY: &str = "college:company";

/// Channels of the help centre.
pub const HELP_CHANNELS: &str = "help:channels";

/// Documents of the help centre, of all channels.
pub const HELP_DOCUMENTS: &str = "help:documents";

/// Legal documents.
pub const HELP_LEGAL: &str = "help:legal";

/// Titles and descriptions of the help centre's pages.
pub const HELP_SEO: &str = "help:seo";

/// Synonyms of searches.
pub const SEARCH_SYNONYMS: &str = "search:synonyms";

/// One category, in the breadcrumb of a course or an article.
pub fn college_category(id: u64) -> String {
    format!("college:category:{id}")
}

/// One course and its articles.
pub fn college_course(id: u64) -> String {
    format!("college:course:{id}")
}

/// One article of the college or about the company, in all locales.
pub fn college_article(id: u64) -> String {
    format!("college:article:{id}")
}

/// One video.
pub fn college_video(id: u64) -> String {
    format!("college:video:{id}")
}

/// The documents of one channel.
pub fn help_channel(id: u64) -> String {
    format!("help:channel:{id}")
}

/// One help or legal document, in all locales.
pub fn help_document(id: u64) -> String {
    format!("help:doc:{id}")
}

/// All campaigns.
pub const ACTIVITY_LIST: &str = "activity:list";

/// Texts of shared links, by channel.
pub const ACTIVITY_SHARE: &str = "activity:share";

/// One campaign, in all locales.
pub fn activity(id: u64) -> String {
    format!("activity:{id}")
}
