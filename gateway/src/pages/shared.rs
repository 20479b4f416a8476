//! Data that many pages share, read again when its service announces a change.

use sahm_chassis::settings::ServiceName;
use sahm_proto::{
    activity::v1::Campaign,
    content::v1::{
        BatchListPositionImagesResponse, CollegeNavigationVo, ListFlashNewsResponse,
        ListNewsVideosResponse, NewsTab,
    },
};

use super::layout_data::LayoutCache;
use crate::{
    config_snapshot::ConfigSnapshot, loader_cache::LoaderCache, page_cache::PageCache,
    visitor::Locale,
};

/// The parts, none of which is a visitor's own.
#[derive(Clone)]
pub(crate) struct SharedParts {
    /// Layout data in both locales.
    pub layouts: LayoutCache,
    /// The configuration that layout data is composed from, without the college.
    pub configuration: LoaderCache<(), ConfigSnapshot>,
    /// The college in the navigation.
    pub college: LoaderCache<(), Vec<CollegeNavigationVo>>,
    pub news_tabs: LoaderCache<(), Vec<NewsTab>>,
    pub campaigns: LoaderCache<(), Vec<Campaign>>,
    /// By market.
    pub banners: LoaderCache<(String, Locale), BatchListPositionImagesResponse>,
    /// By market.
    pub flash: LoaderCache<(String, Locale), ListFlashNewsResponse>,
    /// By market.
    pub videos: LoaderCache<String, ListNewsVideosResponse>,
}

impl SharedParts {
    /// Parts that are judged by the change logs which a cache follows.
    pub(crate) fn new(cache: &PageCache) -> Self {
        Self {
            layouts: LayoutCache::default(),
            configuration: LoaderCache::of(ServiceName::Config, cache),
            college: LoaderCache::of(ServiceName::Content, cache),
            news_tabs: LoaderCache::of(ServiceName::Content, cache),
            campaigns: LoaderCache::of(ServiceName::Activity, cache),
            banners: LoaderCache::of(ServiceName::Content, cache),
            flash: LoaderCache::of(ServiceName::Content, cache),
            videos: LoaderCache::of(ServiceName::Content, cache),
        }
    }
}
