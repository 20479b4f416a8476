//! Participants of campaigns, and the countries of members.

use sahm_chassis::{
    error::Result,
    store::{rows_after, upsert},
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Set};

use super::{
    ActivityStore,
    entities::{
        member_country,
        participant::{Column, Entity, Model},
    },
    id, key, small,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    pub id: u64,
    pub activity_id: u64,
    pub member: u64,
    /// The member whose invitation code was used.
    pub inviter: Option<u64>,
    /// Epoch seconds.
    pub joined_at: u32,
}

impl ActivityStore {
    pub async fn participant(&self, activity_id: u64, member: u64) -> Result<Option<Participant>> {
        participant_in(self.store.reader(), activity_id, member).await
    }

    /// Participants of a campaign above an id, in id order.
    pub async fn participants(
        &self,
        activity_id: u64,
        after: u64,
        size: u64,
    ) -> Result<Vec<Participant>> {
        let query = Entity::find().filter(Column::ActivityId.eq(key(activity_id)?));
        let rows = rows_after(self.store.reader(), query, Column::Id, after, size).await?;
        rows.into_iter().map(read).collect()
    }

    /// Participants by id, in the requested order, without repetitions; unknown ids are left out.
    pub async fn participants_by_id(&self, ids: &[u64]) -> Result<Vec<Participant>> {
        let keys = ids.iter().filter_map(|&id| i64::try_from(id).ok());
        let rows = Entity::find().filter(Column::Id.is_in(keys)).all(self.store.reader()).await?;
        let mut found = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        found.sort_by_key(|participant| ids.iter().position(|id| *id == participant.id));
        Ok(found)
    }

    /// The campaigns that a member joined, in order.
    pub async fn joined_by(&self, member: u64) -> Result<Vec<Participant>> {
        let rows = Entity::find()
            .filter(Column::MemberId.eq(key(member)?))
            .order_by_asc(Column::Id)
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(read).collect()
    }

    /// A member's country, ISO 3166-1 alpha-3; `None` if unknown.
    pub async fn country(&self, member: u64) -> Result<Option<String>> {
        let row = member_country::Entity::find_by_id(key(member)?).one(self.store.reader()).await?;
        Ok(row.map(|row| row.country_code))
    }

    pub async fn set_country(&self, member: u64, country_code: &str) -> Result<()> {
        let row = member_country::ActiveModel {
            member_id: Set(key(member)?),
            country_code: Set(country_code.to_owned()),
        };
        self.store.write(async |tx| upsert(tx, [row]).await).await
    }
}

/// The participant, read on a connection or in a transaction.
pub(super) async fn participant_in(
    connection: &impl ConnectionTrait,
    activity_id: u64,
    member: u64,
) -> Result<Option<Participant>> {
    let row = Entity::find()
        .filter(Column::ActivityId.eq(key(activity_id)?))
        .filter(Column::MemberId.eq(key(member)?))
        .one(connection)
        .await?;
    row.map(read).transpose()
}

fn read(row: Model) -> Result<Participant> {
    Ok(Participant {
        id: id(row.id)?,
        activity_id: id(row.activity_id)?,
        member: id(row.member_id)?,
        inviter: row.inviter_id.map(id).transpose()?,
        joined_at: small(row.joined_at),
    })
}
