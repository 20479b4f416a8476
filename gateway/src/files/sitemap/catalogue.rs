//! All items that content publishes and all announcements, with the locales in which they exist.

use std::collections::BTreeMap;

use sahm_chassis::{error::Result, settings::ServiceName};
use sahm_proto::{
    content::v1::{
        ArticleRef, CollegeArticleRef, GetHelpChannelTreeRequest, GetNavigationRequest,
        HelpChannelNode, HelpDocumentRef, ListArticleRefsRequest, ListCollegeArticleRefsRequest,
        ListHelpDocumentRefsRequest,
    },
    quotes::v1::ListAnnouncementsRequest,
};

use crate::{
    canonical_paths::{self, PRIVACY_POLICY_COPY},
    services::{Services, reading},
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
        Ok(Self(families.into()))
    }
}

/// All items of a paginated list; `read` returns the page at a cursor, and the next cursor.
async fn all_pages<T, Page: Future<Output = Result<(Vec<T>, String)>>>(
    mut read: impl FnMut(String) -> Page,
) -> Result<Vec<T>> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let page;
        (page, cursor) = read(cursor).await?;
        items.extend(page);
        if cursor.is_empty() {
            return Ok(items);
        }
    }
}

async fn news(services: &Services) -> Result<Vec<Entry>> {
    let news = services.news()?;
    let refs = all_pages(|cursor| {
        let mut news = news.clone();
        async move {
            let request =
                ListArticleRefsRequest { size: REFS_PER_CALL, cursor, ..Default::default() };
            let page = reading(news.list_article_refs(request)).await?;
            Ok((page.items, page.next_cursor))
        }
    });
    Ok(existing(refs.await?.iter().map(article)))
}

async fn notices(services: &Services) -> Result<Vec<Entry>> {
    let mut notices = BTreeMap::new();
    if services.transport(ServiceName::Quotes).is_none() {
        return Ok(Vec::new());
    }
    let announcements = services.announcements()?;
    for locale in Locale::ALL {
        let items = all_pages(|cursor| {
            let mut announcements = announcements.clone();
            async move {
                let (locale, size) = (locale.as_str().to_owned(), ANNOUNCEMENTS_PER_CALL);
                let request = ListAnnouncementsRequest { locale, size, cursor };
                let page = reading(announcements.list_announcements(request)).await?;
                Ok((page.items, page.next_cursor))
            }
        });
        notices.extend(items.await?.into_iter().map(|notice| {
            let path = canonical_paths::announcement(notice.id);
            (notice.id, entry(path, &notice.available_locales, notice.published_at))
        }));
    }
    Ok(existing(notices.into_values()))
}

async fn education(services: &Services) -> Result<Vec<Entry>> {
    let mut college = services.college()?;
    let navigation = reading(college.get_navigation(GetNavigationRequest {})).await?;
    let mut entries = Vec::new();
    for category in &navigation.navigation_vo_list {
        entries.push(everywhere(canonical_paths::category(category.id)));
        let courses = category.course_vo_list.iter().filter(|course| !course.external);
        entries.extend(
            courses.map(|course| everywhere(canonical_paths::course(&course.slug, course.id))),
        );
    }
    let refs = all_pages(|cursor| {
        let mut college = college.clone();
        async move {
            let request =
                ListCollegeArticleRefsRequest { size: REFS_PER_CALL, cursor, ..Default::default() };
            let page = reading(college.list_college_article_refs(request)).await?;
            Ok((page.items, page.next_cursor))
        }
    });
    entries.extend(refs.await?.iter().map(college_article));
    Ok(existing(entries.into_iter()))
}

async fn support(services: &Services) -> Result<Vec<Entry>> {
    let mut help = services.help()?;
    let tree = reading(help.get_help_channel_tree(GetHelpChannelTreeRequest {})).await?.items;
    let mut entries = Vec::new();
    channels(&tree, &mut entries);
    let refs = all_pages(|cursor| {
        let mut help = help.clone();
        async move {
            let request =
                ListHelpDocumentRefsRequest { size: REFS_PER_CALL, cursor, ..Default::default() };
            let page = reading(help.list_help_document_refs(request)).await?;
            Ok((page.items, page.next_cursor))
        }
    });
    let refs = refs.await?;
    let originals = refs.iter().filter(|document| document.id != PRIVACY_POLICY_COPY);
    entries.extend(originals.map(help_document));
    Ok(existing(entries.into_iter()))
}

fn channels(nodes: &[HelpChannelNode], entries: &mut Vec<Entry>) {
    for node in nodes {
        let slug = node.channel.as_ref().map_or("", |channel| &channel.slug);
        entries.push(everywhere(canonical_paths::help_channel(slug, node.id)));
        channels(&node.children, entries);
    }
}

/// The entries that exist in a locale of this site.
fn existing(entries: impl Iterator<Item = Entry>) -> Vec<Entry> {
    entries.filter(|entry| !entry.locales.is_empty()).collect()
}

fn everywhere(path: String) -> Entry {
    Entry { path, locales: Locale::ALL.to_vec(), changed: None }
}

pub(super) fn article(article: &ArticleRef) -> Entry {
    let path = canonical_paths::news_article(article.id);
    entry(path, &article.available_locales, article.updated_at)
}

fn college_article(article: &CollegeArticleRef) -> Entry {
    let path = canonical_paths::college_article(&article.kind, &article.slug, article.id);
    entry(path, &article.available_locales, article.updated_at)
}

fn help_document(document: &HelpDocumentRef) -> Entry {
    let path = canonical_paths::help_document(&document.kind, &document.slug, document.id);
    entry(path, &document.available_locales, document.updated_at)
}

fn entry(path: String, locales: &[String], changed: u32) -> Entry {
    let exists = |locale: &Locale| locales.iter().any(|name| name == locale.as_str());
    Entry {
        path,
        locales: Locale::ALL.into_iter().filter(exists).collect(),
        changed: Some(changed).filter(|time| *time > 0),
    }
}
