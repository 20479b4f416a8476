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
use crate::{routes::PageId, visitor::Locale};

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
        Some(self.loaders.frame_of_page(self.request, self.page, head))
    }
}

/// Renders of pages that are not stored are shared by content (docs/members-pages.md), so their time changes only every
/// minute.
fn rendered_at(now: u32, is_unstored: bool) -> u32 {
    if is_unstored { now - now % 60 } else { now }
}

impl Loaders {
    /// The frame of a page of the route table.
    pub(super) fn frame_of_page(
        &self,
        request: &PageRequest,
        page: PageId,
        head: PageHead<'_>,
    ) -> Frame {
        self.frame(request, page.as_str(), &self.routes.route(page).layout, head)
    }

    /// The frame of a page; [`Loaders::load`] adds the layout data, which it reads concurrently.
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
        let mut alternates = Vec::new();
        let mut canonical = String::new();
        if !about.without_canonical {
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
            canonical,
            alternates,
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
