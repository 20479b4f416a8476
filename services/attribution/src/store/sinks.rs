//! Sinks: their positions, and the replicas that serve them.

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Set, UpdateMany, sea_query::Expr,
};

use super::{
    EventStore,
    accept::last_sequence,
    entities::{
        dead_letter, log,
        sink::{self, ActiveModel, Column, Entity},
    },
    to_i64, to_u32, to_u64,
};

/// A sink's counts: `accepted` = `delivered` + `waiting` + `dead`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SinkState {
    pub name: String,
    /// Events since the sink was first configured.
    pub accepted: u64,
    pub delivered: u64,
    /// Events that are not delivered yet.
    pub waiting: u64,
    pub dead: u64,
    /// Consecutive failures.
    pub failed_attempts: u32,
    /// Empty if the last attempt succeeded.
    pub last_error: String,
    /// Epoch seconds; 0 for never.
    pub last_delivered_at: u32,
}

/// The right to serve a sink for a limited time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    pub sink: String,
    /// The holder: one task of one process.
    pub owner: String,
    /// The last processed sequence.
    pub position: u64,
    /// Consecutive failures.
    pub failed_attempts: u32,
}

impl EventStore {
    /// Adds a sink if it is unknown. A new one receives events from now on.
    pub async fn add_sink(&self, name: &str) -> Result<()> {
        self.store
            .write(async |tx| {
                let last = last_sequence(tx, log::Entity::find()).await?;
                let row = ActiveModel {
                    name: Set(name.to_owned()),
                    from_sequence: Set(last),
                    position: Set(last),
                    delivered: Set(0),
                    failed_attempts: Set(0),
                    last_error: Set(String::new()),
                    last_delivered_at: Set(0),
                    lease_owner: Set(String::new()),
                    lease_until: Set(0),
                };
                let insert = Entity::insert(row).on_conflict_do_nothing_on([Column::Name]);
                insert.exec_without_returning(tx).await.map(drop)?;
                Ok(())
            })
            .await
    }

    /// Acquires or renews the lease of a sink until `until` (epoch milliseconds); `None` while
    /// another owner has it.
    pub async fn lease(
        &self,
        sink: &str,
        owner: &str,
        now: u64,
        until: u64,
    ) -> Result<Option<Lease>> {
        let update = Entity::update_many()
            .col_expr(Column::LeaseOwner, Expr::val(owner))
            .col_expr(Column::LeaseUntil, Expr::val(to_i64(until)))
            .filter(Column::Name.eq(sink))
            .filter(Column::LeaseOwner.eq(owner).or(Column::LeaseUntil.lt(to_i64(now))));
        let rows = self.store.write(async |tx| Ok(update.exec_with_returning(tx).await?)).await?;
        Ok(rows.into_iter().next().map(|row| Lease {
            sink: row.name,
            owner: row.lease_owner,
            position: to_u64(row.position),
            failed_attempts: to_u32(row.failed_attempts.into()),
        }))
    }

    /// Releases the lease of a sink, if this owner has it, so that another one can acquire it at
    /// once.
    pub async fn release(&self, sink: &str, owner: &str) -> Result<()> {
        let update = leased(sink, owner)
            .col_expr(Column::LeaseOwner, Expr::val(""))
            .col_expr(Column::LeaseUntil, Expr::val(0_i64));
        self.store.write(async |tx| Ok(update.exec(tx).await.map(drop)?)).await
    }

    /// Advances a sink: events up to `through` are processed, `delivered` of them accepted, and the
    /// others (`refused`: sequence and reason) are dead letters. Returns false without a change if
    /// the lease was lost.
    pub async fn advance(
        &self,
        lease: &Lease,
        through: u64,
        delivered: u64,
        refused: &[(u64, String)],
        now: u32,
    ) -> Result<bool> {
        let update = responded(lease, delivered, now)
            .col_expr(Column::Position, Expr::val(to_i64(through)))
            .filter(Column::Position.eq(to_i64(lease.position)));
        self.store
            .write(async |tx| {
                if update.exec(tx).await?.rows_affected == 0 {
                    return Ok(false);
                }
                let rows = refused.iter().map(|(sequence, reason)| dead_letter::ActiveModel {
                    sink: Set(lease.sink.clone()),
                    sequence: Set(to_i64(*sequence)),
                    reason: Set(reason.clone()),
                    died_at: Set(now.into()),
                    replaying: Set(false),
                });
                dead_letter::Entity::insert_many(rows).exec_without_returning(tx).await?;
                Ok(true)
            })
            .await
    }

    /// Records a failed attempt.
    pub async fn failed(&self, lease: &Lease, error: &str) -> Result<()> {
        let update = leased(&lease.sink, &lease.owner)
            .col_expr(Column::FailedAttempts, Expr::col(Column::FailedAttempts).add(1))
            .col_expr(Column::LastError, Expr::val(error));
        self.store.write(async |tx| Ok(update.exec(tx).await.map(drop)?)).await
    }

    /// Every sink, by name.
    pub async fn sinks(&self) -> Result<Vec<SinkState>> {
        let last = log::Entity::find().select_only().column(log::Column::LastSequence);
        let dead_letters = |replaying: bool| {
            let count = dead_letter::Entity::find()
                .select_only()
                .expr(dead_letter::Column::Sequence.count())
                .filter(
                    Expr::col((dead_letter::Entity, dead_letter::Column::Sink))
                        .equals((Entity, Column::Name)),
                )
                .filter(dead_letter::Column::Replaying.eq(replaying));
            Expr::from(count.into_query())
        };
        // One statement, so that the counts are consistent.
        let rows = Entity::find()
            .expr_as(Expr::from(last.into_query()), "last")
            .expr_as(dead_letters(false), "dead")
            .expr_as(dead_letters(true), "replaying")
            .order_by_asc(Column::Name)
            .into_model::<SinkRow>()
            .all(self.store.reader())
            .await?;
        Ok(rows.into_iter().map(SinkState::from).collect())
    }
}

/// Updates a sink if this owner has its lease.
fn leased(sink: &str, owner: &str) -> UpdateMany<Entity> {
    Entity::update_many().filter(Column::Name.eq(sink)).filter(Column::LeaseOwner.eq(owner))
}

/// Records, under the lease, that a sink responded and how many events it accepted.
pub(super) fn responded(lease: &Lease, accepted: u64, now: u32) -> UpdateMany<Entity> {
    let update = leased(&lease.sink, &lease.owner)
        .col_expr(Column::FailedAttempts, Expr::val(0))
        .col_expr(Column::LastError, Expr::val(""));
    if accepted == 0 {
        return update;
    }
    update
        .col_expr(Column::Delivered, Expr::col(Column::Delivered).add(to_i64(accepted)))
        .col_expr(Column::LastDeliveredAt, Expr::val(i64::from(now)))
}

#[derive(FromQueryResult)]
struct SinkRow {
    #[sea_orm(nested)]
    sink: sink::Model,
    /// The newest event's sequence.
    last: i64,
    dead: i64,
    replaying: i64,
}

impl From<SinkRow> for SinkState {
    fn from(SinkRow { sink, last, dead, replaying }: SinkRow) -> Self {
        Self {
            name: sink.name,
            accepted: to_u64(last - sink.from_sequence),
            delivered: to_u64(sink.delivered),
            waiting: to_u64(last - sink.position + replaying),
            dead: to_u64(dead),
            failed_attempts: to_u32(sink.failed_attempts.into()),
            last_error: sink.last_error,
            last_delivered_at: to_u32(sink.last_delivered_at),
        }
    }
}
