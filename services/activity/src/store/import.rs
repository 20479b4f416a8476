//! Imports a bundle of files into the database, in one transaction.

use sahm_chassis::{
    changes,
    error::{Error, Result},
    store::upsert,
};
use sahm_proto::tags;
use sea_orm::{DatabaseTransaction, EntityTrait, PaginatorTrait, Set};

use super::{
    ActivityStore,
    entities::{campaign, share_text},
    key,
};
use crate::{
    bundle::{Bundle, ShareText},
    domain::Campaign,
};

#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Surrogate tags of the changes.
    Changed(Vec<String>),
    /// Nothing changed, or the database to seed was not empty.
    Unchanged,
}

impl ActivityStore {
    /// Imports a bundle. Pages that show its changes are purged (docs/page-cache.md).
    pub async fn import(&self, bundle: &Bundle) -> Result<Outcome> {
        self.import_bundle(bundle, false).await
    }

    /// Imports a bundle if the database is empty; two replicas that start together do it once.
    pub async fn seed(&self, bundle: &Bundle) -> Result<Outcome> {
        self.import_bundle(bundle, true).await
    }

    pub async fn is_empty(&self) -> Result<bool> {
        Ok(campaign::Entity::find().count(self.store.reader()).await? == 0)
    }

    async fn import_bundle(&self, bundle: &Bundle, only_empty: bool) -> Result<Outcome> {
        self.store
            .write(async |tx| {
                // Locked before the query, so that a second replica waits here and then finds rows.
                changes::lock(tx).await?;
                if only_empty && campaign::Entity::find().count(tx).await? > 0 {
                    return Ok(Outcome::Unchanged);
                }
                let mut changed = Vec::new();
                for campaign in &bundle.campaigns {
                    if put_campaign(tx, campaign).await? {
                        changed.push(tags::activity(campaign.id));
                    }
                }
                if !changed.is_empty() {
                    changed.push(tags::ACTIVITY_LIST.to_owned());
                }
                let mut shares_changed = false;
                for share in &bundle.shares {
                    shares_changed |= put_share(tx, share).await?;
                }
                changed.extend(shares_changed.then(|| tags::ACTIVITY_SHARE.to_owned()));
                if changed.is_empty() {
                    return Ok(Outcome::Unchanged);
                }
                changes::append(tx, &changed, false).await?;
                Ok(Outcome::Changed(changed))
            })
            .await
    }
}

/// Writes a campaign; returns whether it changed.
async fn put_campaign(tx: &DatabaseTransaction, campaign: &Campaign) -> Result<bool> {
    let document = serde_json::to_string(campaign).map_err(Error::internal)?;
    let old = campaign::Entity::find_by_id(key(campaign.id)?).one(tx).await?;
    if old.is_some_and(|row| row.document == document) {
        return Ok(false);
    }
    let row = campaign::ActiveModel {
        id: Set(key(campaign.id)?),
        begin_at: Set(campaign.begin.into()),
        end_at: Set(campaign.end.into()),
        document: Set(document),
    };
    upsert(tx, [row]).await?;
    Ok(true)
}

/// Writes a share text; returns whether it changed.
async fn put_share(tx: &DatabaseTransaction, share: &ShareText) -> Result<bool> {
    let channel = share.channel.into_str().to_owned();
    let old = share_text::Entity::find_by_id(channel.clone()).one(tx).await?;
    if old.is_some_and(|row| row.text_en == share.text.en && row.text_sa == share.text.sa) {
        return Ok(false);
    }
    let row = share_text::ActiveModel {
        channel: Set(channel),
        text_en: Set(share.text.en.clone()),
        text_sa: Set(share.text.sa.clone()),
    };
    upsert(tx, [row]).await?;
    Ok(true)
}
