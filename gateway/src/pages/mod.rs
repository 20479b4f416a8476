//! Loads page data for matched requests, with one loader for each page or family of pages.
//!
//! A loader is an async function of a [`LoadContext`]. It calls the services through [`data`], which records the
//! metadata for the page cache. [`Loaders::load`] reads the layout data concurrently.

mod activity;
mod article;
mod company_news;
mod data;
mod education;
mod education_article;
mod education_category;
mod education_course;
mod frame;
mod head_texts;
mod home;
mod invest;
mod json_ld;
mod layout_data;
mod links;
mod news_list;
mod not_found;
mod notice;
mod pagination;
mod parameters;
mod preview;
mod request;
mod static_pages;
mod support;
mod support_channel;
mod support_detail;
mod support_doc;
mod support_search;
mod targets;
mod terms;

pub(crate) use self::{data::DataSources, request::PageRequest, targets::target_origins};

use std::sync::Arc;

use futures_util::{FutureExt, TryFutureExt, future::BoxFuture};
use sahm_chassis::error::Error;
use sahm_proto::{
    Localize,
    page::v1::{
        AboutPage, ActivityPage, AppDeepLinkPage, ArticlePage, BrandPage, CompanyNewsListPage,
        DownloadPage, EducationArticlePage, EducationCategoryPage, EducationCoursePage,
        EducationPage, ErrorPage, Frame, HomePage, InvestPage, LoginPage, NewsListPage,
        NotFoundPage, NoticePage, PreviewPage, PricingPage, SupportChannelPage, SupportDetailPage,
        SupportDocPage, SupportPage, SupportSearchPage, TermsPage,
    },
};
use serde::Serialize;

use self::{
    data::{CacheMeta, ItemKind, LoadContext, LoadError},
    frame::PageHead,
};
use crate::{
    routes::{PageId, RouteTable},
    site::{ERROR_PAGE, Site},
    visitor::Locale,
};

/// Loads the data of every page.
#[derive(Clone)]
pub(crate) struct Loaders {
    /// The frontend's build.
    pub site: Arc<Site>,
    pub routes: Arc<RouteTable>,
    pub data: DataSources,
    /// Types of drafts that can be previewed.
    pub preview_types: Arc<[String]>,
    /// Allowed origins of redirect parameters, besides this site's own.
    pub target_origins: Arc<[String]>,
}

/// A page's data and metadata, ready to render.
#[derive(Debug)]
pub(crate) struct LoadedPage {
    pub status: u16,
    /// Page id, as in `data-page`.
    pub page: &'static str,
    pub document: PageData,
    pub meta: CacheMeta,
}

/// Takes a row per page message: the pages that have it, and their loader.
macro_rules! pages {
    ($($message:ident $(: $($page:ident)|+ => $loader:path)?;)*) => {
        /// The data of a page, in the JSON shape of its proto message.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        #[expect(clippy::enum_variant_names, reason = "variants are named after their messages")]
        pub(crate) enum PageData {
            $($message(Box<$message>),)*
        }

        impl PageData {
            /// The frame, which every page has.
            pub(crate) fn frame(&self) -> &Frame {
                static EMPTY_FRAME: std::sync::LazyLock<Frame> = std::sync::LazyLock::new(Frame::default);
                match self {
                    $(Self::$message(page) => page.frame.as_ref(),)*
                }
                .unwrap_or(&EMPTY_FRAME)
            }

            pub(crate) fn frame_mut(&mut self) -> Option<&mut Frame> {
                match self {
                    $(Self::$message(page) => page.frame.as_mut(),)*
                }
            }

            fn localize(&mut self, locale: Locale) {
                match self {
                    $(Self::$message(page) => page.localize(locale),)*
                }
            }
        }

        /// Runs the loader of the context's page.
        fn load_data<'a>(cx: &'a LoadContext<'_>) -> BoxFuture<'a, Result<PageData, LoadError>> {
            match cx.page {
                $($($(PageId::$page)|+ => {
                    $loader(cx).map_ok(|page| PageData::$message(Box::new(page))).boxed()
                })?)*
            }
        }
    };
}

pages! {
    HomePage: Home => home::load;
    InvestPage: Invest
        | InvestSaudiStocks
        | InvestSaudiEtfs
        | InvestSaudiReits
        | InvestSaudiSukuBonds
        | InvestUsStocks
        | InvestUsEtfs
        | InvestUsOptions
        | InvestUsWarrants
        | InvestUsOtc => invest::load;
    PricingPage: Pricing => static_pages::pricing;
    AboutPage: About => static_pages::about;
    BrandPage: Brand => static_pages::brand;
    DownloadPage: Download | DownloadIndexV1 => static_pages::download;
    AppDeepLinkPage: AppDeepLinkLanding | AppDeepLinkMarketingLanding => static_pages::app_deep_link;
    LoginPage: Login => static_pages::login;
    TermsPage: Terms => terms::load;
    NewsListPage: News | NewsUs | NewsSaudi => news_list::load;
    ArticlePage: NewsContent => article::load;
    NoticePage: NewsNotice => notice::load;
    EducationPage: Education => education::load;
    EducationCategoryPage: EducationCategory => education_category::load;
    EducationCoursePage: EducationCourse => education_course::load;
    EducationArticlePage: EducationArticle | CompanyNewsDetail => education_article::load;
    CompanyNewsListPage: CompanyNewsList => company_news::load;
    SupportPage: Support => support::load;
    SupportSearchPage: SupportSearch => support_search::load;
    SupportChannelPage: SupportChannel => support_channel::load;
    SupportDetailPage: SupportDetail => support_detail::load;
    SupportDocPage: SupportDoc => support_doc::load;
    ActivityPage: ActivitySeed | ActivityPreActivityNew => activity::load;
    PreviewPage: Preview => preview::load;
    NotFoundPage: NotFound => not_found::load;
    ErrorPage;
}

impl Loaders {
    /// Loads the page of a request, with the layout data.
    ///
    /// # Errors
    /// A required part is unavailable.
    pub(crate) async fn load(&self, request: &PageRequest) -> Result<LoadedPage, Error> {
        let cx = LoadContext::new(self, request, page_of_request(request));
        let data = async {
            match load_data(&cx).await {
                Ok(data) => Ok((200, cx.page, data)),
                Err(LoadError::Missing(kind)) => {
                    let page = not_found::page(&cx, kind);
                    Ok((404, PageId::NotFound, PageData::NotFoundPage(Box::new(page))))
                }
                Err(LoadError::Failed(error)) => Err(error),
            }
        };
        let ((status, page, mut document), layout) = tokio::try_join!(data, cx.layout().map(Ok))?;
        let locale = request.visitor.locale;
        document.localize(locale);
        if let Some(frame) = document.frame_mut() {
            frame.layout_data = layout.map(|layout| layout.of(locale));
        }
        Ok(LoadedPage { status, page: page.as_str(), document, meta: cx.into_meta() })
    }

    /// Normalises a request whose query names an unknown item or theme. If the item is missing, it becomes a request
    /// for an unmatched path, so that all such URLs share one cache entry; an unknown theme is dropped. If the service
    /// is unavailable, the request stays unchanged.
    pub(crate) async fn resolve(&self, request: PageRequest) -> PageRequest {
        let page = page_of_request(&request);
        let cx = LoadContext::new(self, &request, page);
        match page {
            PageId::ActivitySeed | PageId::ActivityPreActivityNew if !request.query.is_empty() => {
                match activity::campaign(&cx).await {
                    Ok(None) => PageRequest::unmatched(request.visitor),
                    Ok(Some(campaign)) => {
                        let theme = request.query.get("theme");
                        match campaign.themes.iter().any(|known| Some(&*known.id) == theme) {
                            true => request,
                            false => request.without("theme"),
                        }
                    }
                    Err(_) => request,
                }
            }
            PageId::News | PageId::NewsUs | PageId::NewsSaudi => {
                let Some(tab) = request.query.get("tab") else { return request };
                match cx.news_tabs().await {
                    Ok(tabs) if news_list::choose_tab(&tabs.items, page, Some(tab)).is_err() => {
                        PageRequest::unmatched(request.visitor)
                    }
                    _ => request,
                }
            }
            _ => request,
        }
    }

    /// The error page; needs no service.
    pub(crate) fn error(&self, request: &PageRequest, status: u16) -> LoadedPage {
        let head = PageHead { noindex: true, without_canonical: true, ..PageHead::default() };
        let mut frame = self.frame(request, None, head);
        let layout = self.data.layouts.latest();
        frame.layout_data = layout.map(|layout| layout.of(request.visitor.locale));
        let page = ErrorPage { frame: Some(frame), status: u32::from(status) };
        LoadedPage {
            status,
            page: ERROR_PAGE,
            document: PageData::ErrorPage(Box::new(page)),
            meta: CacheMeta { partial: true, ..CacheMeta::default() },
        }
    }
}

/// The page whose loader handles a request.
fn page_of_request(request: &PageRequest) -> PageId {
    match &request.found {
        None => PageId::NotFound,
        // `/about/{title}` is a legal document.
        Some(found) if found.page == PageId::About && found.parameters.contains_key("title") => {
            PageId::Terms
        }
        Some(found) => found.page,
    }
}

#[cfg(test)]
pub(crate) mod tests;
