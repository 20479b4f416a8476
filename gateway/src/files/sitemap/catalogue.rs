//! All items that content publishes and all announcements, with the locales in which they exist.

use std::collections::BTreeMap;

use sahm_chassis::{error::Result, settings::ServiceName};
use sahm_proto::{
    content::v1::{
        ArticleRef, GetHelpChannelTreeRequest, GetNavigationRequest, HelpChannelNode,
        ListArticleRefsRequest, ListCollegeArticleRefsRequest, ListHelpDocumentRefsRequest,
    },
    quotes::v1::ListAnnouncementsRequest,
};

use crate::{
    canonical_paths::{self, PRIVACY_POLICY_COPY},
    services::Services,
    visitor::Locale,
};

/// Items per call.
const REFS_PER_CALL: u32 = 5_000;

/// Announcements per call, the service's maximum.
const ANNOUNCEMENTS_PER_CALL: u32 = 50;

#[derive(Debug)]
pub(super) struct Entry {
    /// Path without locale prefix.
    pub path: String,
    /// Locales in which it exists.
    pub locales: Vec<Locale>,
    /// Last change, epoch seconds.
    pub changed: Option<u32>,
}

/// The entries of the sitemap, by the names of its parts.
#[derive(Debug, Default)]
pub(super) struct Catalogue(pub Vec<(&'static str, Vec<Entry>)>);

impl Catalogue {
    /// Loads the entries from the services.
    ///
    /// # Errors
    /// A service is unavailable; the sitemap is never partial.
    pub(super) async fn load(services: &Services) -> Result<Self> {
        let (news, notices, education, support) = tokio::try_join!(
            news(services),
            notices(services),
            education(services),
            support(services)
        )?;
        let families =
            [("news", news), ("notices", notices), ("education", education), ("support", support)];
        Ok(Self(families.map(|(name, entries)| (name, existing(entries))).into()))
    }
}

/// All items of a paginated list, read page by page.
macro_rules! all_pages {
    ($services:ident, $request:expr) => {{
        let (mut items, mut request) = (Vec::new(), $request);
        loop {
            let page = $services.read(request.clone()).await?;
            items.extend(page.items);
            if page.next_cursor.is_empty() {
                break items;
            }
            request.cursor = page.next_cursor;
        }
    }};
}

async fn news(services: &Services) -> Result<Vec<Entry>> {
    let request = ListArticleRefsRequest { size: REFS_PER_CALL, ..Default::default() };
    let refs = all_pages!(services, request);
    Ok(refs.iter().map(article).collect())
}

async fn notices(services: &Services) -> Result<Vec<Entry>> {
    let mut notices = BTreeMap::new();
    if services.transport(ServiceName::Quotes).is_none() {
        return Ok(Vec::new());
    }
    for locale in Locale::ALL {
        let (locale, size) = (locale.as_str().to_owned(), ANNOUNCEMENTS_PER_CALL);
        let request = ListAnnouncementsRequest { locale, size, ..Default::default() };
        let items = all_pages!(services, request);
        notices.extend(items.into_iter().map(|notice| {
            let path = canonical_paths::announcement(notice.id);
            (notice.id, entry(path, &notice.available_locales, notice.published_at))
        }));
    }
    Ok(notices.into_values().collect())
}

async fn education(services: &Services) -> Result<Vec<Entry>> {
    let navigation = services.read(GetNavigationRequest {}).await?;
    let mut entries = Vec::new();
    for category in &navigation.navigation_vo_list {
        entries.push(everywhere(canonical_paths::category(category.id)));
        let courses = category.course_vo_list.iter().filter(|course| !course.external);
        entries.extend(
            courses.map(|course| everywhere(canonical_paths::course(&course.slug, course.id))),
        );
    }
    let request = ListCollegeArticleRefsRequest { size: REFS_PER_CALL, ..Default::default() };
    let refs = all_pages!(services, request);
    entries.extend(refs.iter().map(|article| {
        let path = canonical_paths::college_article(&article.kind, &article.slug, article.id);
        entry(path, &article.available_locales, article.updated_at)
    }));
    Ok(entries)
}

async fn support(services: &Services) -> Result<Vec<Entry>> {
    let tree = services.read(GetHelpChannelTreeRequest {}).await?.items;
    let mut entries = Vec::new();
    channels(&tree, &mut entries);
    let request = ListHelpDocumentRefsRequest { size: REFS_PER_CALL, ..Default::default() };
    let refs = all_pages!(services, request);
    let originals = refs.iter().filter(|document| document.id != PRIVACY_POLICY_COPY);
    entries.extend(originals.map(|document| {
        let path = canonical_paths::help_document(&document.kind, &document.slug, document.id);
        entry(path, &document.available_locales, document.updated_at)
    }));
    Ok(entries)
}

fn channels(nodes: &[HelpChannelNode], entries: &mut Vec<Entry>) {
    for node in nodes {
        let slug = node.channel.as_ref().map_or("", |channel| &channel.slug);
        entries.push(everywhere(canonical_paths::help_channel(slug, node.id)));
        channels(&node.children, entries);
    }
}

/// The entries that exist in a locale of this site.
fn existing(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.retain(|entry| !entry.locales.is_empty());
    entries
}

fn everywhere(path: String) -> Entry {
    Entry { path, locales: Locale::ALL.to_vec(), changed: None }
}

pub(super) fn article(article: &ArticleRef) -> Entry {
    let path = canonical_paths::news_article(article.id);
    entry(path, &article.available_locales, article.updated_at)
}

fn entry(path: String, locales: &[String], changed: u32) -> Entry {
    let exists = |locale: &Locale| locales.iter().any(|name| name == locale.as_str());
    Entry {
        path,
        locales: Locale::ALL.into_iter().filter(exists).collect(),
        changed: Some(changed).filter(|time| *time > 0),
    }
}
