//! The data sources of loaders: calls of the services, and those that several pages make.
//!
//! Each call takes the surrogate tags of what it reads (the table in `sahm_proto::tags`), and records them and the time
//! at which its response expires. Loaders have no other access to the services and [`CacheMeta`]. A test compares the
//! tags of every page.

mod college;
mod config;
mod help;
mod news;
mod quotes;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sahm_chassis::error::{Error, Result};
use sahm_proto::UnaryRequest;

use super::{Loaders, PageRequest, layout_data::LayoutCache};
use crate::{
    loader_cache::LoaderCache, page_cache::PageCache, routes::PageId, services::Services,
    visitor::Locale,
};

#[derive(Clone)]
pub(crate) struct DataSources {
    services: Services,
    /// Responses that many pages share.
    shared: LoaderCache,
    /// Titles and descriptions by path. Visitors choose paths, and must not evict what every page needs.
    help_seo: LoaderCache,
    /// The latest layout data, also for when its services are unavailable.
    pub(crate) layouts: LayoutCache,
    pub(crate) public_url: Arc<str>,
}

impl DataSources {
    /// Sources that call `services` and cache shared responses until the change logs that `cache` follows advance.
    pub(crate) fn new(
        services: Services,
        cache: &PageCache,
        data_dir: &Path,
        public_url: Arc<str>,
    ) -> Self {
        Self {
            services,
            shared: LoaderCache::new(cache),
            help_seo: LoaderCache::new(cache),
            layouts: LayoutCache::open(data_dir, public_url.clone()),
            public_url,
        }
    }
}

/// The context of a loader: the request, and the calls of the services.
pub(super) struct LoadContext<'a> {
    pub(super) loaders: &'a Loaders,
    pub(super) request: &'a PageRequest,
    pub(super) page: PageId,
    data: &'a DataSources,
    meta: Mutex<CacheMeta>,
}

/// Metadata for the page cache.
#[derive(Debug, Default)]
pub(crate) struct CacheMeta {
    /// Surrogate tags of everything that was read.
    pub(crate) tags: Vec<String>,
    /// Whether an optional part is missing.
    pub(crate) partial: bool,
    /// When a timed item on the page starts or ends next, epoch seconds.
    pub(crate) expires_at: Option<u32>,
}

/// Why a page has no data.
#[derive(Debug)]
pub(super) enum LoadError {
    /// The page's item does not exist: 404.
    Missing(ItemKind),
    /// A required part is unavailable.
    Failed(Error),
}

impl From<Error> for LoadError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The kind of an item that does not exist, as in `NotFoundPage.missing`.
#[derive(Clone, Copy, Debug, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(super) enum ItemKind {
    Page,
    Article,
    Category,
    Channel,
    Course,
    Document,
    Notice,
}

/// The tags of responses that no change invalidates.
pub(super) const NO_TAGS: [&str; 0] = [];

impl<'a> LoadContext<'a> {
    pub(super) fn new(loaders: &'a Loaders, request: &'a PageRequest, page: PageId) -> Self {
        Self { loaders, request, page, data: &loaders.data, meta: Mutex::default() }
    }

    pub(super) fn locale(&self) -> Locale {
        self.request.visitor.locale
    }

    /// The locale in requests to services.
    pub(super) fn locale_name(&self) -> String {
        self.locale().as_str().to_owned()
    }

    /// The data of an optional part; without it, the page is partial.
    pub(super) fn optional<T>(&self, part: &'static str, data: Result<T>) -> Option<T> {
        data.inspect_err(|error| {
            tracing::warn!(part, error = ?error, "page part unavailable");
            self.meta().partial = true;
        })
        .ok()
    }

    /// The metadata that the calls recorded.
    pub(super) fn into_meta(self) -> CacheMeta {
        let mut meta = self.meta.into_inner().unwrap_or_else(PoisonError::into_inner);
        meta.tags.sort_unstable();
        meta.tags.dedup();
        meta
    }

    /// Calls a service. The response depends on `tags`.
    pub(super) async fn read<R: UnaryRequest>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        request: R,
    ) -> Result<R::Response> {
        self.tag(tags);
        let response = self.data.services.read(request).await?;
        self.expires_at(R::next_change_at(&response));
        Ok(response)
    }

    /// As [`LoadContext::read`]; the response is empty if what the request names does not exist.
    pub(super) async fn find<R: UnaryRequest>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        request: R,
    ) -> Result<R::Response> {
        self.tag(tags);
        let response = self.data.services.find(request).await?.unwrap_or_default();
        self.expires_at(R::next_change_at(&response));
        Ok(response)
    }

    /// As [`LoadContext::find`], for a response that many pages share.
    pub(super) async fn find_shared<R: UnaryRequest>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        request: R,
    ) -> Result<Arc<R::Response>> {
        self.find_shared_until(tags, request, R::next_change_at).await
    }

    /// As [`LoadContext::find_shared`], for a response that expires at a time that its request does not declare.
    pub(super) async fn find_shared_until<R: UnaryRequest>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        request: R,
        expires_at: fn(&R::Response) -> u32,
    ) -> Result<Arc<R::Response>> {
        self.tag(tags);
        let response = self.data.shared.read(&self.data.services, request, expires_at).await?;
        self.expires_at(expires_at(&response));
        Ok(response)
    }

    pub(super) fn tag(&self, tags: impl IntoIterator<Item: Into<String>>) {
        self.meta().tags.extend(tags.into_iter().map(Into::into));
    }

    fn expires_at(&self, time: u32) {
        if time > 0 {
            let mut meta = self.meta();
            meta.expires_at = Some(meta.expires_at.map_or(time, |earliest| earliest.min(time)));
        }
    }

    fn meta(&self) -> MutexGuard<'_, CacheMeta> {
        self.meta.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
