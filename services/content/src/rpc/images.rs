//! `sahm.content.v1.ImageService`.
use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1::{self as wire, image_service_server::ImageService};
use tonic::{Request, Response, Status};

use super::{convert, entries::ContentRpc, validate};
use crate::domain::{Banner, Bilingual, Entry, EntryKind, Locale, lists};

/// The client type of the website.
const WEBSITE_CLIENT: u32 = 3;
const MAX_BANNERS: u32 = 200;
const MAX_POSITIONS: usize = 50;
/// Link target of a banner: any URL, or an article of this site.
const URL_TYPE_ADDRESS: u32 = 1;
const URL_TYPE_ARTICLE: u32 = 2;

impl ContentRpc {
    /// The active banners of a position for a client type, and the time of the next change.
    async fn active_banners(
        &self,
        client: u32,
        position: &str,
        locale: Locale,
    ) -> Result<(Vec<wire::Banner>, Option<u32>)> {
        let (mut banners, mut next_change_at) = (Vec::new(), None);
        if !matches!(client, 0 | WEBSITE_CLIENT) {
            return Ok((banners, next_change_at));
        }
        let (list, now) = (lists::banners(position), self.now());
        let page = self.first(EntryKind::ImageBanner, &list, None, MAX_BANNERS).await?;
        for entry in page.items {
            let Some(found) = entry.data.try_as_image_banner_ref() else { continue };
            let change = found.display_period.next_change(now);
            next_change_at = next_change_at.into_iter().chain(change).min();
            if found.display_period.is_active(now) {
                banners.push(banner(&entry, found, locale));
            }
        }
        Ok((banners, next_change_at))
    }
}

#[tonic::async_trait]
impl ImageService for ContentRpc {
    async fn list_position_images(
        &self,
        request: Request<wire::ListPositionImagesRequest>,
    ) -> Result<Response<wire::ListPositionImagesResponse>, Status> {
        let request = request.into_inner();
        validate::required("position_code", &request.position_code)?;
        let locale = Locale::parse_or_english(&request.locale);
        let (items, next_change_at) =
            self.active_banners(request.client_type, &request.position_code, locale).await?;
        let next_change_at = next_change_at.unwrap_or(0);
        Ok(Response::new(wire::ListPositionImagesResponse { items, next_change_at }))
    }

    async fn batch_list_position_images(
        &self,
        request: Request<wire::BatchListPositionImagesRequest>,
    ) -> Result<Response<wire::BatchListPositionImagesResponse>, Status> {
        let request = request.into_inner();
        let locale = Locale::parse_or_english(&request.locale);
        let (mut items, mut next_change_at) = (Vec::new(), None);
        for position in positions(&request.position_code_list)? {
            let (active, change) =
                self.active_banners(request.client_type, position, locale).await?;
            items.extend(active.into_iter().next());
            next_change_at = next_change_at.into_iter().chain(change).min();
        }
        let next_change_at = next_change_at.unwrap_or(0);
        Ok(Response::new(wire::BatchListPositionImagesResponse { items, next_change_at }))
    }

    async fn list_banners(
        &self,
        request: Request<wire::ListBannersRequest>,
    ) -> Result<Response<wire::ListBannersResponse>, Status> {
        let request = request.into_inner();
        validate::required("position_code", &request.position_code)?;
        let size = validate::page_size(request.size, MAX_BANNERS)?;
        let (kind, list) = (EntryKind::ImageBanner, lists::banners(&request.position_code));
        let page = self.page(kind, &list, None, size, &request.cursor).await?;
        Ok(Response::new(wire::ListBannersResponse {
            items: banners(&page.items, Locale::parse_or_english(&request.locale)),
            next_cursor: page.next_cursor,
        }))
    }

    async fn get_banner(
        &self,
        request: Request<wire::GetBannerRequest>,
    ) -> Result<Response<wire::GetBannerResponse>, Status> {
        let request = request.into_inner();
        validate::required("id", &request.id)?;
        let found = self.by_id(EntryKind::ImageBanner, request.id).await?;
        let banner = banners(found.as_slice(), Locale::parse_or_english(&request.locale)).pop();
        let banner = banner.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(wire::GetBannerResponse { banner: Some(banner) }))
    }

    async fn batch_get_banners(
        &self,
        request: Request<wire::BatchGetBannersRequest>,
    ) -> Result<Response<wire::BatchGetBannersResponse>, Status> {
        let request = request.into_inner();
        let found = self.batch(EntryKind::ImageBanner, &request.ids, None).await?;
        let items = banners(&found, Locale::parse_or_english(&request.locale));
        Ok(Response::new(wire::BatchGetBannersResponse { items }))
    }

    async fn withdraw_banners(
        &self,
        request: Request<wire::WithdrawBannersRequest>,
    ) -> Result<Response<wire::WithdrawBannersResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::ImageBanner, &ids).await?;
        Ok(Response::new(wire::WithdrawBannersResponse { withdrawn_ids }))
    }
}

/// Parses comma-separated position codes; removes duplicates and keeps the order.
fn positions(text: &str) -> Result<Vec<&str>> {
    let mut positions = Vec::new();
    for code in validate::comma_list(text) {
        if !positions.contains(&code) {
            positions.push(code);
        }
    }
    validate::count("position_code_list", positions.len(), MAX_POSITIONS, "codes")?;
    Ok(positions)
}

fn banners(entries: &[Entry], locale: Locale) -> Vec<wire::Banner> {
    let banner = |entry: &Entry| Some(banner(entry, entry.data.try_as_image_banner_ref()?, locale));
    entries.iter().filter_map(banner).collect()
}

fn banner(entry: &Entry, banner: &Banner, locale: Locale) -> wire::Banner {
    let text = |text: &Bilingual| convert::in_locale(text, locale);
    let title = text(&banner.title);
    let image = banner
        .picture_for(locale)
        .map(|picture| wire::Image { alt: title.clone(), ..convert::picture(picture) });
    let (timestamp, origin) = (banner.display_period.begin, banner.position_code.clone());
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
        begin_time: banner.display_period.begin,
        end_time: banner.display_period.end,
        url_type: if article.is_some() { URL_TYPE_ARTICLE } else { URL_TYPE_ADDRESS },
        content_id: article.unwrap_or(0),
        url: article.map_or_else(|| banner.url.clone(), |id| format!("/news/content/{id}")),
        timestamp,
        origin,
        content_data,
        sample: banner.sample,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_list_is_parsed() {
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
