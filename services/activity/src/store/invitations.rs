//! Invitation codes, their links, and counts of invitations.

use sahm_chassis::{
    error::{Error, Result},
    store::rows_after,
};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect,
    Set, sea_query::OnConflict,
};

use super::{
    ActivityStore,
    campaigns::campaign_in,
    entities::{invite_code, participant, short_chain},
    id, key, small,
};
use crate::domain::{InviteCode, ShareChannel};

/// Upper bound on attempts to find a free code, of 31^8 codes.
const MAX_ATTEMPTS: usize = 8;

/// A member's link to a campaign for a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortChain {
    pub id: u64,
    pub member: u64,
    pub code: String,
    pub activity_id: u64,
    pub channel: String,
    /// Epoch seconds.
    pub created_at: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inviter {
    pub member: u64,
    /// Number of members who joined with the member's code.
    pub invited: u32,
}

impl Inviter {
    /// Its position in lists, which are ordered by number, the largest first, then by member.
    pub fn position(&self) -> (u64, u64) {
        (self.invited.into(), self.member)
    }
}

impl ActivityStore {
    pub async fn member_of_code(&self, code: &InviteCode) -> Result<Option<u64>> {
        let row = invite_code::Entity::find()
            .filter(invite_code::Column::Code.eq(code.as_str()))
            .one(self.store.reader())
            .await?;
        row.map(|row| id(row.member_id)).transpose()
    }

    /// The codes of members; members without one are left out.
    pub async fn codes_of(&self, members: &[u64]) -> Result<Vec<(u64, String)>> {
        let keys = members.iter().filter_map(|member| i64::try_from(*member).ok());
        let rows = invite_code::Entity::find()
            .filter(invite_code::Column::MemberId.is_in(keys))
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(|row| Ok((id(row.member_id)?, row.code))).collect()
    }

    /// The member's link, created if missing, together with the member's code: the first free code
    /// of `numbers`. `None` for an unknown campaign.
    pub async fn short_chain(
        &self,
        member: u64,
        activity_id: u64,
        channel: ShareChannel,
        numbers: impl Fn() -> u64,
        now: u32,
    ) -> Result<Option<ShortChain>> {
        self.store
            .write(async |tx| {
                if campaign_in(tx, activity_id).await?.is_none() {
                    return Ok(None);
                }
                let code = code_in(tx, member, &numbers).await?;
                let row = chain_in(tx, member, activity_id, channel, now).await?;
                chain(row, code).map(Some)
            })
            .await
    }

    /// Links above an id, in id order; of one member, or of all.
    pub async fn short_chains(
        &self,
        member: Option<u64>,
        after: u64,
        size: u64,
    ) -> Result<Vec<ShortChain>> {
        let mut query = short_chain::Entity::find();
        if let Some(member) = member {
            query = query.filter(short_chain::Column::MemberId.eq(key(member)?));
        }
        let (db, column) = (self.store.reader(), short_chain::Column::Id);
        self.with_codes(rows_after(db, query, column, after, size).await?).await
    }

    /// Links by id, in the requested order.
    pub async fn short_chains_by_id(&self, ids: &[u64]) -> Result<Vec<ShortChain>> {
        let keys = ids.iter().filter_map(|&id| i64::try_from(id).ok());
        let query = short_chain::Entity::find().filter(short_chain::Column::Id.is_in(keys));
        let mut found = self.with_codes(query.all(self.store.reader()).await?).await?;
        found.sort_by_key(|chain| ids.iter().position(|id| *id == chain.id));
        Ok(found)
    }

    async fn with_codes(&self, rows: Vec<short_chain::Model>) -> Result<Vec<ShortChain>> {
        let members = rows.iter().map(|row| id(row.member_id)).collect::<Result<Vec<_>>>()?;
        let codes = self.codes_of(&members).await?;
        rows.into_iter()
            .map(|row| {
                let member = id(row.member_id)?;
                let code = codes.iter().find(|(other, _)| *other == member);
                chain(row, code.map(|(_, code)| code.clone()).unwrap_or_default())
            })
            .collect()
    }

    /// Members after a position, ordered by how many joined a campaign with their code, the most
    /// first, then by id.
    pub async fn inviters(
        &self,
        activity_id: u64,
        after: Option<(u64, u64)>,
        size: u64,
    ) -> Result<Vec<Inviter>> {
        use participant::Column;
        let invited = || Column::Id.count();
        let mut query = participant::Entity::find()
            .select_only()
            .column(Column::InviterId)
            .column_as(invited(), "invited")
            .filter(Column::ActivityId.eq(key(activity_id)?))
            .filter(Column::InviterId.is_not_null())
            .group_by(Column::InviterId);
        if let Some((count, member)) = after {
            let count = key(count)?;
            let same = invited().eq(count).and(Column::InviterId.gt(key(member)?));
            query = query.having(invited().lt(count).or(same));
        }
        let query = query.order_by_desc(invited()).order_by_asc(Column::InviterId).limit(size);
        let rows: Vec<(i64, i64)> = query.into_tuple().all(self.store.reader()).await?;
        let inviter =
            |(member, invited)| Ok(Inviter { member: id(member)?, invited: small(invited) });
        rows.into_iter().map(inviter).collect()
    }
}

/// The member's code, created if missing.
async fn code_in(
    tx: &DatabaseTransaction,
    member: u64,
    numbers: &impl Fn() -> u64,
) -> Result<String> {
    for attempt in 0..=MAX_ATTEMPTS {
        if let Some(row) = invite_code::Entity::find_by_id(key(member)?).one(tx).await? {
            return Ok(row.code);
        }
        if attempt == MAX_ATTEMPTS {
            break;
        }
        let row = invite_code::ActiveModel {
            member_id: Set(key(member)?),
            code: Set(InviteCode::of(numbers()).as_str().to_owned()),
        };
        // The code may belong to another member, or the member may have received one concurrently.
        let taken = OnConflict::new().do_nothing().to_owned();
        invite_code::Entity::insert(row).on_conflict(taken).exec_without_returning(tx).await?;
    }
    Err(Error::internal("no invite code is free"))
}

async fn chain_in(
    tx: &DatabaseTransaction,
    member: u64,
    activity_id: u64,
    channel: ShareChannel,
    now: u32,
) -> Result<short_chain::Model> {
    use short_chain::Column;
    let link = short_chain::Entity::find()
        .filter(Column::MemberId.eq(key(member)?))
        .filter(Column::ActivityId.eq(key(activity_id)?))
        .filter(Column::Channel.eq(channel.into_str()));
    if let Some(row) = link.clone().one(tx).await? {
        return Ok(row);
    }
    let row = short_chain::ActiveModel {
        member_id: Set(key(member)?),
        activity_id: Set(key(activity_id)?),
        channel: Set(channel.into_str().to_owned()),
        created_at: Set(now.into()),
        ..Default::default()
    };
    short_chain::Entity::insert(row)
        .on_conflict_do_nothing_on([Column::MemberId, Column::ActivityId, Column::Channel])
        .exec_without_returning(tx)
        .await?;
    let row = link.one(tx).await?;
    row.ok_or_else(|| Error::internal("a new link is not there"))
}

fn chain(row: short_chain::Model, code: String) -> Result<ShortChain> {
    Ok(ShortChain {
        id: id(row.id)?,
        member: id(row.member_id)?,
        code,
        activity_id: id(row.activity_id)?,
        channel: row.channel,
        created_at: small(row.created_at),
    })
}
