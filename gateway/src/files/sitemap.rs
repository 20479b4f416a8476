//! `/sitemap.xml` and its parts: every page of the route table and every article, in the
//! languages in which they exist.

use std::{fmt::Write, sync::Arc, time::Duration};

use axum::body::Body;
use http::{Response, StatusCode, request::Parts};
use sahm_chassis::{error::Error, rpc};
use sahm_proto::content::v1::{ArticleRef, ListArticleRefsRequest};
use tokio::{sync::Mutex, time::Instant};

use super::answer::{self, File};
use crate::{
    routes::RouteTable,
    services::{self, Services},
    visitor::Locale,
};

/// Asked for anew each time: what content withdraws must leave at once.
const CACHE: &str = "no-cache";

/// The protocol allows 50,000 and 50 MB; a tenth of a part's memory is kinder to both sides.
const URLS_A_PART: usize = 10_000;

/// Articles a call.
const REFS_A_CALL: u32 = 5_000;

/// All calls for one answer.
const TIME: Duration = Duration::from_secs(8);

/// How long one walk through content serves: within the second of contract §6.
const WALK_HOLDS: Duration = Duration::from_millis(500);

/// Pages that are not for searchers.
const LEFT_OUT: [&str; 7] = [
    "not-found",
    "preview",
    "login",
    "support-search",
    "app-deep-link-landing",
    "app-deep-link-marketing-landing",
    "download-index_v1",
];

/// Pages that change with every article.
const NEWS_PAGES: [&str; 2] = ["home", "news"];

pub(super) struct Sitemap {
    services: Services,
    public_url: String,
    pages: Vec<Page>,
    walk: Mutex<Option<(Instant, Arc<Vec<ArticleRef>>)>>,
}

struct Page {
    path: String,
    with_news: bool,
}

/// One `<url>` in every language it exists in.
struct Entry {
    path: String,
    locales: Vec<Locale>,
    changed: Option<u32>,
}

impl Sitemap {
    pub(super) fn new(services: &Services, routes: &RouteTable, public_url: &str) -> Self {
        let listed = routes.iter().filter(|route| {
            let page = route.page.as_str();
            !route.pattern.contains('{') && !LEFT_OUT.contains(&page)
        });
        let pages = listed.map(|route| Page {
            path: route.pattern.trim_end_matches('/').to_owned(),
            with_news: NEWS_PAGES.contains(&route.page.as_str()),
        });
        Self {
            services: services.clone(),
            public_url: public_url.to_owned(),
            pages: pages.collect(),
            walk: Mutex::default(),
        }
    }

    /// The index or a part; unknown names are 404, content away is 503.
    pub(super) async fn answer(&self, parts: &Parts, name: &str) -> Response<Body> {
        let refs = match rpc::with_deadline(TIME, self.refs()).await.and_then(|refs| refs) {
            Ok(refs) => refs,
            Err(error) => {
                tracing::warn!(?error, "sitemap not available");
                return answer::unavailable(parts);
            }
        };
        match self.document(name, &refs) {
            Some(xml) => File::new(name, xml.into()).answer(parts, CACHE),
            None => answer::plain(parts, StatusCode::NOT_FOUND, "not found\n"),
        }
    }

    fn document(&self, name: &str, refs: &[ArticleRef]) -> Option<String> {
        let articles = entries(refs);
        let newest = articles.iter().filter_map(|entry| entry.changed).max();
        match name {
            "sitemap.xml" => Some(self.index(&articles, newest)),
            "sitemap-pages.xml" => {
                let pages = self.pages.iter().map(|page| Entry {
                    path: page.path.clone(),
                    locales: Locale::ALL.to_vec(),
                    changed: newest.filter(|_| page.with_news),
                });
                Some(self.part(&pages.collect::<Vec<_>>()))
            }
            _ => {
                let number = name.strip_prefix("sitemap-news-")?.strip_suffix(".xml")?;
                let plain = number.bytes().all(|byte| byte.is_ascii_digit());
                let number =
                    number.parse::<usize>().ok().filter(|_| plain && !number.starts_with('0'))?;
                let part = split(&articles, URLS_A_PART).into_iter().nth(number.checked_sub(1)?)?;
                Some(self.part(part))
            }
        }
    }

    fn index(&self, articles: &[Entry], newest: Option<u32>) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        let mut part = |name: &str, changed: Option<u32>| {
            let _ = write!(xml, "<sitemap><loc>{}/{name}</loc>", escaped(&self.public_url));
            lastmod(&mut xml, changed);
            xml.push_str("</sitemap>\n");
        };
        part("sitemap-pages.xml", newest);
        for (at, entries) in split(articles, URLS_A_PART).into_iter().enumerate() {
            let changed = entries.iter().filter_map(|entry| entry.changed).max();
            part(&format!("sitemap-news-{}.xml", at + 1), changed);
        }
        xml.push_str("</sitemapindex>\n");
        xml
    }

    fn part(&self, entries: &[Entry]) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
        );
        let url = escaped(&self.public_url);
        for entry in entries {
            let path = escaped(&entry.path);
            for locale in &entry.locales {
                let _ = write!(xml, "<url><loc>{url}{}{path}</loc>", locale.prefix());
                lastmod(&mut xml, entry.changed);
                let default = entry.locales.iter().find(|other| **other == Locale::EnUs);
                let alternates = entry.locales.iter().map(|other| (other.as_str(), other));
                for (name, other) in alternates.chain(default.map(|other| ("x-default", other))) {
                    let _ = write!(
                        xml,
                        "<xhtml:link rel=\"alternate\" hreflang=\"{name}\" href=\"{url}{}{path}\"/>",
                        other.prefix()
                    );
                }
                xml.push_str("</url>\n");
            }
        }
        xml.push_str("</urlset>\n");
        xml
    }

    /// Every article; requests of one moment share one walk.
    async fn refs(&self) -> Result<Arc<Vec<ArticleRef>>, Error> {
        let mut walk = self.walk.lock().await;
        if let Some((at, refs)) = walk.as_ref()
            && at.elapsed() < WALK_HOLDS
        {
            return Ok(refs.clone());
        }
        let begun = Instant::now();
        let mut refs = Vec::new();
        loop {
            let after_id = refs.last().map_or(0, |last: &ArticleRef| last.id);
            let request = ListArticleRefsRequest { size: REFS_A_CALL, after_id };
            let mut client = self.services.news()?;
            let page = services::reading(client.list_article_refs(request)).await?.items;
            let last = page.len() < REFS_A_CALL as usize;
            refs.extend(page);
            if last {
                break;
            }
        }
        let refs = Arc::new(refs);
        *walk = Some((begun, refs.clone()));
        Ok(refs)
    }
}

fn entries(refs: &[ArticleRef]) -> Vec<Entry> {
    let entries = refs.iter().map(|article| Entry {
        path: format!("/news/content/{}", article.id),
        locales: Locale::ALL
            .into_iter()
            .filter(|locale| article.available_locales.iter().any(|name| name == locale.as_str()))
            .collect(),
        changed: Some(article.updated_at).filter(|time| *time > 0),
    });
    entries.filter(|entry| !entry.locales.is_empty()).collect()
}

/// Parts of at most `most` addresses; an article's languages stay together.
fn split(entries: &[Entry], most: usize) -> Vec<&[Entry]> {
    let mut parts = Vec::new();
    let (mut begin, mut count) = (0, 0);
    for (at, entry) in entries.iter().enumerate() {
        if count + entry.locales.len() > most && at > begin {
            parts.push(&entries[begin..at]);
            (begin, count) = (at, 0);
        }
        count += entry.locales.len();
    }
    if begin < entries.len() {
        parts.push(&entries[begin..]);
    }
    parts
}

fn lastmod(xml: &mut String, changed: Option<u32>) {
    if let Some(time) = changed {
        let _ = write!(xml, "<lastmod>{}</lastmod>", super::timestamp(time));
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
#[path = "sitemap_tests.rs"]
mod tests;
