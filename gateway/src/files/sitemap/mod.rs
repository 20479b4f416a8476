//! `/sitemap.xml` and its parts: every page of the route table and every item of content, in the
//! languages in which they exist.

mod catalogue;

use std::{
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::body::Body;
use http::{Response, StatusCode, request::Parts};
use sahm_chassis::rpc;
use tokio::time::Instant;

use self::catalogue::{Catalogue, Entry};
use super::{
    answer::{self, File},
    miss_limit::MissLimit,
};
use crate::{
    limits::REDIS_TIME_API, routes::RouteTable, services::Services, single_flight::SharedTask,
    visitor::Locale,
};

/// Requested each time: withdrawn content must leave at once.
const CACHE: &str = "no-cache";

/// The protocol allows 50,000 and 50 MB; a tenth of a part's memory is kinder to both sides.
const URLS_A_PART: usize = 10_000;

/// All calls for one answer.
const TIME: Duration = Duration::from_secs(8);

/// How long one walk through content serves: within the second of docs/page-cache.md.
const WALK_HOLDS: Duration = Duration::from_millis(500);

/// Pages that are not for searchers, or whose address is a redirect for some of them.
const LEFT_OUT: [&str; 9] = [
    "not-found",
    "preview",
    "login",
    "support-search",
    "app-deep-link-landing",
    "app-deep-link-marketing-landing",
    "download-index_v1",
    "activity-seed",
    "activity-pre-activity-new",
];

/// Pages with a parameter that are themselves without it: `/about`.
const WHOLE_WITHOUT: [&str; 1] = ["about"];

/// Pages that change with every article.
const NEWS_PAGES: [&str; 2] = ["home", "news"];

pub(super) struct Sitemap {
    services: Services,
    uncached: MissLimit,
    public_url: String,
    pages: Vec<Page>,
    walk: Mutex<Option<Walk>>,
}

/// A walk through the services, running or done.
struct Walk {
    began: Instant,
    catalogue: SharedTask<Arc<Catalogue>>,
}

struct Page {
    path: String,
    with_news: bool,
}

impl Sitemap {
    pub(super) fn new(
        services: &Services,
        routes: &RouteTable,
        public_url: &str,
        uncached: MissLimit,
    ) -> Self {
        let listed = routes.iter().filter(|route| {
            let page = route.page.as_str();
            let whole = !route.pattern.contains('{') || WHOLE_WITHOUT.contains(&page);
            whole && !LEFT_OUT.contains(&page)
        });
        let pages = listed.map(|route| Page {
            path: route.pattern.split("/{").next().unwrap_or_default().trim_end_matches('/').into(),
            with_news: NEWS_PAGES.contains(&route.page.as_str()),
        });
        Self {
            services: services.clone(),
            uncached,
            public_url: public_url.to_owned(),
            pages: pages.collect(),
            walk: Mutex::default(),
        }
    }

    /// The index or a part; unknown names are 404, content away is 503. Each counts as an uncached
    /// read: it is written again.
    pub(super) async fn answer(&self, parts: &Parts, name: &str) -> Response<Body> {
        if let Some(refusal) = self.uncached.refusal(parts, REDIS_TIME_API).await {
            return refusal;
        }
        let catalogue = match self.catalogue().result().await {
            Ok(catalogue) => catalogue,
            Err(error) => {
                tracing::warn!(?error, "sitemap not available");
                return answer::unavailable(parts);
            }
        };
        match self.document(name, &catalogue) {
            Some(xml) => File::new(name, xml.into()).answer(parts, CACHE),
            None => answer::plain(parts, StatusCode::NOT_FOUND, "not found\n"),
        }
    }

    fn document(&self, name: &str, catalogue: &Catalogue) -> Option<String> {
        match name {
            "sitemap.xml" => Some(self.index(catalogue)),
            "sitemap-pages.xml" => Some(self.part(&self.page_entries(newest(catalogue)))),
            _ => {
                let name = name.strip_prefix("sitemap-")?.strip_suffix(".xml")?;
                let (family, number) = name.rsplit_once('-')?;
                let plain = number.bytes().all(|byte| byte.is_ascii_digit());
                let number =
                    number.parse::<usize>().ok().filter(|_| plain && !number.starts_with('0'))?;
                let (_, entries) = catalogue.0.iter().find(|(name, _)| *name == family)?;
                let part = split(entries, URLS_A_PART).into_iter().nth(number.checked_sub(1)?)?;
                Some(self.part(part))
            }
        }
    }

    fn page_entries(&self, newest: Option<u32>) -> Vec<Entry> {
        let pages = self.pages.iter().map(|page| Entry {
            path: page.path.clone(),
            locales: Locale::ALL.to_vec(),
            changed: newest.filter(|_| page.with_news),
        });
        pages.collect()
    }

    fn index(&self, catalogue: &Catalogue) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
        );
        let mut part = |name: &str, changed: Option<u32>| {
            let _ = write!(xml, "<sitemap><loc>{}/{name}</loc>", escaped(&self.public_url));
            lastmod(&mut xml, changed);
            xml.push_str("</sitemap>\n");
        };
        part("sitemap-pages.xml", newest(catalogue));
        for (family, entries) in &catalogue.0 {
            for (at, entries) in split(entries, URLS_A_PART).into_iter().enumerate() {
                let changed = entries.iter().filter_map(|entry| entry.changed).max();
                part(&format!("sitemap-{family}-{}.xml", at + 1), changed);
            }
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

    /// Every item. Requests share a walk that began no longer ago than [`WALK_HOLDS`], so that what
    /// they show is as new; where walks take longer, several run at once.
    fn catalogue(&self) -> SharedTask<Arc<Catalogue>> {
        let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Walk { began, catalogue }) = &*walk
            && began.elapsed() < WALK_HOLDS
            && !matches!(catalogue.so_far(), Some(None))
        {
            return catalogue.clone();
        }
        let services = self.services.clone();
        let catalogue = SharedTask::start(async move {
            Ok(Arc::new(rpc::with_deadline(TIME, Catalogue::walk(&services)).await??))
        });
        *walk = Some(Walk { began: Instant::now(), catalogue: catalogue.clone() });
        catalogue
    }
}

/// When the newest news changed.
fn newest(catalogue: &Catalogue) -> Option<u32> {
    let news = catalogue.0.iter().find(|(family, _)| *family == "news");
    news.and_then(|(_, entries)| entries.iter().filter_map(|entry| entry.changed).max())
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
mod tests;
