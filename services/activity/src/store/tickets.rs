//! Tickets. They are issued in the transaction of their join or deposit, under the lock of the
//! draw's row, so that numbers have no gaps and no member exceeds the maximum.

use sahm_chassis::{
    error::Result,
    store::{rows_after, upsert},
};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set, sea_query::Expr,
};

use super::{
    ActivityStore,
    campaigns::campaign_in,
    entities::{
        draw, draw_deposit,
        ticket::{ActiveModel, Column, Entity, Model},
    },
    id, key,
    participants::participant_in,
    small,
};
use crate::domain::{Amount, Campaign, Currency, Deposit, State, entitled};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub draw_id: String,
    /// Starts at 1.
    pub number: u32,
    pub member: u64,
    /// Epoch seconds.
    pub issued_at: u32,
}

impl ActivityStore {
    /// The tickets of a draw above a number, by number.
    pub async fn tickets(&self, draw_id: &str, after: u64, size: u64) -> Result<Vec<Ticket>> {
        let query = Entity::find().filter(Column::DrawId.eq(draw_id));
        let rows = rows_after(self.store.reader(), query, Column::Number, after, size).await?;
        rows.into_iter().map(read).collect()
    }

    /// A member's tickets in some draws, by number.
    pub async fn tickets_of(&self, member: u64, draw_ids: &[&str]) -> Result<Vec<Ticket>> {
        let rows = Entity::find()
            .filter(Column::MemberId.eq(key(member)?))
            .filter(Column::DrawId.is_in(draw_ids.iter().copied()))
            .order_by_asc(Column::Number)
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(read).collect()
    }
}

/// Issues a new participant the tickets for deposits recorded earlier.
pub(super) async fn issue_for_joining(
    tx: &DatabaseTransaction,
    campaign: &Campaign,
    member: u64,
    now: u32,
) -> Result<u32> {
    let mut issued = 0;
    for draw in locked_open_draws(tx, Some(campaign.id)).await? {
        issued += issue(tx, draw, campaign, member, now).await?;
    }
    Ok(issued)
}

/// Adds a new deposit to the open draws, and issues the tickets of its member, who may not have
/// joined yet.
pub(super) async fn issue_for_deposit(
    tx: &DatabaseTransaction,
    deposit: &Deposit,
    now: u32,
) -> Result<u32> {
    if deposit.currency != Currency::Sar {
        return Ok(0);
    }
    let mut issued = 0;
    for draw in locked_open_draws(tx, None).await? {
        let activity_id = id(draw.activity_id)?;
        let Some(campaign) = campaign_in(tx, activity_id).await? else { continue };
        let booked_at = deposit.deposited_at;
        if campaign.state(booked_at) != State::Active || i64::from(booked_at) < draw.opened_at {
            continue;
        }
        add(tx, &draw.id, deposit).await?;
        if participant_in(tx, activity_id, deposit.member).await?.is_some() {
            issued += issue(tx, draw, &campaign, deposit.member, now).await?;
        }
    }
    Ok(issued)
}

/// The open draws of a campaign or of all, locked until this transaction ends. The locks are taken
/// in the same order everywhere.
async fn locked_open_draws(
    tx: &DatabaseTransaction,
    activity_id: Option<u64>,
) -> Result<Vec<draw::Model>> {
    let mut query = draw::Entity::find().filter(draw::Column::ClosedAt.is_null());
    if let Some(activity_id) = activity_id {
        query = query.filter(draw::Column::ActivityId.eq(key(activity_id)?));
    }
    Ok(query.order_by_asc(draw::Column::Id).lock_exclusive().all(tx).await?)
}

async fn add(tx: &DatabaseTransaction, draw_id: &str, deposit: &Deposit) -> Result<()> {
    let amount = deposited(tx, draw_id, deposit.member).await? + deposit.amount;
    let row = draw_deposit::ActiveModel {
        draw_id: Set(draw_id.to_owned()),
        member_id: Set(key(deposit.member)?),
        amount: Set(key(amount.hundredths())?),
    };
    upsert(tx, [row]).await
}

async fn deposited(tx: &DatabaseTransaction, draw_id: &str, member: u64) -> Result<Amount> {
    let row = draw_deposit::Entity::find_by_id((draw_id.to_owned(), key(member)?)).one(tx).await?;
    row.map_or(Ok(Amount::default()), |row| id(row.amount).map(Amount::of_hundredths))
}

/// Issues the outstanding tickets for a participant's deposits.
async fn issue(
    tx: &DatabaseTransaction,
    draw: draw::Model,
    campaign: &Campaign,
    member: u64,
    now: u32,
) -> Result<u32> {
    let deposited = deposited(tx, &draw.id, member).await?;
    let issued = Entity::find()
        .filter(Column::DrawId.eq(draw.id.as_str()))
        .filter(Column::MemberId.eq(key(member)?))
        .count(tx)
        .await?;
    let issued = u32::try_from(issued).unwrap_or(u32::MAX);
    let new = entitled(deposited, &campaign.figures).saturating_sub(issued);
    if new == 0 {
        return Ok(0);
    }
    let last = draw.ticket_count + i64::from(new);
    let member = key(member)?;
    let rows = (draw.ticket_count + 1..=last).map(|number| ActiveModel {
        draw_id: Set(draw.id.clone()),
        number: Set(number),
        member_id: Set(member),
        issued_at: Set(now.into()),
    });
    Entity::insert_many(rows).exec_without_returning(tx).await?;
    draw::Entity::update_many()
        .col_expr(draw::Column::TicketCount, Expr::val(last))
        .filter(draw::Column::Id.eq(draw.id))
        .exec(tx)
        .await?;
    Ok(new)
}

fn read(row: Model) -> Result<Ticket> {
    Ok(Ticket {
        draw_id: row.draw_id,
        number: small(row.number),
        member: id(row.member_id)?,
        issued_at: small(row.issued_at),
    })
}
