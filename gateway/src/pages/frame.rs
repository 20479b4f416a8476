//! What every page document carries: head and layout data.

use sahm_chassis::error::Result;
use sahm_proto::{
    config::v1::{GetDownloadInfoRequest, GetMenuRequest, GetUrlsRequest, GetWebConfigRequest},
    content::v1::{CollegeNavigationVo, GetNavigationRequest},
    page::v1::{Alternate, Frame, Head},
    tags,
};

use super::{
    Found, Loaders, PageRequest,
    head_texts::{description_of, title_of},
    links, now,
};
use crate::{config_snapshot::ConfigSnapshot, routes::PageId, services::reading, visitor::Locale};

/// Keys of web config that the layout shows.
const CONTACT_KEYS: &str =
    "SA_CUSTOMER_SERVICE_WHATSAPP,SA_CUSTOMER_SERVICE_PHONE,SA_CUSTOMER_SERVICE_EMAIL";

/// Keys of the addresses that a member's links lead to.
const ADDRESS_KEYS: &str = "AC_OPEN,AC_OPEN_US,MORE_ACCOUNT";

/// What a page says of itself beyond its route.
#[derive(Default)]
pub(super) struct PageHead<'a> {
    /// Replaces `{title}` in the head's texts.
    pub title: &'a str,
    /// Replaces the title altogether.
    pub whole_title: &'a str,
    /// Replaces the description.
    pub description: &'a str,
    /// Locales in which the page exists; empty: both.
    pub locales: &'a [String],
    /// Whether it may be indexed.
    pub noindex: bool,
    /// Whether it has an address worth naming.
    pub nameless: bool,
    /// A site-relative picture.
    pub image: &'a str,
    /// `website` where empty.
    pub og_type: &'a str,
    /// The canonical path without locale, where the page has one that is not as asked.
    pub path: Option<String>,
    /// schema.org objects.
    pub json_ld: Vec<String>,
}

impl Loaders {
    /// Head of the page that a request matched.
    pub(super) fn frame_of_page(
        &self,
        request: &PageRequest,
        page: PageId,
        head: PageHead<'_>,
    ) -> Frame {
        self.frame(request, page.as_str(), &self.route(page).layout, head)
    }

    /// Reads what the layout shows: from the services, or as last seen.
    pub(super) async fn layout_snapshot(&self, found: &mut Found) -> Option<ConfigSnapshot> {
        found.tag(tags::CONFIG_MENU);
        found.tag(tags::CONFIG_ITEMS);
        found.tag(tags::CONFIG_STORES);
        found.tag(tags::COLLEGE_NAVIGATION);
        let configuration = || {
            let loaders = self.clone();
            async move { loaders.configuration().await }
        };
        let college = || {
            let loaders = self.clone();
            async move { loaders.college_menu().await }
        };
        let (configuration, college) = tokio::join!(
            self.shared.configuration.get((), configuration),
            self.shared.college.get((), college),
        );
        let college = found.optional("college menu", college);
        let Some(configuration) = found.optional("configuration", configuration) else {
            return self.config_snapshot.latest();
        };
        let college = match college {
            Some(college) => (*college).clone(),
            None => self.config_snapshot.latest().map(|last| last.college).unwrap_or_default(),
        };
        let snapshot = ConfigSnapshot { college, ..(*configuration).clone() };
        self.config_snapshot.save(&snapshot);
        Some(snapshot)
    }

    /// Adds layout data and the member's addresses to a frame.
    pub(super) fn add_layout_data(
        &self,
        frame: &mut Frame,
        locale: Locale,
        snapshot: Option<ConfigSnapshot>,
    ) {
        if let (Some(member), Some(snapshot)) = (&mut frame.member, &snapshot) {
            member.addresses.clone_from(&snapshot.addresses);
        }
        frame.layout_data = snapshot.map(|snapshot| self.shared.layouts.get(snapshot, locale));
    }

    /// Head of a page; [`Loaders::load`] adds the layout data, which it reads concurrently with the page's data.
    pub(super) fn frame(
        &self,
        request: &PageRequest,
        page: &str,
        layout: &str,
        head: PageHead<'_>,
    ) -> Frame {
        Frame {
            page: page.to_owned(),
            layout: layout.to_owned(),
            locale: request.visitor.locale.as_str().to_owned(),
            path: match request.found {
                Some(_) => request.shown_path().to_owned(),
                None => String::new(),
            },
            rendered_at: now(),
            head: Some(self.head(request, page, head)),
            layout_data: None,
            member: request.member.as_ref().map(|member| member.shown.clone()),
        }
    }

    fn head(&self, request: &PageRequest, page: &str, about: PageHead<'_>) -> Head {
        let texts = self.site.head(page, request.visitor.locale);
        let exists = |locale: Locale| {
            about.locales.is_empty() || about.locales.iter().any(|name| name == locale.as_str())
        };
        let path = about.path.as_deref().unwrap_or(&request.path);
        let address = |locale: Locale| format!("{}{}{path}", self.public_url, locale.prefix());
        let mut alternates = Vec::new();
        let mut canonical = String::new();
        if !about.nameless {
            let own = request.visitor.locale;
            let canonical_locale =
                if exists(own) { Some(own) } else { Locale::ALL.into_iter().find(|l| exists(*l)) };
            canonical = canonical_locale.map(address).unwrap_or_default();
            for locale in Locale::ALL.into_iter().filter(|locale| exists(*locale)) {
                alternates.push(Alternate {
                    hreflang: locale.as_str().to_owned(),
                    href: address(locale),
                });
            }
            if exists(Locale::EnUs) {
                alternates.push(Alternate {
                    hreflang: "x-default".to_owned(),
                    href: address(Locale::EnUs),
                });
            }
        }
        let image = if about.image.is_empty() { "/og-image.png" } else { about.image };
        Head {
            title: if about.whole_title.is_empty() {
                title_of(&texts.title, about.title)
            } else {
                about.whole_title.to_owned()
            },
            description: description_of(&match about.description {
                "" => texts.description.replace("{title}", about.title),
                description => description.to_owned(),
            }),
            canonical,
            alternates,
            noindex: about.noindex,
            og_type: if about.og_type.is_empty() { "website" } else { about.og_type }.to_owned(),
            og_image: format!("{}{image}", self.public_url),
            json_ld: about.json_ld,
        }
    }

    async fn configuration(&self) -> Result<(ConfigSnapshot, u32)> {
        let client = self.services.config()?;
        let (mut menu, mut items, mut stores, mut urls) =
            (client.clone(), client.clone(), client.clone(), client);
        let (menu, items, stores, urls) = tokio::try_join!(
            reading(menu.get_menu(GetMenuRequest {})),
            reading(items.get_web_config(GetWebConfigRequest {
                keys: CONTACT_KEYS.to_owned(),
                ctype: "commons".to_owned(),
            })),
            reading(stores.get_download_info(GetDownloadInfoRequest::default())),
            reading(urls.get_urls(GetUrlsRequest { keys: ADDRESS_KEYS.to_owned() })),
        )?;
        let mut menu = menu.menu.unwrap_or_default();
        links::own(&mut menu.header, &self.public_url);
        let snapshot = ConfigSnapshot {
            menu,
            items: items.items,
            stores: stores.items,
            addresses: urls.items,
            college: Vec::new(),
        };
        Ok((snapshot, 0))
    }

    async fn college_menu(&self) -> Result<(Vec<CollegeNavigationVo>, u32)> {
        let mut college = self.services.college()?;
        let answer = reading(college.get_navigation(GetNavigationRequest {})).await?;
        Ok((answer.navigation_vo_list, 0))
    }
}
