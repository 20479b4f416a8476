//! Draws: opened, closed and revealed. Each step is recorded in the change log for the pages that
//! show it.

use sahm_chassis::{
    changes,
    error::{Error, ErrorCode, Result},
};
use sahm_proto::tags;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};

use super::{
    ActivityStore,
    campaigns::campaign_in,
    entities::{
        draw::{ActiveModel, Column, Entity, Model},
        ticket,
    },
    id, key, small,
};
use crate::domain::{Amount, Draw, DrawId, Seed, State, tickets_hash};

/// A draw to be opened.
#[derive(Clone)]
pub struct NewDraw {
    pub id: DrawId,
    pub activity_id: u64,
    /// Empty for the campaign's weekly prize.
    pub prizes: Vec<Amount>,
    pub seed: Seed,
}

impl ActivityStore {
    /// Opens a draw; an existing one is returned unchanged.
    ///
    /// # Errors
    /// `NotFound` for an unknown campaign; `FailedPrecondition` for a campaign that is not active,
    /// has no draws or has another open draw; `Conflict` for the id of a draw of another campaign
    /// or with other prizes.
    pub async fn open_draw(&self, new: &NewDraw, now: u32) -> Result<Draw> {
        self.store
            .write(async |tx| {
                // Draws are opened one at a time.
                changes::lock(tx).await?;
                if let Some(row) = Entity::find_by_id(new.id.as_str().to_owned()).one(tx).await? {
                    let known = read(row)?;
                    if known.activity_id != new.activity_id {
                        return conflict("a draw of another campaign was opened under this id");
                    }
                    if !new.prizes.is_empty() && new.prizes != known.prizes {
                        return conflict("the draw was opened with other prizes");
                    }
                    return Ok(known);
                }
                let campaign = campaign_in(tx, new.activity_id).await?;
                let campaign = campaign.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
                let weekly = campaign.figures.weekly_prize.filter(|_| campaign.figures.has_draws());
                let Some(weekly) = weekly.filter(|_| campaign.state(now) == State::Active) else {
                    return failed_precondition("the campaign is not active or has no draws");
                };
                let open = Entity::find()
                    .filter(Column::ActivityId.eq(key(new.activity_id)?))
                    .filter(Column::ClosedAt.is_null());
                if open.count(tx).await? > 0 {
                    return failed_precondition("another draw of the campaign is open");
                }
                let prizes = match new.prizes.as_slice() {
                    [] => vec![weekly],
                    prizes => prizes.to_vec(),
                };
                let draw = Draw::open(&new.id, new.activity_id, prizes, new.seed.clone(), now);
                Entity::insert(row(&draw)?).exec_without_returning(tx).await?;
                note(tx, &draw).await?;
                Ok(draw)
            })
            .await
    }

    /// Closes an open draw, which fixes its tickets; any other is returned unchanged. `None` for an
    /// unknown draw.
    pub async fn close_draw(&self, draw_id: &str, now: u32) -> Result<Option<Draw>> {
        self.store
            .write(async |tx| {
                let Some(known) = locked(tx, draw_id).await? else { return Ok(None) };
                if known.closed_at.is_some() {
                    return read(known).map(Some);
                }
                let tickets: Vec<(i64, i64)> = ticket::Entity::find()
                    .select_only()
                    .columns([ticket::Column::Number, ticket::Column::MemberId])
                    .filter(ticket::Column::DrawId.eq(draw_id))
                    .order_by_asc(ticket::Column::Number)
                    .into_tuple()
                    .all(tx)
                    .await?;
                let tickets =
                    tickets.into_iter().map(|(number, member)| Ok((small(number), id(member)?)));
                let tickets = tickets.collect::<Result<Vec<_>>>()?;
                let mut change = known.into_active_model();
                change.tickets_hash = Set(tickets_hash(tickets));
                change.closed_at = Set(Some(now.into()));
                let draw = read(change.update(tx).await?)?;
                note(tx, &draw).await?;
                Ok(Some(draw))
            })
            .await
    }

    /// Reveals a closed draw; a revealed one is returned unchanged. `None` for an unknown draw.
    ///
    /// # Errors
    /// `FailedPrecondition` for an open draw.
    pub async fn reveal_draw(&self, draw_id: &str, now: u32) -> Result<Option<Draw>> {
        self.store
            .write(async |tx| {
                let Some(known) = locked(tx, draw_id).await? else { return Ok(None) };
                if known.revealed_at.is_some() {
                    return read(known).map(Some);
                }
                if known.closed_at.is_none() {
                    return failed_precondition("the draw is open");
                }
                let mut change = known.into_active_model();
                change.revealed_at = Set(Some(now.into()));
                let draw = read(change.update(tx).await?)?;
                note(tx, &draw).await?;
                Ok(Some(draw))
            })
            .await
    }

    pub async fn draw(&self, draw_id: &str) -> Result<Option<Draw>> {
        let row = Entity::find_by_id(draw_id.to_owned()).one(self.store.reader()).await?;
        row.map(read).transpose()
    }

    /// Draws in the requested order; unknown ids are left out.
    pub async fn draws_by_id(&self, ids: &[String]) -> Result<Vec<Draw>> {
        let query = Entity::find().filter(Column::Id.is_in(ids.iter().map(String::as_str)));
        let rows = query.all(self.store.reader()).await?;
        let mut draws = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        draws.sort_by_key(|draw| ids.iter().position(|id| *id == draw.id));
        Ok(draws)
    }

    /// The draws of a campaign in the order of their opening.
    pub async fn draws(&self, activity_id: u64) -> Result<Vec<Draw>> {
        let rows = Entity::find()
            .filter(Column::ActivityId.eq(key(activity_id)?))
            .order_by_asc(Column::OpenedAt)
            .order_by_asc(Column::Id)
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(read).collect()
    }
}

/// The row of a draw, locked until this transaction ends.
async fn locked(tx: &DatabaseTransaction, draw_id: &str) -> Result<Option<Model>> {
    // The log is locked before the row, in the same order everywhere.
    changes::lock(tx).await?;
    Ok(Entity::find_by_id(draw_id.to_owned()).lock_exclusive().one(tx).await?)
}

async fn note(tx: &DatabaseTransaction, draw: &Draw) -> Result<()> {
    changes::append(tx, &[tags::activity(draw.activity_id)], false).await?;
    Ok(())
}

fn conflict<T>(why: &str) -> Result<T> {
    Err(Error::new(ErrorCode::Conflict, why))
}

fn failed_precondition<T>(why: &str) -> Result<T> {
    Err(Error::new(ErrorCode::FailedPrecondition, why))
}

fn row(draw: &Draw) -> Result<ActiveModel> {
    Ok(ActiveModel {
        id: Set(draw.id.clone()),
        activity_id: Set(key(draw.activity_id)?),
        seed: Set(draw.seed().bytes().to_vec()),
        prizes: Set(serde_json::to_string(&draw.prizes).map_err(Error::internal)?),
        ticket_count: Set(draw.ticket_count.into()),
        tickets_hash: Set(draw.tickets_hash.clone()),
        opened_at: Set(draw.opened_at.into()),
        closed_at: Set(draw.closed_at.map(Into::into)),
        revealed_at: Set(draw.revealed_at.map(Into::into)),
    })
}

fn read(row: Model) -> Result<Draw> {
    let broken = || Error::internal(format!("draw {} is broken", row.id));
    let id_of = DrawId::parse(&row.id).map_err(|_| broken())?;
    let seed = Seed::of(&row.seed).ok_or_else(broken)?;
    let prizes = serde_json::from_str(&row.prizes).map_err(Error::internal)?;
    let mut draw = Draw::open(&id_of, id(row.activity_id)?, prizes, seed, small(row.opened_at));
    draw.ticket_count = small(row.ticket_count);
    draw.tickets_hash = row.tickets_hash;
    draw.closed_at = row.closed_at.map(small);
    draw.revealed_at = row.revealed_at.map(small);
    Ok(draw)
}
