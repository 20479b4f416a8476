use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock, cursor};
use sahm_proto::content::v1::{self as wire, flash_news_service_server::FlashNewsService};
use tonic::{Request, Response, Status};

use super::{asked, convert, news};
use crate::{
    domain::{Entry, EntryData, EntryKind, Locale, PAGE_SIZE, StockNames, lists},
    stocks::StockBook,
    store::ContentStore,
};

/// `sahm.content.v1.FlashNewsService`.
pub(crate) struct FlashCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
    stocks: StockBook,
}

impl FlashCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(
        store: ContentStore,
        log: ChangeLog,
        clock: Clock,
        stocks: StockBook,
    ) -> Self {
        Self { store, log, clock, stocks }
    }

    async fn list(&self, asked: wire::ListFlashNewsRequest) -> Result<wire::ListFlashNewsResponse> {
        let list = lists::flash(news::market(&asked.market)?.list());
        let (size, after) =
            (asked::size(asked.size, PAGE_SIZE)?, cursor::decode(&list, &asked.cursor)?);
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let page =
            self.store.entries(EntryKind::NewsFlash, &list, locale, after, size, now).await?;
        Ok(wire::ListFlashNewsResponse {
            items: items(&page.items, &self.stocks.names()),
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn get(&self, asked: wire::GetFlashNewsRequest) -> Result<wire::GetFlashNewsResponse> {
        asked::needed("id", asked.id)?;
        let (locale, now) = (Locale::asked(&asked.locale), self.clock.now());
        let found = self.store.entry(EntryKind::NewsFlash, asked.id, locale, now).await?;
        let held = found.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?;
        let item = items(&[held.entry], &self.stocks.names()).pop();
        Ok(wire::GetFlashNewsResponse { item })
    }

    async fn batch(
        &self,
        asked: wire::BatchGetFlashNewsRequest,
    ) -> Result<wire::BatchGetFlashNewsResponse> {
        asked::batch(&asked.ids)?;
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let found = self.store.entries_by_id(EntryKind::NewsFlash, &asked.ids, locale, now).await?;
        Ok(wire::BatchGetFlashNewsResponse { items: items(&found, &self.stocks.names()) })
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawFlashNewsRequest,
    ) -> Result<wire::WithdrawFlashNewsResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids = self.store.withdraw_entries(EntryKind::NewsFlash, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawFlashNewsResponse { withdrawn_ids })
    }
}

fn items(entries: &[Entry], names: &StockNames) -> Vec<wire::FlashNews> {
    let item = |entry: &Entry| {
        let EntryData::NewsFlash(flash) = &entry.data else { return None };
        Some(wire::FlashNews {
            id: entry.id,
            locale: entry.locale.map_or("", Locale::as_str).to_owned(),
            content: convert::shown(&flash.content, entry),
            market: flash.market.as_str().to_owned(),
            published_at: entry.published_at,
            sample: flash.sample,
            stocks: convert::stocks(&names.of_text(&flash.content)),
        })
    };
    entries.iter().filter_map(item).collect()
}

#[tonic::async_trait]
impl FlashNewsService for FlashCalls {
    async fn list_flash_news(
        &self,
        request: Request<wire::ListFlashNewsRequest>,
    ) -> Result<Response<wire::ListFlashNewsResponse>, Status> {
        Ok(Response::new(self.list(request.into_inner()).await?))
    }

    async fn get_flash_news(
        &self,
        request: Request<wire::GetFlashNewsRequest>,
    ) -> Result<Response<wire::GetFlashNewsResponse>, Status> {
        Ok(Response::new(self.get(request.into_inner()).await?))
    }

    async fn batch_get_flash_news(
        &self,
        request: Request<wire::BatchGetFlashNewsRequest>,
    ) -> Result<Response<wire::BatchGetFlashNewsResponse>, Status> {
        Ok(Response::new(self.batch(request.into_inner()).await?))
    }

    async fn withdraw_flash_news(
        &self,
        request: Request<wire::WithdrawFlashNewsRequest>,
    ) -> Result<Response<wire::WithdrawFlashNewsResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }
}
