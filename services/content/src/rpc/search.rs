use sahm_chassis::{Error, Result, cursor};
use sahm_proto::content::v1::{self as wire, search_service_server::SearchService};
use tonic::{Request, Response, Status};

use super::asked;
use crate::{
    domain::{Locale, PAGE_SIZE},
    search::{Asked, Hit, Part, Search, is_searched},
};

/// `sahm.content.v1.SearchService`.
pub(crate) struct SearchCalls {
    search: Search,
}

impl SearchCalls {
    /// Answers from an index.
    pub(crate) fn new(search: Search) -> Self {
        Self { search }
    }

    async fn found(&self, asked: wire::SearchRequest) -> Result<wire::SearchResponse> {
        if let Some(kind) = asked.kinds.iter().find(|kind| !is_searched(kind)) {
            return Err(Error::field("kinds", format!("{kind:?} is not searched")));
        }
        let list = list(&asked.keyword, &asked.locale, &asked.kinds);
        let found = self
            .search
            .search(Asked {
                keyword: asked.keyword,
                locale: Locale::asked(&asked.locale),
                kinds: asked.kinds,
                size: asked::size(asked.size, PAGE_SIZE)?,
                after: cursor::decode(&list, &asked.cursor)?,
            })
            .await?;
        Ok(wire::SearchResponse {
            total: found.total,
            next_cursor: asked::next(&list, found.next),
            items: found.hits.into_iter().map(hit).collect(),
        })
    }
}

/// The name of a search's hits: cursors of another search are refused.
pub(super) fn list(keyword: &str, locale: &str, kinds: &[String]) -> String {
    format!("search:{}:{}:{keyword}", Locale::asked(locale).as_str(), kinds.join(","))
}

pub(super) fn hit(hit: Hit) -> wire::SearchHit {
    let document = hit.document;
    wire::SearchHit {
        link: document.link(),
        id: document.id,
        kind: document.kind.as_str().to_owned(),
        slug: document.slug,
        locale: document.locale.as_str().to_owned(),
        title: document.title,
        summary: document.summary,
        title_parts: parts(hit.title),
        excerpt_parts: parts(hit.excerpt),
        parent_id: document.parent,
        published_at: document.published_at,
        common: document.common,
    }
}

fn parts(parts: Vec<Part>) -> Vec<wire::SearchPart> {
    parts.into_iter().map(|Part { text, hit }| wire::SearchPart { text, hit }).collect()
}

#[tonic::async_trait]
impl SearchService for SearchCalls {
    async fn search(
        &self,
        request: Request<wire::SearchRequest>,
    ) -> Result<Response<wire::SearchResponse>, Status> {
        Ok(Response::new(self.found(request.into_inner()).await?))
    }
}
