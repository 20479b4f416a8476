//! The data sources of loaders: typed calls of the services.
//!
//! Each call records the surrogate tags of what it read (the table in `sahm_proto::tags`) and the time at which its
//! response expires. Loaders have no other access to the services and [`CacheMeta`], so that no loader can forget a
//! tag.

mod activity;
mod caches;
mod college;
mod config;
mod drafts;
mod help;
mod layout;
mod news;
mod quotes;

use std::{
    hash::Hash,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sahm_chassis::error::{Error, Result};

use self::caches::LoaderCaches;
use super::{Loaders, PageRequest, layout_data::LayoutCache};
use crate::{
    config_snapshot::SnapshotStore,
    loader_cache::LoaderCache,
    page_cache::PageCache,
    routes::PageId,
    services::{Services, reading},
    visitor::Locale,
};

#[derive(Clone)]
pub(crate) struct DataSources {
    services: Services,
    /// Responses that many pages share.
    caches: LoaderCaches,
    /// The last known configuration, for when its service is unavailable.
    config_snapshot: SnapshotStore,
    /// Layout data in both locales.
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
            caches: LoaderCaches::new(cache),
            config_snapshot: SnapshotStore::open(data_dir),
            layouts: LayoutCache::default(),
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

/// The kind of an item that does not exist.
#[derive(Clone, Copy, Debug)]
pub(super) enum ItemKind {
    Page,
    Article,
    Category,
    Channel,
    Course,
    Document,
    Notice,
}

impl ItemKind {
    /// As in `NotFoundPage.missing`.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Article => "article",
            Self::Category => "category",
            Self::Channel => "channel",
            Self::Course => "course",
            Self::Document => "document",
            Self::Notice => "notice",
        }
    }
}

/// The tags of responses that no change invalidates.
const NO_TAGS: [&str; 0] = [];

/// The expiry of responses that do not expire.
fn never<T>(_: &T) -> u32 {
    0
}

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

    /// Calls a service. The response, or its absence, depends on `tags`, and expires at `expires_at` (epoch seconds, 0:
    /// never).
    async fn read<T>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        expires_at: fn(&T) -> u32,
        call: impl Future<Output = std::result::Result<tonic::Response<T>, tonic::Status>>,
    ) -> Result<T> {
        self.tag(tags);
        let response = reading(call).await?;
        self.expires_at(expires_at(&response));
        Ok(response)
    }

    /// As [`LoadContext::read`], for a response that many pages share.
    async fn read_cached<K, T, F>(
        &self,
        tags: impl IntoIterator<Item: Into<String>>,
        expires_at: fn(&T) -> u32,
        cache: &LoaderCache<K, T>,
        key: K,
        read: impl FnOnce(Services) -> F,
    ) -> Result<Arc<T>>
    where
        K: Clone + Hash + Eq,
        T: Send + Sync + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
    {
        self.tag(tags);
        let services = self.data.services.clone();
        let read = || {
            let response = read(services);
            async move {
                let response = response.await?;
                let expires_at = expires_at(&response);
                Ok((response, expires_at))
            }
        };
        let response = cache.get(key, read).await?;
        self.expires_at(expires_at(&response));
        Ok(response)
    }

    fn tag(&self, tags: impl IntoIterator<Item: Into<String>>) {
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
