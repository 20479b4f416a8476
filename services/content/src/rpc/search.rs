//! `sahm.content.v1.SearchService`.
use sahm_chassis::{Error, Result, cursor};
use sahm_proto::content::v1::{self as wire, search_service_server::SearchService};
use tonic::{Request, Response, Status};

use super::{
    entries::{ContentRpc, next_cursor},
    validate,
};
use crate::{
    domain::{Locale, PAGE_SIZE},
    search::{Hit, Search, SearchQuery, TextPart, is_searched},
};

#[tonic::async_trait]
impl SearchService for ContentRpc {
    async fn search(
        &self,
        request: Request<wire::SearchRequest>,
    ) -> Result<Response<wire::SearchResponse>, Status> {
        let request = request.into_inner();
        if let Some(kind) = request.kinds.iter().find(|kind| !is_searched(kind)) {
            return Err(Error::field("kinds", format!("{kind:?} is not searched")).into());
        }
        Ok(Response::new(page(&self.search, request).await?))
    }
}

/// A page of hits. Cursors are bound to the whole query, so that those of another query are
/// rejected.
pub(super) async fn page(
    search: &Search,
    request: wire::SearchRequest,
) -> Result<wire::SearchResponse> {
    let locale = Locale::parse_or_english(&request.locale);
    let kinds = request.kinds.join(",");
    let list = format!("search:{}:{kinds}:{}", locale.as_str(), request.keyword);
    let query = SearchQuery {
        keyword: request.keyword,
        locale,
        kinds: request.kinds,
        size: validate::page_size(request.size, PAGE_SIZE)?,
        after: cursor::decode(&list, &request.cursor)?,
    };
    let found = search.search(query).await?;
    Ok(wire::SearchResponse {
        total: found.total,
        next_cursor: next_cursor(&list, found.next),
        items: found.hits.into_iter().map(hit).collect(),
    })
}

fn hit(hit: Hit) -> wire::SearchHit {
    let document = &*hit.document;
    wire::SearchHit {
        link: document.link(),
        id: document.id,
        kind: document.kind.as_str().to_owned(),
        slug: document.slug.clone(),
        locale: document.locale.as_str().to_owned(),
        title: document.title.clone(),
        summary: document.summary.clone(),
        title_parts: parts(hit.title),
        excerpt_parts: parts(hit.excerpt),
        parent_id: document.parent,
        published_at: document.published_at,
        common: document.common,
    }
}

fn parts(parts: Vec<TextPart>) -> Vec<wire::SearchPart> {
    parts.into_iter().map(|TextPart { text, hit }| wire::SearchPart { text, hit }).collect()
}
