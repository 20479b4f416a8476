//! The frame of page data: head and layout data.

use sahm_chassis::clock;
use sahm_proto::{
    content::v1::GetHelpSeoInfoResponse,
    page::v1::{Alternate, Frame, Head},
};

use super::{
    Loaders, PageRequest,
    data::LoadContext,
    head_texts::{description_of, title_of},
};
use crate::{routes::PageId, site::ERROR_PAGE, visitor::Locale};

/// The parts of a page's head that its route does not determine.
#[derive(Default)]
pub(super) struct PageHead<'a> {
    /// Replaces `{title}` in the head's texts.
    pub title: &'a str,
    /// Replaces the whole title.
    pub whole_title: &'a str,
    /// Replaces the description.
    pub description: &'a str,
    /// Locales in which the page exists; empty: all.
    pub locales: &'a [String],
    pub noindex: bool,
    /// Whether the page has no canonical URL.
    pub without_canonical: bool,
    /// The site-relative path of the preview image.
    pub image: &'a str,
    /// The Open Graph type; empty for `website`.
    pub og_type: &'a str,
    /// The canonical path without locale, if it differs from the requested path.
    pub path: Option<String>,
    /// schema.org objects.
    pub json_ld: Vec<String>,
}

impl<'a> From<&'a GetHelpSeoInfoResponse> for PageHead<'a> {
    fn from(seo: &'a GetHelpSeoInfoResponse) -> Self {
        Self { whole_title: &seo.title, description: &seo.description, ..Self::default() }
    }
}

impl LoadContext<'_> {
    /// The frame of the page that is loaded.
    pub(super) fn frame(&self, head: PageHead<'_>) -> Option<Frame> {
        Some(self.loaders.frame(self.request, Some(self.page), head))
    }
}

/// Renders of pages that are not stored are shared by content (docs/members-pages.md), so their time changes only every
/// minute.
fn rendered_at(now: u32, is_unstored: bool) -> u32 {
    if is_unstored { now - now % 60 } else { now }
}

impl Loaders {
    /// The frame of a page, by default the error page; [`Loaders::load`] adds the layout data, which it reads
    /// concurrently.
    pub(super) fn frame(
        &self,
        request: &PageRequest,
        page: Option<PageId>,
        head: PageHead<'_>,
    ) -> Frame {
        let layout = page.map_or("default", |page| &self.routes.route(page).layout);
        let page = page.map_or(ERROR_PAGE, PageId::as_str);
        Frame {
            page: page.to_owned(),
            layout: layout.to_owned(),
            locale: request.visitor.locale.as_str().to_owned(),
            path: match request.found {
                Some(_) => request.requested_path().to_owned(),
                None => String::new(),
            },
            rendered_at: rendered_at(clock::now(), request.query.bypasses()),
            head: Some(self.head(request, page, head)),
            layout_data: None,
            // Page data is shared by all visitors (docs/members-pages.md).
            member: None,
        }
    }

    fn head(&self, request: &PageRequest, page: &str, about: PageHead<'_>) -> Head {
        let texts = self.site.head(page, request.visitor.locale);
        let exists = |locale: Locale| {
            about.locales.is_empty() || about.locales.iter().any(|name| name == locale.as_str())
        };
        let path = about.path.as_deref().unwrap_or(&request.path);
        let address = |locale: Locale| format!("{}{}{path}", self.data.public_url, locale.prefix());
        let locales =
            Locale::ALL.into_iter().filter(|locale| exists(*locale) && !about.without_canonical);
        let own = request.visitor.locale;
        let canonical = locales.clone().find(|locale| *locale == own).or(locales.clone().next());
        let default = locales.clone().find(|locale| *locale == Locale::EnUs);
        let alternates = locales.map(|locale| (locale.as_str(), locale));
        let alternates = alternates.chain(default.map(|locale| ("x-default", locale)));
        let alternates = alternates
            .map(|(name, locale)| Alternate { hreflang: name.to_owned(), href: address(locale) });
        let image = if about.image.is_empty() { texts.image.as_str() } else { about.image };
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
            canonical: canonical.map(address).unwrap_or_default(),
            alternates: alternates.collect(),
            noindex: about.noindex,
            og_type: if about.og_type.is_empty() { "website" } else { about.og_type }.to_owned(),
            og_image: format!("{}{image}", self.data.public_url),
            json_ld: about.json_ld,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rendered_at;

    #[test]
    fn unstored_pages_of_a_minute_have_one_time() {
        assert_eq!([119, 120, 179].map(|now| rendered_at(now, true)), [60, 120, 120]);
        assert_eq!(rendered_at(119, false), 119);
    }
}
