//! Sinks: their positions, and the replicas that serve them.

use sahm_chassis::error::{Error, Result};
use sea_orm::{
    ConnectionTrait, DbErr, ExprTrait, QueryResult,
    sea_query::{Expr, OnConflict, Order, Query},
};

use super::{
    EventStore,
    accept::{last_sequence, log},
    to_i64, to_u32, to_u64,
};

/// A sink's counts: `accepted` = `delivered` + `waiting` + `dead`.
#[derive(Clone, Debug, PartialEq, Eq)]
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
                let last = last_sequence(tx, log()).await?;
                let insert = Query::insert()
                    .into_table("sink")
                    .columns([
                        "name",
                        "from_sequence",
                        "position",
                        "delivered",
                        "failed_attempts",
                        "last_error",
                        "last_delivered_at",
                        "lease_owner",
                        "lease_until",
                    ])
                    .values([
                        Expr::val(name),
                        Expr::val(last),
                        Expr::val(last),
                        Expr::val(0_i64),
                        Expr::val(0_i32),
                        Expr::val(""),
                        Expr::val(0_i64),
                        Expr::val(""),
                        Expr::val(0_i64),
                    ])
                    .map_err(Error::internal)?
                    .on_conflict(OnConflict::column("name").do_nothing().to_owned())
                    .to_owned();
                tx.execute(&insert).await?;
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
        let update = Query::update()
            .table("sink")
            .value("lease_owner", owner)
            .value("lease_until", to_i64(until))
            .and_where(Expr::col("name").eq(sink))
            .and_where(
                Expr::col("lease_owner").eq(owner).or(Expr::col("lease_until").lt(to_i64(now))),
            )
            .returning(Query::returning().columns(["position", "failed_attempts"]))
            .to_owned();
        let row = self.store.write(async |tx| Ok(tx.query_one(&update).await?)).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Lease {
            sink: sink.to_owned(),
            owner: owner.to_owned(),
            position: to_u64(row.try_get_by_index(0)?),
            failed_attempts: to_u32(i64::from(row.try_get_by_index::<i32>(1)?)),
        }))
    }

    /// Releases the lease of a sink, if this owner has it, so that another one can acquire it at
    /// once.
    pub async fn release(&self, sink: &str, owner: &str) -> Result<()> {
        let update = Query::update()
            .table("sink")
            .value("lease_owner", "")
            .value("lease_until", 0_i64)
            .and_where(Expr::col("name").eq(sink))
            .and_where(Expr::col("lease_owner").eq(owner))
            .to_owned();
        self.store.write(async |tx| Ok(tx.execute(&update).await.map(drop)?)).await
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
        let mut update = Query::update();
        if delivered > 0 {
            update
                .value("delivered", Expr::col("delivered").add(to_i64(delivered)))
                .value("last_delivered_at", i64::from(now));
        }
        let update = update
            .table("sink")
            .value("position", to_i64(through))
            .value("failed_attempts", 0)
            .value("last_error", "")
            .and_where(Expr::col("name").eq(lease.sink.as_str()))
            .and_where(Expr::col("lease_owner").eq(lease.owner.as_str()))
            .and_where(Expr::col("position").eq(to_i64(lease.position)))
            .to_owned();
        self.store
            .write(async |tx| {
                if tx.execute(&update).await?.rows_affected() == 0 {
                    return Ok(false);
                }
                for (sequence, reason) in refused {
                    let insert = Query::insert()
                        .into_table("dead_letter")
                        .columns(["sink", "sequence", "reason", "died_at", "replaying"])
                        .values([
                            Expr::val(lease.sink.as_str()),
                            Expr::val(to_i64(*sequence)),
                            Expr::val(reason.as_str()),
                            Expr::val(i64::from(now)),
                            Expr::val(false),
                        ])
                        .map_err(Error::internal)?
                        .to_owned();
                    tx.execute(&insert).await?;
                }
                Ok(true)
            })
            .await
    }

    /// Records a failed attempt.
    pub async fn failed(&self, lease: &Lease, error: &str) -> Result<()> {
        let update = Query::update()
            .table("sink")
            .value("failed_attempts", Expr::col("failed_attempts").add(1))
            .value("last_error", error)
            .and_where(Expr::col("name").eq(lease.sink.as_str()))
            .and_where(Expr::col("lease_owner").eq(lease.owner.as_str()))
            .to_owned();
        self.store.write(async |tx| Ok(tx.execute(&update).await.map(drop)?)).await
    }

    /// Every sink, by name.
    pub async fn sinks(&self) -> Result<Vec<SinkState>> {
        let dead_letters = |replaying: bool| {
            Query::select()
                .expr(Expr::col("sequence").count())
                .from("dead_letter")
                .and_where(Expr::col(("dead_letter", "sink")).equals(("sink", "name")))
                .and_where(Expr::col("replaying").eq(replaying))
                .to_owned()
        };
        // One statement, so that the counts are consistent.
        let query = Query::select()
            .columns([
                "name",
                "from_sequence",
                "position",
                "delivered",
                "failed_attempts",
                "last_error",
                "last_delivered_at",
            ])
            .expr(Expr::from(log()))
            .expr(Expr::from(dead_letters(false)))
            .expr(Expr::from(dead_letters(true)))
            .from("sink")
            .order_by("name", Order::Asc)
            .to_owned();
        let rows = self.store.reader().query_all(&query).await?;
        Ok(rows.iter().map(state).collect::<Result<Vec<_>, DbErr>>()?)
    }
}

fn state(row: &QueryResult) -> Result<SinkState, DbErr> {
    let number = |at: usize| row.try_get_by_index::<i64>(at);
    let (from, position, last, replaying) = (number(1)?, number(2)?, number(7)?, number(9)?);
    Ok(SinkState {
        name: row.try_get_by_index(0)?,
        accepted: to_u64(last - from),
        delivered: to_u64(number(3)?),
        waiting: to_u64(last - position + replaying),
        dead: to_u64(number(8)?),
        failed_attempts: to_u32(i64::from(row.try_get_by_index::<i32>(4)?)),
        last_error: row.try_get_by_index(5)?,
        last_delivered_at: to_u32(number(6)?),
    })
}
