//! From a matched request to its page document: one loader a page or family.

mod activity;
mod article;
mod college_article;
mod company;
mod education;
mod frame;
mod head_texts;
mod home;
mod invest;
mod json_ld;
mod layout_data;
mod legal;
mod links;
mod lists;
mod news;
mod not_found;
mod notice;
mod parameters;
mod preview;
mod shared;
mod support;
mod targets;

pub(crate) use self::{shared::SharedParts, targets::target_origins};

use std::sync::Arc;

use futures_util::{
    FutureExt,
    future::{BoxFuture, ready},
};
use sahm_chassis::{clock, error::Error};
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

use self::frame::PageHead;
use crate::{
    config_snapshot::SnapshotStore,
    routes::{DeclaredQuery, Match, PageId, Route, RouteTable},
    services::Services,
    session::Member,
    site::{ERROR_PAGE, Site},
    visitor::{Locale, Visitor},
};

/// What loaders work with.
#[derive(Clone)]
pub(crate) struct Loaders {
    /// The frontend's build.
    pub site: Arc<Site>,
    /// The route table.
    pub routes: Arc<RouteTable>,
    /// Where the data is.
    pub services: Services,
    /// The configuration as last seen, for when its service is away.
    pub config_snapshot: SnapshotStore,
    /// What is not read for each page.
    pub shared: SharedParts,
    /// The site's origin.
    pub public_url: Arc<str>,
    /// Types whose drafts are shown.
    pub preview_types: Arc<[String]>,
    /// Where targets in a query may lead besides.
    pub target_origins: Arc<[String]>,
}

/// A page that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct PageRequest {
    /// Who asks.
    pub visitor: Visitor,
    /// Its page and path parameters; `None`: nothing matches the path.
    pub found: Option<Match>,
    /// The path without locale prefix, encoded as this site writes it; empty for home.
    pub path: String,
    /// The path it is asked at, where that is one of the apps' beside this site (docs/redirects.md); its
    /// language is that of query `lang`.
    pub app_path: Option<String>,
    /// Declared query parameters.
    pub query: DeclaredQuery,
    /// The path and declared query as asked, locale prefix included.
    pub url: String,
    /// A language that the query chose, to be remembered in a cookie.
    pub remember: Option<Locale>,
    /// The member who asks; its pages are made for it alone and kept nowhere.
    pub member: Option<Member>,
}

/// A page's data, ready to be rendered.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// HTTP status.
    pub status: u16,
    /// Page id, as in `data-page`.
    pub page: &'static str,
    /// The data.
    pub document: Document,
    /// Surrogate tags of everything that was looked at.
    pub tags: Vec<String>,
    /// Whether an optional part is missing.
    pub partial: bool,
    /// When what it shows begins or ends next, epoch seconds.
    pub expires_at: Option<u32>,
}

/// One variant a message, so that no page can be without a frame.
macro_rules! documents {
    ($($name:ident($message:ident)),* $(,)?) => {
        /// A page document, in the JSON shape of its proto message.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        #[allow(missing_docs)]
        pub(crate) enum Document {
            $($name(Box<$message>),)*
        }

        impl Document {
            /// The frame, which every document has.
            pub(crate) fn frame(&self) -> &Frame {
                static NONE: std::sync::LazyLock<Frame> = std::sync::LazyLock::new(Frame::default);
                match self {
                    $(Self::$name(page) => page.frame.as_ref(),)*
                }
                .unwrap_or(&NONE)
            }

            fn frame_mut(&mut self) -> Option<&mut Frame> {
                match self {
                    $(Self::$name(page) => page.frame.as_mut(),)*
                }
            }

            /// Removes the layout data, for a browser that has it.
            pub(crate) fn remove_layout_data(&mut self) {
                if let Some(frame) = self.frame_mut() {
                    frame.layout_data = None;
                }
            }

            fn localize(&mut self, locale: Locale) {
                match self {
                    $(Self::$name(page) => page.localize(locale),)*
                }
            }
        }
    };
}

documents! {
    Home(HomePage),
    Invest(InvestPage),
    Pricing(PricingPage),
    About(AboutPage),
    Brand(BrandPage),
    Download(DownloadPage),
    AppDeepLink(AppDeepLinkPage),
    Login(LoginPage),
    Terms(TermsPage),
    NewsList(NewsListPage),
    Article(ArticlePage),
    Notice(NoticePage),
    Education(EducationPage),
    EducationCategory(EducationCategoryPage),
    EducationCourse(EducationCoursePage),
    EducationArticle(EducationArticlePage),
    CompanyNews(CompanyNewsListPage),
    Support(SupportPage),
    SupportSearch(SupportSearchPage),
    SupportChannel(SupportChannelPage),
    SupportDetail(SupportDetailPage),
    SupportDoc(SupportDocPage),
    Activity(ActivityPage),
    Preview(PreviewPage),
    NotFound(NotFoundPage),
    Error(ErrorPage),
}

/// What a loader found besides the document's own data.
#[derive(Debug, Default)]
struct Found {
    tags: Vec<String>,
    partial: bool,
    expires_at: Option<u32>,
}

impl Found {
    fn tag(&mut self, tag: impl Into<String>) {
        self.tags.push(tag.into());
    }

    fn merge(&mut self, other: Self) {
        self.tags.extend(other.tags);
        self.partial |= other.partial;
        self.changes_at(other.expires_at.unwrap_or(0));
    }

    /// Notes when something shown begins or ends; 0 is never.
    fn changes_at(&mut self, time: u32) {
        if time > 0 {
            self.expires_at = Some(self.expires_at.map_or(time, |earliest| earliest.min(time)));
        }
    }

    /// The data of an optional part: without it the page is partial.
    fn optional<T>(
        &mut self,
        part: &'static str,
        data: sahm_chassis::error::Result<T>,
    ) -> Option<T> {
        data.inspect_err(|error| {
            tracing::warn!(part, error = ?error, "page part unavailable");
            self.partial = true;
        })
        .ok()
    }

    fn loaded(self, status: u16, page: &'static str, document: Document) -> Loaded {
        let Self { tags, partial, expires_at } = self;
        Loaded { status, page, document, tags, partial, expires_at }
    }
}

impl Loaders {
    /// Loads the page of a request: its own data, and at the same time what stands around every
    /// page.
    ///
    /// # Errors
    /// Those of parts that the page cannot do without.
    pub(crate) async fn load(&self, request: &PageRequest) -> Result<Loaded, Error> {
        let page = async {
            match &request.found {
                Some(found) => self.loader(request, found).await,
                None => Ok(self.not_found(request, None)),
            }
        };
        let mut around = Found::default();
        let (mut loaded, snapshot) =
            tokio::try_join!(page, self.layout_snapshot(&mut around).map(Ok))?;
        let locale = request.visitor.locale;
        loaded.document.localize(locale);
        if let Some(frame) = loaded.document.frame_mut() {
            self.add_layout_data(frame, locale, snapshot);
        }
        let Found { tags, partial, .. } = around;
        loaded.tags.extend(tags);
        loaded.tags.sort_unstable();
        loaded.tags.dedup();
        loaded.partial |= partial;
        Ok(loaded)
    }

    /// The request without what does not exist: an item that a query names and that does not exist
    /// makes it that of an unmatched path, so that all such addresses share one stored page; the
    /// value of another parameter is dropped. Where a service does not say, the request stays.
    pub(crate) async fn resolve(&self, request: PageRequest) -> PageRequest {
        let Some(page) = request.found.as_ref().map(|found| found.page) else { return request };
        match page {
            PageId::ActivitySeed | PageId::ActivityPreActivityNew if !request.query.is_empty() => {
                match self.campaign_query(&request.query).await {
                    Some(query) if !query.has_campaign => request.into_unmatched(),
                    Some(query) if !query.has_theme => request.without("theme"),
                    _ => request,
                }
            }
            PageId::News | PageId::NewsUs | PageId::NewsSaudi => {
                let Some(tab) = request.query.get("tab") else { return request };
                match self.has_tab(page, tab).await {
                    Some(false) => request.into_unmatched(),
                    _ => request,
                }
            }
            _ => request,
        }
    }

    fn loader<'a>(
        &'a self,
        request: &'a PageRequest,
        found: &'a Match,
    ) -> BoxFuture<'a, Result<Loaded, Error>> {
        let page = found.page;
        match page {
            PageId::Home => self.home(request).boxed(),
            PageId::Pricing => self.pricing(request, page).boxed(),
            PageId::Invest
            | PageId::InvestSaudiStocks
            | PageId::InvestSaudiEtfs
            | PageId::InvestSaudiReits
            | PageId::InvestSaudiSukuBonds
            | PageId::InvestUsStocks
            | PageId::InvestUsEtfs
            | PageId::InvestUsOptions
            | PageId::InvestUsWarrants
            | PageId::InvestUsOtc => self.invest(request, page).boxed(),
            PageId::About if found.parameters.contains_key("title") => {
                self.terms(request, found, "title").boxed()
            }
            PageId::About => ready(Ok(self.about(request, page))).boxed(),
            PageId::Brand => ready(Ok(self.brand(request, page))).boxed(),
            PageId::Download | PageId::DownloadIndexV1 => {
                self.download(request, page).map(Ok).boxed()
            }
            PageId::AppDeepLinkLanding | PageId::AppDeepLinkMarketingLanding => {
                self.app_deep_link(request, page).map(Ok).boxed()
            }
            PageId::ActivitySeed | PageId::ActivityPreActivityNew => {
                self.activity(request, page).map(Ok).boxed()
            }
            PageId::Login => ready(Ok(self.login(request, page))).boxed(),
            PageId::Terms => self.terms(request, found, "id").boxed(),
            PageId::News | PageId::NewsUs | PageId::NewsSaudi => {
                self.news_list(request, page).boxed()
            }
            PageId::NewsContent => self.article(request, found).boxed(),
            PageId::NewsNotice => self.notice(request, found).boxed(),
            PageId::Education => self.education(request, found).boxed(),
            PageId::EducationCategory => self.education_category(request, found).boxed(),
            PageId::EducationCourse => self.education_course(request, found).boxed(),
            PageId::EducationArticle | PageId::CompanyNewsDetail => {
                self.college_article(request, found).boxed()
            }
            PageId::CompanyNewsList => self.company_news(request, found).boxed(),
            PageId::Support => self.support(request, found).boxed(),
            PageId::SupportSearch => self.support_search(request, found).boxed(),
            PageId::SupportChannel => self.support_channel(request, found).boxed(),
            PageId::SupportDetail => self.support_detail(request, found).boxed(),
            PageId::SupportDoc => self.support_doc(request, found).boxed(),
            PageId::Preview => self.preview(request, found).boxed(),
            PageId::NotFound => ready(Ok(self.not_found(request, None))).boxed(),
        }
    }

    /// The page that says that another could not be made; needs no service.
    pub(crate) fn error(&self, request: &PageRequest, status: u16) -> Loaded {
        let head = PageHead { noindex: true, nameless: true, ..PageHead::default() };
        let mut frame = self.frame(request, ERROR_PAGE, "default", head);
        self.add_layout_data(&mut frame, request.visitor.locale, self.config_snapshot.latest());
        let page = ErrorPage { frame: Some(frame), status: u32::from(status) };
        Found { partial: true, ..Found::default() }.loaded(
            status,
            ERROR_PAGE,
            Document::Error(Box::new(page)),
        )
    }

    fn route(&self, page: PageId) -> &Route {
        self.routes.route(page)
    }
}

/// When a document is made, epoch seconds.
fn now() -> u32 {
    clock::now()
}

#[cfg(test)]
mod rounds_tests;
