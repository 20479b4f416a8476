//! `sahm.content.v1.FlashNewsService`.
use sahm_proto::content::v1::{self as wire, flash_news_service_server::FlashNewsService};
use tonic::{Request, Response, Status};

use crate::{
    domain::{Entry, EntryData, EntryKind, IdOrSlug, Locale, PAGE_SIZE, StockNames, lists},
    rpc::{convert, entries::ContentRpc, validate},
};

#[tonic::async_trait]
impl FlashNewsService for ContentRpc {
    async fn list_flash_news(
        &self,
        request: Request<wire::ListFlashNewsRequest>,
    ) -> Result<Response<wire::ListFlashNewsResponse>, Status> {
        let request = request.into_inner();
        let list = lists::flash(validate::market(&request.market)?.list());
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let locale = Some(Locale::parse_or_english(&request.locale));
        let page = self.page(EntryKind::NewsFlash, &list, locale, size, &request.cursor).await?;
        Ok(Response::new(wire::ListFlashNewsResponse {
            items: flash_news(&page.items, &self.stocks.names()),
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn get_flash_news(
        &self,
        request: Request<wire::GetFlashNewsRequest>,
    ) -> Result<Response<wire::GetFlashNewsResponse>, Status> {
        let request = request.into_inner();
        validate::required("id", &request.id)?;
        let (id, locale) = (IdOrSlug::Id(request.id), Locale::parse_or_english(&request.locale));
        let found = self.find(EntryKind::NewsFlash, &id, locale).await?;
        let item = flash_news(&[found.entry], &self.stocks.names()).pop();
        Ok(Response::new(wire::GetFlashNewsResponse { item }))
    }

    async fn batch_get_flash_news(
        &self,
        request: Request<wire::BatchGetFlashNewsRequest>,
    ) -> Result<Response<wire::BatchGetFlashNewsResponse>, Status> {
        let request = request.into_inner();
        let locale = Some(Locale::parse_or_english(&request.locale));
        let found = self.batch(EntryKind::NewsFlash, &request.ids, locale).await?;
        let items = flash_news(&found, &self.stocks.names());
        Ok(Response::new(wire::BatchGetFlashNewsResponse { items }))
    }

    async fn withdraw_flash_news(
        &self,
        request: Request<wire::WithdrawFlashNewsRequest>,
    ) -> Result<Response<wire::WithdrawFlashNewsResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::NewsFlash, &ids).await?;
        Ok(Response::new(wire::WithdrawFlashNewsResponse { withdrawn_ids }))
    }
}

fn flash_news(entries: &[Entry], names: &StockNames) -> Vec<wire::FlashNews> {
    let item = |entry: &Entry| {
        let EntryData::NewsFlash(flash) = &entry.data else { return None };
        Some(wire::FlashNews {
            id: entry.id,
            locale: convert::locale(entry),
            content: convert::display_text(&flash.content, entry),
            market: flash.market.as_str().to_owned(),
            published_at: entry.published_at,
            sample: flash.sample,
            stocks: convert::stocks(&names.of_text(&flash.content)),
        })
    };
    entries.iter().filter_map(item).collect()
}
