use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock, cursor};
use sahm_proto::content::v1::{self as wire, image_service_server::ImageService};
use tonic::{Request, Response, Status};

use super::{asked, convert};
use crate::{
    domain::{Banner, Bilingual, Entry, EntryData, EntryKind, Locale, lists},
    store::ContentStore,
};

/// The website, of the kinds of client that show banners.
const WEBSITE: u32 = 3;
/// The most banners of a position.
const BANNERS_MAX: u32 = 200;
/// The most positions asked at once.
const POSITIONS_MAX: usize = 50;
/// What a banner leads to: any address, or an article of this site.
const ADDRESS: u32 = 1;
const ARTICLE: u32 = 2;

/// `sahm.content.v1.ImageService`.
pub(crate) struct ImageCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
}

/// What positions show, and when that changes.
#[derive(Default)]
struct Shown {
    items: Vec<wire::Banner>,
    next_change_at: Option<u32>,
}

impl ImageCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
    }

    async fn banners(&self, position: &str) -> Result<Vec<Entry>> {
        let (list, now) = (lists::banners(position), self.clock.now());
        Ok(self
            .store
            .entries(EntryKind::ImageBanner, &list, None, None, BANNERS_MAX, now)
            .await?
            .items)
    }

    /// What a position shows to a kind of client.
    async fn shown(&self, client: u32, position: &str, locale: Locale) -> Result<Shown> {
        let mut shown = Shown::default();
        if !matches!(client, 0 | WEBSITE) {
            return Ok(shown);
        }
        let now = self.clock.now();
        for entry in self.banners(position).await? {
            let EntryData::ImageBanner(found) = &entry.data else { continue };
            let change = found.shown.next_change(now);
            shown.next_change_at = shown.next_change_at.into_iter().chain(change).min();
            if found.shown.is_active(now) {
                shown.items.push(banner(&entry, found, locale));
            }
        }
        Ok(shown)
    }

    async fn position(
        &self,
        asked: wire::ListPositionImagesRequest,
    ) -> Result<wire::ListPositionImagesResponse> {
        needed(&asked.position_code)?;
        let locale = Locale::asked(&asked.locale);
        let shown = self.shown(asked.client_type, &asked.position_code, locale).await?;
        Ok(wire::ListPositionImagesResponse {
            items: shown.items,
            next_change_at: shown.next_change_at.unwrap_or(0),
        })
    }

    async fn positions(
        &self,
        asked: wire::BatchListPositionImagesRequest,
    ) -> Result<wire::BatchListPositionImagesResponse> {
        let locale = Locale::asked(&asked.locale);
        let mut all = Shown::default();
        for position in positions(&asked.position_code_list)? {
            let shown = self.shown(asked.client_type, position, locale).await?;
            all.items.extend(shown.items.into_iter().next());
            all.next_change_at = all.next_change_at.into_iter().chain(shown.next_change_at).min();
        }
        Ok(wire::BatchListPositionImagesResponse {
            items: all.items,
            next_change_at: all.next_change_at.unwrap_or(0),
        })
    }

    async fn every(&self, asked: wire::ListBannersRequest) -> Result<wire::ListBannersResponse> {
        needed(&asked.position_code)?;
        let locale = Locale::asked(&asked.locale);
        let size = asked::size(asked.size, BANNERS_MAX)?;
        let (list, now) = (lists::banners(&asked.position_code), self.clock.now());
        let after = cursor::decode(&list, &asked.cursor)?;
        let page =
            self.store.entries(EntryKind::ImageBanner, &list, None, after, size, now).await?;
        Ok(wire::ListBannersResponse {
            items: banners(&page.items, locale),
            next_cursor: asked::next(&list, page.next),
        })
    }

    async fn one(&self, asked: wire::GetBannerRequest) -> Result<wire::GetBannerResponse> {
        asked::needed("id", asked.id)?;
        let banner = self.by_id(&[asked.id], &asked.locale).await?.pop();
        let banner = banner.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(wire::GetBannerResponse { banner: Some(banner) })
    }

    async fn batch(
        &self,
        asked: wire::BatchGetBannersRequest,
    ) -> Result<wire::BatchGetBannersResponse> {
        asked::batch(&asked.ids)?;
        let items = self.by_id(&asked.ids, &asked.locale).await?;
        Ok(wire::BatchGetBannersResponse { items })
    }

    async fn by_id(&self, ids: &[u64], locale: &str) -> Result<Vec<wire::Banner>> {
        let now = self.clock.now();
        let found = self.store.entries_by_id(EntryKind::ImageBanner, ids, None, now).await?;
        Ok(banners(&found, Locale::asked(locale)))
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawBannersRequest,
    ) -> Result<wire::WithdrawBannersResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids = self.store.withdraw_entries(EntryKind::ImageBanner, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawBannersResponse { withdrawn_ids })
    }
}

fn needed(position: &str) -> Result<()> {
    if position.is_empty() { Err(Error::field("position_code", "is needed")) } else { Ok(()) }
}

/// Position codes joined by commas, each once, in the order in which they stand.
fn positions(text: &str) -> Result<Vec<&str>> {
    let mut positions = Vec::new();
    for code in text.split(',').map(str::trim).filter(|code| !code.is_empty()) {
        if !positions.contains(&code) {
            positions.push(code);
        }
    }
    if (1..=POSITIONS_MAX).contains(&positions.len()) {
        Ok(positions)
    } else {
        Err(Error::field("position_code_list", format!("must be 1 to {POSITIONS_MAX} codes")))
    }
}

fn banners(entries: &[Entry], locale: Locale) -> Vec<wire::Banner> {
    let banner = |entry: &Entry| match &entry.data {
        EntryData::ImageBanner(found) => Some(banner(entry, found, locale)),
        _ => None,
    };
    entries.iter().filter_map(banner).collect()
}

fn banner(entry: &Entry, banner: &Banner, locale: Locale) -> wire::Banner {
    let text = |text: &Bilingual| convert::in_locale(text, locale);
    let title = text(&banner.title);
    let image = banner
        .picture_for(locale)
        .map(|picture| wire::Image { alt: title.clone(), ..convert::picture(picture) });
    let (timestamp, origin) = (banner.shown.begin, banner.position_code.clone());
    let article = banner.article();
    let content_data = article.map(|id| wire::ContentData {
        seo_url: id.to_string(),
        timestamp,
        origin: origin.clone(),
    });
    wire::Banner {
        id: entry.id,
        position_code: banner.position_code.clone(),
        position_name: text(&banner.position_name),
        title,
        image,
        redirect: Some(wire::Redirect {
            value: Some(wire::RedirectValue { url: banner.url.clone() }),
        }),
        begin_time: banner.shown.begin,
        end_time: banner.shown.end,
        url_type: if article.is_some() { ARTICLE } else { ADDRESS },
        content_id: article.unwrap_or(0),
        url: article.map_or_else(|| banner.url.clone(), |id| format!("/news/content/{id}")),
        timestamp,
        origin,
        content_data,
        sample: banner.sample,
    }
}

#[tonic::async_trait]
impl ImageService for ImageCalls {
    async fn list_position_images(
        &self,
        request: Request<wire::ListPositionImagesRequest>,
    ) -> Result<Response<wire::ListPositionImagesResponse>, Status> {
        Ok(Response::new(self.position(request.into_inner()).await?))
    }

    async fn batch_list_position_images(
        &self,
        request: Request<wire::BatchListPositionImagesRequest>,
    ) -> Result<Response<wire::BatchListPositionImagesResponse>, Status> {
        Ok(Response::new(self.positions(request.into_inner()).await?))
    }

    async fn list_banners(
        &self,
        request: Request<wire::ListBannersRequest>,
    ) -> Result<Response<wire::ListBannersResponse>, Status> {
        Ok(Response::new(self.every(request.into_inner()).await?))
    }

    async fn get_banner(
        &self,
        request: Request<wire::GetBannerRequest>,
    ) -> Result<Response<wire::GetBannerResponse>, Status> {
        Ok(Response::new(self.one(request.into_inner()).await?))
    }

    async fn batch_get_banners(
        &self,
        request: Request<wire::BatchGetBannersRequest>,
    ) -> Result<Response<wire::BatchGetBannersResponse>, Status> {
        Ok(Response::new(self.batch(request.into_inner()).await?))
    }

    async fn withdraw_banners(
        &self,
        request: Request<wire::WithdrawBannersRequest>,
    ) -> Result<Response<wire::WithdrawBannersResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_positions() {
        let many = (0..51).map(|n| format!("P{n}")).collect::<Vec<_>>().join(",");
        let table: [(&str, Option<&[&str]>); 5] = [
            ("A", Some(&["A"])),
            (" B , A,B,", Some(&["B", "A"])),
            ("", None),
            (",", None),
            (&many, None),
        ];
        for (text, expected) in table {
            assert_eq!(positions(text).ok().as_deref(), expected, "{text:?}");
        }
    }
}
