//! What many pages show alike, read anew when its service says that something has changed.

use sahm_chassis::settings::ServiceName;
use sahm_proto::{
    activity::v1::Campaign,
    content::v1::{
        BatchListPositionImagesResponse, CollegeNavigationVo, ListFlashNewsResponse,
        ListNewsVideosResponse, NewsTab,
    },
};

use crate::{config_copy::ConfigSnapshot, kept::Kept, page_cache::PageCache, visitor::Locale};

/// The parts, none of which is a visitor's own.
#[derive(Clone)]
pub(crate) struct SharedParts {
    /// What stands around every page, without the college.
    pub configuration: Kept<(), ConfigSnapshot>,
    /// The college in the navigation.
    pub college: Kept<(), Vec<CollegeNavigationVo>>,
    pub news_tabs: Kept<(), Vec<NewsTab>>,
    pub campaigns: Kept<(), Vec<Campaign>>,
    /// By market.
    pub banners: Kept<(String, Locale), BatchListPositionImagesResponse>,
    /// By market.
    pub flash: Kept<(String, Locale), ListFlashNewsResponse>,
    /// By market.
    pub videos: Kept<String, ListNewsVideosResponse>,
}

impl SharedParts {
    /// Parts that are judged by the change logs which a cache follows.
    pub(crate) fn new(cache: &PageCache) -> Self {
        Self {
            configuration: Kept::of(ServiceName::Config, cache),
            college: Kept::of(ServiceName::Content, cache),
            news_tabs: Kept::of(ServiceName::Content, cache),
            campaigns: Kept::of(ServiceName::Activity, cache),
            banners: Kept::of(ServiceName::Content, cache),
            flash: Kept::of(ServiceName::Content, cache),
            videos: Kept::of(ServiceName::Content, cache),
        }
    }
}
