//! `/sitemap.xml` and its parts: pages of the route table and items of content, in the locales in which they exist.

mod catalogue;

use std::{
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::body::Body;
use http::{Response, request::Parts};
use sahm_chassis::rpc;
use tokio::time::Instant;

use self::catalogue::{Catalogue, Entry};
use super::response::{File, unavailable};
use crate::{
    http::error_response::{not_found, too_many_requests},
    limits::{Limits, REDIS_TIMEOUT_API},
    render::html::escape,
    routes::RouteTable,
    services::Services,
    single_flight::SharedTask,
    timestamps::rfc3339,
    visitor::Locale,
};

/// `Cache-Control`; unpublished content must disappear at once.
const CACHE: &str = "no-cache";

/// Maximum number of entries in a part, each with one URL per locale. The protocol allows 50,000 URLs, which would take
/// 50 MB of memory.
const MAX_ENTRIES_PER_PART: usize = 5_000;

const CATALOGUE_TIMEOUT: Duration = Duration::from_secs(8);

/// Age up to which requests share a catalogue (docs/page-cache.md).
const CATALOGUE_MAX_AGE: Duration = Duration::from_millis(500);

/// Pages that search engines should not list, or whose URL redirects some visitors.
const UNLISTED_PAGES: [&str; 9] = [
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

/// Pages that are also listed without their optional parameter.
const OPTIONAL_PARAMETER_PAGES: [&str; 1] = ["about"];

/// Pages that change with every article.
const NEWS_PAGES: [&str; 2] = ["home", "news"];

pub(super) struct Sitemap {
    services: Services,
    limits: Limits,
    public_url: String,
    pages: Vec<Page>,
    /// The latest catalogue, loading or loaded, and when its loading started.
    latest: Mutex<Option<(Instant, SharedTask<Arc<Catalogue>>)>>,
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
        limits: Limits,
    ) -> Self {
        let listed = routes.iter().filter(|route| {
            let page = route.page.as_str();
            let has_path = !route.pattern.contains('{') || OPTIONAL_PARAMETER_PAGES.contains(&page);
            has_path && !UNLISTED_PAGES.contains(&page)
        });
        let pages = listed.map(|route| Page {
            path: route.pattern.split("/{").next().unwrap_or_default().trim_end_matches('/').into(),
            with_news: NEWS_PAGES.contains(&route.page.as_str()),
        });
        Self {
            services: services.clone(),
            limits,
            public_url: public_url.to_owned(),
            pages: pages.collect(),
            latest: Mutex::default(),
        }
    }

    /// Responds with the index or a part. Each request counts against the rate limit, because each response is
    /// generated.
    pub(super) async fn respond(&self, parts: &Parts, name: &str) -> Response<Body> {
        if let Err(wait) = self.limits.check_miss(parts, REDIS_TIMEOUT_API).await {
            return too_many_requests(wait);
        }
        match self.catalogue().result().await {
            Ok(catalogue) => self
                .document(name, &catalogue)
                .map_or_else(not_found, |xml| File::new(name, xml.into()).response(parts, CACHE)),
            Err(error) => {
                tracing::warn!(?error, "sitemap not available");
                unavailable()
            }
        }
    }

    fn document(&self, name: &str, catalogue: &Catalogue) -> Option<String> {
        match name {
            "sitemap.xml" => Some(self.index(catalogue)),
            "sitemap-pages.xml" => Some(self.part(&self.page_entries(newest(catalogue)))),
            _ => parts(catalogue).find(|(own, _)| own == name).map(|(_, part)| self.part(part)),
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
            let _ = write!(xml, "<sitemap><loc>{}/{name}</loc>", escape(&self.public_url));
            lastmod(&mut xml, changed);
            xml.push_str("</sitemap>\n");
        };
        part("sitemap-pages.xml", newest(catalogue));
        for (name, entries) in parts(catalogue) {
            part(&name, entries.iter().filter_map(|entry| entry.changed).max());
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
        let url = escape(&self.public_url);
        for entry in entries {
            let path = escape(&entry.path);
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

    /// The catalogue. Requests share one whose loading started no longer than [`CATALOGUE_MAX_AGE`] ago; slower loads
    /// overlap.
    fn catalogue(&self) -> SharedTask<Arc<Catalogue>> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((started, catalogue)) = &*latest
            && started.elapsed() < CATALOGUE_MAX_AGE
            && !matches!(catalogue.peek(), Some(None))
        {
            return catalogue.clone();
        }
        let services = self.services.clone();
        let catalogue = SharedTask::start(async move {
            Ok(Arc::new(rpc::with_deadline(CATALOGUE_TIMEOUT, Catalogue::load(&services)).await??))
        });
        *latest = Some((Instant::now(), catalogue.clone()));
        catalogue
    }
}

/// The parts of the catalogue, by the names of their files.
fn parts(catalogue: &Catalogue) -> impl Iterator<Item = (String, &[Entry])> {
    catalogue.0.iter().flat_map(|(family, entries)| {
        let parts = entries.chunks(MAX_ENTRIES_PER_PART).zip(1..);
        parts.map(move |(part, number)| (format!("sitemap-{family}-{number}.xml"), part))
    })
}

/// When a news article last changed.
fn newest(catalogue: &Catalogue) -> Option<u32> {
    let news = catalogue.0.iter().find(|(family, _)| *family == "news");
    news.and_then(|(_, entries)| entries.iter().filter_map(|entry| entry.changed).max())
}

fn lastmod(xml: &mut String, changed: Option<u32>) {
    if let Some(time) = changed {
        let _ = write!(xml, "<lastmod>{}</lastmod>", rfc3339(time));
    }
}

#[cfg(test)]
mod tests;
