//! `sahm.content.v1.NewsService`: articles, tabs, likes, translations.
use std::collections::{HashMap, HashSet};

use sahm_chassis::{Error, ErrorCode, Result, cursor};
use sahm_proto::content::v1::{self as wire, news_service_server::NewsService};
use tonic::{Request, Response, Status};

use crate::{
    domain::{Cursor, Entry, EntryKind, IdOrSlug, List, Locale, Market, NewsArticle, PAGE_SIZE},
    rpc::{
        convert,
        entries::{ContentRpc, FromEntry, ListPage, items},
        recommendations::RecommendationPage,
        validate,
    },
    store::StoredEntry,
};

/// Maximum reported number of unread articles of a tab.
const MAX_UNREAD: u32 = 999;
/// Maximum length of the referrer label, in characters.
const MAX_FROM_LENGTH: usize = 40;

impl ContentRpc {
    async fn find_article(&self, id: u64, locale: Locale) -> Result<StoredEntry> {
        self.find(EntryKind::News, &IdOrSlug::Id(id), locale).await
    }

    /// An article as a wire message, with a signature for its reader.
    async fn signed(&self, found: StoredEntry) -> Result<wire::Article> {
        let (id, locale) = (found.entry.id, found.entry.locale.unwrap_or(Locale::EnUs));
        let sign = self.signer.sign(id, locale, self.now());
        let article = article(&found.entry)?;
        let counts = self.store.counts(EntryKind::News, &[id]).await?;
        let counts = counts.get(&id).copied().unwrap_or_default();
        Ok(convert::article(&found, article, counts, &self.stocks.names(), sign))
    }

    async fn article_summaries(&self, entries: &[Entry]) -> Result<Vec<wire::ArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let counts = self.store.counts(EntryKind::News, &ids).await?;
        let summary = |entry: &Entry| {
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Ok(convert::summary(entry, article(entry)?, counts))
        };
        entries.iter().map(summary).collect()
    }

    /// A page of a list of articles.
    async fn article_page(
        &self,
        list: List,
        locale: &str,
        size: u32,
        cursor: &str,
    ) -> Result<ListPage> {
        // Several tabs may show the same list.
        let name = format!("news:{}", list.as_str());
        let (after, locale) =
            (cursor::decode(&name, cursor)?, Some(Locale::parse_or_english(locale)));
        let (store, kind) = (&self.store, EntryKind::News);
        let page = store.entries(kind, list.as_str(), locale, after, size, self.now()).await?;
        Ok(ListPage::of(&name, page))
    }

    /// The ids of published articles among `ids`, in their order.
    async fn published_ids(&self, ids: &[u64]) -> Result<Vec<u64>> {
        let published = self.store.published_ids(ids, self.now()).await?;
        Ok(ids.iter().copied().filter(|id| published.contains(id)).collect())
    }

    async fn require_published(&self, id: u64) -> Result<()> {
        let found = self.published_ids(&[id]).await?;
        if found.is_empty() { Err(Error::of(ErrorCode::ArticleNotFound)) } else { Ok(()) }
    }
}

fn article(entry: &Entry) -> Result<&NewsArticle> {
    entry.data.try_as_news_ref().ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))
}

#[tonic::async_trait]
impl NewsService for ContentRpc {
    async fn list_tabs(
        &self,
        request: Request<wire::ListTabsRequest>,
    ) -> Result<Response<wire::ListTabsResponse>, Status> {
        let request = request.into_inner();
        let market = validate::market(&request.market)?;
        let size = validate::page_size(request.size, PAGE_SIZE)? as usize;
        let list = format!("tabs:{}", market.as_str());
        let mut tabs = self.store.tabs().await?;
        tabs.retain(|entry| {
            matches!(market, Market::Empty | Market::All)
                || entry.data.try_as_news_tab_ref().is_some_and(|tab| tab.market == market)
        });
        let position = |entry: &Entry| {
            let rank = entry.data.try_as_news_tab_ref().map_or(0, |tab| tab.position.into());
            Cursor { rank, id: entry.id }
        };
        let (tabs, next_cursor) = cursor::page(&list, tabs, size, &request.cursor, position)?;
        let items = items(&tabs);
        Ok(Response::new(wire::ListTabsResponse { items, next_cursor }))
    }

    async fn get_tab(
        &self,
        request: Request<wire::GetTabRequest>,
    ) -> Result<Response<wire::GetTabResponse>, Status> {
        let id = request.into_inner().id;
        validate::required("id", &id)?;
        let tabs = self.store.tabs().await?;
        let tab = tabs.iter().find(|entry| entry.id == id).and_then(wire::NewsTab::from_entry);
        let tab = tab.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(wire::GetTabResponse { tab: Some(tab) }))
    }

    async fn batch_get_tabs(
        &self,
        request: Request<wire::BatchGetTabsRequest>,
    ) -> Result<Response<wire::BatchGetTabsResponse>, Status> {
        let ids = request.into_inner().ids;
        validate::batch("ids", &ids)?;
        let tabs = self.store.tabs().await?;
        let mut tabs: HashMap<u64, Entry> = tabs.into_iter().map(|tab| (tab.id, tab)).collect();
        let found: Vec<Entry> = ids.iter().filter_map(|id| tabs.remove(id)).collect();
        let items = items(&found);
        Ok(Response::new(wire::BatchGetTabsResponse { items }))
    }

    async fn list_tab_articles(
        &self,
        request: Request<wire::ListTabArticlesRequest>,
    ) -> Result<Response<wire::ListTabArticlesResponse>, Status> {
        let request = request.into_inner();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let tabs = self.store.tabs().await?;
        let requested = tabs.iter().find(|entry| entry.id == request.tab_id);
        let Some(tab) = requested.and_then(|entry| entry.data.try_as_news_tab_ref()) else {
            return Ok(Response::new(wire::ListTabArticlesResponse::default()));
        };
        let page =
            self.article_page(tab.market.list(), &request.locale, size, &request.cursor).await?;
        Ok(Response::new(wire::ListTabArticlesResponse {
            items: self.article_summaries(&page.items).await?,
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn list_articles(
        &self,
        request: Request<wire::ListArticlesRequest>,
    ) -> Result<Response<wire::ListArticlesResponse>, Status> {
        let request = request.into_inner();
        let list = validate::market(&request.market)?.list();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let page = self.article_page(list, &request.locale, size, &request.cursor).await?;
        Ok(Response::new(wire::ListArticlesResponse {
            items: self.article_summaries(&page.items).await?,
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn get_article(
        &self,
        request: Request<wire::GetArticleRequest>,
    ) -> Result<Response<wire::GetArticleResponse>, Status> {
        let request = request.into_inner();
        validate::required("id", &request.id)?;
        if request.from.chars().count() > MAX_FROM_LENGTH {
            let why = format!("is longer than {MAX_FROM_LENGTH} characters");
            return Err(Error::field("from", why).into());
        }
        tracing::debug!(id = request.id, from = request.from, "article requested");
        let found =
            self.find_article(request.id, Locale::parse_or_english(&request.locale)).await?;
        Ok(Response::new(wire::GetArticleResponse {
            next_change_at: found.next_change_at.unwrap_or(0),
            article: Some(self.signed(found).await?),
            machine_translation: self.translator.is_some(),
        }))
    }

    async fn batch_get_articles(
        &self,
        request: Request<wire::BatchGetArticlesRequest>,
    ) -> Result<Response<wire::BatchGetArticlesResponse>, Status> {
        let request = request.into_inner();
        let ids = validate::id_list("content_ids", &request.content_ids)?;
        let (kind, locale) = (EntryKind::News, Some(Locale::parse_or_english(&request.locale)));
        let found = self.store.entries_by_id(kind, &ids, locale, self.now()).await?;
        Ok(Response::new(wire::BatchGetArticlesResponse {
            items: self.article_summaries(&found.items).await?,
            next_change_at: found.next_change_at.unwrap_or(0),
        }))
    }

    async fn list_unread(
        &self,
        request: Request<wire::ListUnreadRequest>,
    ) -> Result<Response<wire::ListUnreadResponse>, Status> {
        let request = request.into_inner();
        let (locale, now) = (Locale::parse_or_english(&request.locale), self.now());
        let store = &self.store;
        let mut items = Vec::new();
        for entry in self.store.tabs().await? {
            let Some(tab) = entry.data.try_as_news_tab_ref() else { continue };
            let list = tab.market.list();
            let count = store.count_newer(list, locale, request.since, now, MAX_UNREAD).await?;
            let market_type = tab.market.as_str().to_owned();
            items.push(wire::TabUnread { id: entry.id, market_type, count });
        }
        Ok(Response::new(wire::ListUnreadResponse { items }))
    }

    async fn list_recommended_news(
        &self,
        request: Request<wire::ListRecommendedNewsRequest>,
    ) -> Result<Response<wire::ListRecommendedNewsResponse>, Status> {
        let request = request.into_inner();
        validate::required("content_id", &request.content_id)?;
        let list = format!("recommended-news:{}", request.content_id);
        let page = RecommendationPage::new(list, request.size, PAGE_SIZE, &request.cursor)?;
        let locale = Locale::parse_or_english(&request.locale);
        let read = self.find_article(request.content_id, locale).await?.entry;
        let mut items: Vec<Entry> = Vec::new();
        let mut next_change_at = None;
        for list in [article(&read)?.market.list(), List::All] {
            // The newest articles may include the article itself and recommendations already found.
            let size = 2 * page.reach() + 1;
            let (kind, locale) = (EntryKind::News, Some(locale));
            let newest = self.first(kind, list.as_str(), locale, size).await?;
            next_change_at = next_change_at.into_iter().chain(newest.next_change_at).min();
            for found in newest.items {
                if found.id != read.id && items.iter().all(|item| item.id != found.id) {
                    items.push(found);
                }
            }
        }
        let (items, next_cursor) = page.cut(items);
        Ok(Response::new(wire::ListRecommendedNewsResponse {
            items: self.article_summaries(&items).await?,
            next_change_at: next_change_at.unwrap_or(0),
            next_cursor,
        }))
    }

    async fn list_related_stocks(
        &self,
        request: Request<wire::ListRelatedStocksRequest>,
    ) -> Result<Response<wire::ListRelatedStocksResponse>, Status> {
        let request = request.into_inner();
        validate::required("content_id", &request.content_id)?;
        let found = self
            .find_article(request.content_id, Locale::parse_or_english(&request.locale))
            .await?;
        let names = self.stocks.names();
        let (_, stocks) = names.link(&found.entry.body_html);
        let items = convert::stocks(&stocks);
        Ok(Response::new(wire::ListRelatedStocksResponse { items }))
    }

    async fn translate_article(
        &self,
        request: Request<wire::TranslateArticleRequest>,
    ) -> Result<Response<wire::TranslateArticleResponse>, Status> {
        let request = request.into_inner();
        let signed = self.signer.verify(&request.sign, &request.id, self.now());
        let (id, source) = signed.ok_or_else(|| Error::of(ErrorCode::SignatureInvalid))?;
        let target = other(source);
        let mut response = wire::TranslateArticleResponse { id, ..Default::default() };
        let mut found = self.find_article(id, target).await?;
        if found.entry.locale == Some(target) {
            response.article = Some(self.signed(found).await?);
        } else if let Some(translator) = &self.translator {
            let translated = translator.translate(&found.entry, found.updated_at, target).await?;
            found.entry.locale = Some(target);
            found.entry.body_html.clone_from(&translated.body_html);
            if let Some(text) = found.entry.data.text_mut() {
                text.title.clone_from(&translated.title);
                text.summary.clone_from(&translated.summary);
            }
            let article = wire::Article { sign: String::new(), ..self.signed(found).await? };
            (response.article, response.machine_translated) = (Some(article), true);
        } else {
            response.text = one_language(Locale::parse_or_english(&request.locale)).to_owned();
        }
        Ok(Response::new(response))
    }

    async fn operate_like(
        &self,
        request: Request<wire::OperateLikeRequest>,
    ) -> Result<Response<wire::OperateLikeResponse>, Status> {
        let request = request.into_inner();
        let id = request.content_id;
        validate::required("content_id", &id)?;
        let liked = request.like.ok_or_else(|| Error::field("like", "must be true or false"))?;
        self.require_published(id).await?;
        let count = self.like(EntryKind::News, id, liked).await?;
        Ok(Response::new(wire::OperateLikeResponse { id, liked, count }))
    }

    async fn list_likes(
        &self,
        request: Request<wire::ListLikesRequest>,
    ) -> Result<Response<wire::ListLikesResponse>, Status> {
        let ids = validate::id_list("content_ids", &request.into_inner().content_ids)?;
        let ids = self.published_ids(&ids).await?;
        let store = &self.store;
        let counts = store.counts(EntryKind::News, &ids).await?;
        let liked = match validate::reader() {
            Some(reader) => store.liked_ids(EntryKind::News, &ids, &reader).await?,
            None => HashSet::new(),
        };
        let items = ids.iter().map(|id| wire::ArticleLikes {
            id: *id,
            liked: liked.contains(id),
            count: counts.get(id).map_or(0, |counts| counts.likes),
        });
        Ok(Response::new(wire::ListLikesResponse { items: items.collect() }))
    }

    async fn add_article_read_log(
        &self,
        request: Request<wire::AddArticleReadLogRequest>,
    ) -> Result<Response<wire::AddArticleReadLogResponse>, Status> {
        let id = request.into_inner().id;
        validate::required("id", &id)?;
        self.require_published(id).await?;
        let count = self.count_reading(EntryKind::News, id).await?;
        Ok(Response::new(wire::AddArticleReadLogResponse { id, count }))
    }

    async fn withdraw_articles(
        &self,
        request: Request<wire::WithdrawArticlesRequest>,
    ) -> Result<Response<wire::WithdrawArticlesResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::News, &ids).await?;
        Ok(Response::new(wire::WithdrawArticlesResponse { withdrawn_ids }))
    }

    async fn list_article_refs(
        &self,
        request: Request<wire::ListArticleRefsRequest>,
    ) -> Result<Response<wire::ListArticleRefsResponse>, Status> {
        let wire::ListArticleRefsRequest { size, after_id, cursor } = request.into_inner();
        let (store, kind, now) = (&self.store, EntryKind::News, self.now());
        let (found, next_cursor) = self.refs(kind, "article-refs", size, after_id, &cursor).await?;
        let mut next_change_at = None;
        for locale in Locale::ALL {
            let all = [List::All.as_str().to_owned()];
            let ahead = store.next_publication(kind, &all, Some(locale), now).await?;
            next_change_at = next_change_at.into_iter().chain(ahead).min();
        }
        Ok(Response::new(wire::ListArticleRefsResponse {
            items: found.into_iter().map(convert::article_ref).collect(),
            next_change_at: next_change_at.unwrap_or(0),
            next_cursor,
        }))
    }
}

fn other(locale: Locale) -> Locale {
    match locale {
        Locale::EnUs => Locale::ArSa,
        Locale::ArSa => Locale::EnUs,
    }
}

/// The message for an article without a translation.
fn one_language(locale: Locale) -> &'static str {
    match locale {
        Locale::EnUs => "Sorry, this article is only available in one language.",
        Locale::ArSa => "عذرًا، هذا المقال متاح بلغة واحدة فقط.",
    }
}
