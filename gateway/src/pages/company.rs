//! Pages about the company and its app, and the login page: their own texts and the chrome's data.

use sahm_proto::{
    config::v1::GetDownloadLinkInfoRequest,
    page::v1::{AboutPage, AppDeepLinkPage, BrandPage, DownloadPage, LoginPage},
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead};
use crate::{routes::PageId, services::reading};

impl Loaders {
    pub(super) fn about(&self, request: &PageRequest, page: PageId) -> Loaded {
        let organization = organization(self, request);
        let head = PageHead { json_ld: vec![organization], ..PageHead::default() };
        let frame = Some(self.frame_of_page(request, page, head));
        Found::default().loaded(200, page.as_str(), Document::About(Box::new(AboutPage { frame })))
    }

    pub(super) fn brand(&self, request: &PageRequest, page: PageId) -> Loaded {
        let frame = Some(self.frame_of_page(request, page, PageHead::default()));
        Found::default().loaded(200, page.as_str(), Document::Brand(Box::new(BrandPage { frame })))
    }

    pub(super) fn login(&self, request: &PageRequest, page: PageId) -> Loaded {
        let head = PageHead { noindex: true, ..PageHead::default() };
        let frame = Some(self.frame_of_page(request, page, head));
        let document = LoginPage { frame, target_origins: self.target_origins.to_vec() };
        Found::default().loaded(200, page.as_str(), Document::Login(Box::new(document)))
    }

    pub(super) async fn download(&self, request: &PageRequest, page: PageId) -> Loaded {
        let mut found = Found::default();
        let one_link = self.one_link(&mut found).await;
        let frame = Some(self.frame_of_page(request, page, PageHead::default()));
        let document = DownloadPage { frame, one_link };
        found.loaded(200, page.as_str(), Document::Download(Box::new(document)))
    }

    pub(super) async fn app_deep_link(&self, request: &PageRequest, page: PageId) -> Loaded {
        let mut found = Found::default();
        let head = PageHead { noindex: true, ..PageHead::default() };
        let one_link = self.one_link(&mut found).await;
        let frame = Some(self.frame_of_page(request, page, head));
        let target_origins = self.target_origins.to_vec();
        let document = AppDeepLinkPage { frame, one_link, target_origins };
        found.loaded(200, page.as_str(), Document::AppDeepLink(Box::new(document)))
    }

    async fn one_link(&self, found: &mut Found) -> String {
        let link = async {
            let platform = String::new();
            let request = GetDownloadLinkInfoRequest { platform };
            reading(self.services.config()?.get_download_link_info(request)).await
        };
        let link = link.await;
        found.tag(tags::CONFIG_STORES);
        let link = found.optional("one link", link).and_then(|answer| answer.link);
        link.map(|link| link.one_link).unwrap_or_default()
    }
}

fn organization(loaders: &Loaders, request: &PageRequest) -> String {
    serde_json::json!({
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": loaders.site.name(request.visitor.locale),
        "url": format!("{}{}", loaders.public_url, request.visitor.locale.prefix()),
    })
    .to_string()
}
