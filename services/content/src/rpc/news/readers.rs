//! What is kept of readers: readings and likes.
use std::collections::HashSet;

use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1 as wire;

use super::NewsCalls;
use crate::{domain::EntryKind, rpc::asked};

impl NewsCalls {
    /// Whether these articles can be read; those that can, in the order asked.
    async fn readable(&self, ids: &[u64]) -> Result<Vec<u64>> {
        let published = self.store.published(ids, self.clock.now()).await?;
        Ok(ids.iter().copied().filter(|id| published.contains(id)).collect())
    }

    async fn one(&self, id: u64) -> Result<u64> {
        let found = self.readable(&[id]).await?;
        found.first().copied().ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))
    }

    pub(super) async fn count(
        &self,
        asked: wire::AddArticleReadLogRequest,
    ) -> Result<wire::AddArticleReadLogResponse> {
        asked::needed("id", asked.id)?;
        let id = self.one(asked.id).await?;
        let read_by = asked::counted_as();
        let count = self.store.count_reading(EntryKind::News, id, read_by.as_deref()).await?;
        Ok(wire::AddArticleReadLogResponse { id, count })
    }

    pub(super) async fn operate_like(
        &self,
        asked: wire::OperateLikeRequest,
    ) -> Result<wire::OperateLikeResponse> {
        asked::needed("content_id", asked.content_id)?;
        let liked = asked.like.ok_or_else(|| Error::field("like", "must be true or false"))?;
        let id = self.one(asked.content_id).await?;
        let count = self.store.like(EntryKind::News, id, &asked::voter()?, liked).await?;
        Ok(wire::OperateLikeResponse { id, liked, count })
    }

    pub(super) async fn likes(
        &self,
        asked: wire::ListLikesRequest,
    ) -> Result<wire::ListLikesResponse> {
        let ids = asked::id_list("content_ids", &asked.content_ids)?;
        let ids = self.readable(&ids).await?;
        let counts = self.store.counts(EntryKind::News, &ids).await?;
        let liked = match asked::counted_as() {
            Some(voter) => self.store.liked(EntryKind::News, &ids, &voter).await?,
            None => HashSet::new(),
        };
        let items = ids.iter().map(|id| wire::ArticleLikes {
            id: *id,
            liked: liked.contains(id),
            count: counts.get(id).map_or(0, |counts| counts.likes),
        });
        Ok(wire::ListLikesResponse { items: items.collect() })
    }
}
