//! Queries for campaigns and share texts.

use sahm_chassis::error::{Error, ErrorCode, Result};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use super::{
    ActivityStore,
    entities::{campaign, share_text},
    key,
};
use crate::domain::{Campaign, ShareChannel, Text};

impl ActivityStore {
    pub async fn campaign(&self, activity_id: u64) -> Result<Option<Campaign>> {
        campaign_in(self.store.reader(), activity_id).await
    }

    /// # Errors
    /// `NotFound` for a campaign that does not exist.
    pub async fn known_campaign(&self, activity_id: u64) -> Result<Campaign> {
        self.campaign(activity_id).await?.ok_or_else(|| Error::of(ErrorCode::NotFound))
    }

    /// All campaigns, the latest begin first.
    pub async fn campaigns(&self) -> Result<Vec<Campaign>> {
        let rows = campaign::Entity::find()
            .order_by_desc(campaign::Column::BeginAt)
            .order_by_asc(campaign::Column::Id)
            .all(self.store.reader())
            .await?;
        rows.iter().map(read).collect()
    }

    /// Campaigns in the requested order; unknown ids are left out.
    pub async fn campaigns_by_id(&self, ids: &[u64]) -> Result<Vec<Campaign>> {
        let keys = ids.iter().filter_map(|id| i64::try_from(*id).ok());
        let rows = campaign::Entity::find()
            .filter(campaign::Column::Id.is_in(keys))
            .all(self.store.reader())
            .await?;
        let mut found = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
        found.sort_by_key(|campaign| ids.iter().position(|id| *id == campaign.id));
        Ok(found)
    }

    /// The share text of a channel; `None` if none was imported.
    pub async fn share_text(&self, channel: ShareChannel) -> Result<Option<Text>> {
        let row = share_text::Entity::find_by_id(channel.into_str().to_owned())
            .one(self.store.reader())
            .await?;
        Ok(row.map(|row| Text { en: row.text_en, sa: row.text_sa }))
    }
}

/// A campaign, read on a connection or in a transaction.
pub(super) async fn campaign_in(
    connection: &impl ConnectionTrait,
    activity_id: u64,
) -> Result<Option<Campaign>> {
    let row = campaign::Entity::find_by_id(key(activity_id)?).one(connection).await?;
    row.as_ref().map(read).transpose()
}

/// Converts a row to the domain type.
pub(super) fn read(row: &campaign::Model) -> Result<Campaign> {
    serde_json::from_str(&row.document).map_err(Error::internal)
}
