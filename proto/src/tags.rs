//! Surrogate tags (contract §6): what changes name in a change log, and what a caller puts on
//! whatever it made from an answer.
//!
//! | tag | on what was made from |
//! | --- | --- |
//! | `news:{id}` | `GetArticle` and `BatchGetArticles` of that id, also when it was not found |
//! | `news:list:{market}` | `ListArticles` of that market (`all`, `us`, `saudi`); `all` also `ListArticleRefs` |
//! | `news:tabs` | `ListTabs`; `ListTabArticles` too, beside the list of the tab's market |
//! | `config:menu` | `GetMenu` |
//! | `config:items` | `GetWebConfig`, `GetCommonConfig` |
//! | `config:stores` | `GetDownloadInfo` |
//! | `config:fees` | `GetFeeSchedule` |
//! | `config:countries` | `ListTelCodes`, `ListCountries` |

/// The tabs of the news page.
pub const NEWS_TABS: &str = "news:tabs";

/// The menu.
pub const CONFIG_MENU: &str = "config:menu";

/// Web config items.
pub const CONFIG_ITEMS: &str = "config:items";

/// Where the app is to be had.
pub const CONFIG_STORES: &str = "config:stores";

/// The fee schedule.
pub const CONFIG_FEES: &str = "config:fees";

/// Countries and telephone codes.
pub const CONFIG_COUNTRIES: &str = "config:countries";

/// One article, in whatever locale.
pub fn news(id: u64) -> String {
    format!("news:{id}")
}

/// The list of a market's articles, in whatever locale; an empty market is every market.
pub fn news_list(market: &str) -> String {
    format!("news:list:{}", if market.is_empty() { "all" } else { market })
}
