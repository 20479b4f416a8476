//! Caches of responses that many pages share, invalidated by their services' change logs.

use sahm_chassis::settings::ServiceName;
use sahm_proto::{
    activity::v1::Campaign,
    content::v1::{
        BatchListPositionImagesResponse, CollegeNavigationVo, GetHelpSeoInfoResponse,
        HelpChannelNode, ListCommonQuestionsResponse, ListFlashNewsResponse,
        ListNewsVideosResponse, NewsTab,
    },
};

use crate::{
    config_snapshot::Configuration, loader_cache::LoaderCache, page_cache::PageCache,
    visitor::Locale,
};

/// The caches. None of them contains visitors' data.
#[derive(Clone)]
pub(super) struct LoaderCaches {
    /// The configuration that layout data is composed from.
    pub(super) configuration: LoaderCache<(), Configuration>,
    /// The education section's categories and courses in the menu.
    pub(super) college: LoaderCache<(), Vec<CollegeNavigationVo>>,
    pub(super) news_tabs: LoaderCache<(), Vec<NewsTab>>,
    pub(super) campaigns: LoaderCache<(), Vec<Campaign>>,
    /// By market and locale.
    pub(super) banners: LoaderCache<(String, Locale), BatchListPositionImagesResponse>,
    /// By market and locale.
    pub(super) flash: LoaderCache<(String, Locale), ListFlashNewsResponse>,
    /// By market.
    pub(super) videos: LoaderCache<String, ListNewsVideosResponse>,
    pub(super) channel_tree: LoaderCache<(), Vec<HelpChannelNode>>,
    pub(super) common_questions: LoaderCache<Locale, ListCommonQuestionsResponse>,
    /// By path; `None` if content has no texts for a page.
    pub(super) help_seo: LoaderCache<String, Option<GetHelpSeoInfoResponse>>,
}

impl LoaderCaches {
    /// Caches that are invalidated by the change logs which the page cache follows.
    pub(super) fn new(cache: &PageCache) -> Self {
        Self {
            configuration: LoaderCache::of(ServiceName::Config, cache),
            college: LoaderCache::of(ServiceName::Content, cache),
            news_tabs: LoaderCache::of(ServiceName::Content, cache),
            campaigns: LoaderCache::of(ServiceName::Activity, cache),
            banners: LoaderCache::of(ServiceName::Content, cache),
            flash: LoaderCache::of(ServiceName::Content, cache),
            videos: LoaderCache::of(ServiceName::Content, cache),
            channel_tree: LoaderCache::of(ServiceName::Content, cache),
            common_questions: LoaderCache::of(ServiceName::Content, cache),
            help_seo: LoaderCache::of(ServiceName::Content, cache),
        }
    }
}
