//! Appends to the log and prunes it.
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, Order, QueryFilter,
    QueryOrder, QuerySelect, Select,
    sea_query::{Expr, OnConflict},
};

use super::{
    MAX_TAGS,
    entities::{META_ID, change_log, change_log_meta},
};
use crate::{
    clock,
    error::{Error, Result},
    store::delete,
};

const MAX_TAG: usize = 120;

/// Whether a text is a tag: `[a-z0-9:_-]{1,120}`.
pub fn is_tag(text: &str) -> bool {
    let fits = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b":_-".contains(&c);
    (1..=MAX_TAG).contains(&text.len()) && text.bytes().all(fits)
}

/// Appends a change to the log in the transaction of the data that it describes, and returns its
/// sequence. Call it last: on PostgreSQL other appends of the service wait for this commit. Call
/// [`ChangeLog::notify`](super::ChangeLog::notify) after the commit, so that subscribers need not
/// wait for the next poll.
///
/// More than [`MAX_TAGS`] tags become several changes, of which the last sequence is returned.
/// Without tags nothing is appended, and the newest sequence is returned.
///
/// # Errors
/// A tag is invalid (`Internal`), or the store fails.
pub async fn append(tx: &DatabaseTransaction, tags: &[String], soft: bool) -> Result<u64> {
    if let Some(invalid) = tags.iter().find(|tag| !is_tag(tag)) {
        return Err(Error::internal(format!("not a tag: {invalid:?}")));
    }
    lock(tx).await?;
    let meta = ensure_meta(tx).await?;
    let mut sequence = meta.last_sequence;
    let time = i64::from(clock::now());
    for tags in tags.chunks(MAX_TAGS) {
        sequence += 1;
        let tags = serde_json::to_string(tags).map_err(Error::internal)?;
        let row = change_log::ActiveModel {
            sequence: Set(sequence),
            tags: Set(tags),
            soft: Set(soft),
            time: Set(time),
        };
        change_log::Entity::insert(row).exec_without_returning(tx).await?;
    }
    change_log_meta::Entity::update_many()
        .col_expr(change_log_meta::Column::LastSequence, Expr::val(sequence))
        .filter(change_log_meta::Column::Id.eq(META_ID))
        .exec(tx)
        .await?;
    Ok(to_u64(sequence))
}

/// Makes this transaction the only one of the service that appends, until it ends. A seed calls it
/// first, so that only one of several replicas that start together seeds.
///
/// On SQLite a write transaction is exclusive anyway.
pub async fn lock(tx: &DatabaseTransaction) -> Result<()> {
    if tx.get_database_backend() == DbBackend::Postgres {
        // The schema is part of the key, because services may share a database.
        let lock = "SELECT pg_advisory_xact_lock(\
                    hashtextextended('sahm.change_log.' || current_schema(), 0))";
        tx.execute_unprepared(lock).await?;
    }
    Ok(())
}

/// The log's row, created with a new id if missing.
pub(super) async fn ensure_meta(tx: &DatabaseTransaction) -> Result<change_log_meta::Model> {
    if let Some(meta) = change_log_meta::Entity::find_by_id(META_ID).one(tx).await? {
        return Ok(meta);
    }
    // A restored database may contain old entries; their sequences are not reused.
    let newest = end_of_log(tx, change_log::Entity::find(), Order::Desc).await?.unwrap_or(0);
    let oldest = end_of_log(tx, change_log::Entity::find(), Order::Asc).await?.unwrap_or(1);
    let row = change_log_meta::ActiveModel {
        id: Set(META_ID),
        log_id: Set(format!("{:032x}", rand::random::<u128>())),
        last_sequence: Set(newest),
        pruned_through: Set(oldest - 1),
    };
    let untouched = OnConflict::column(change_log_meta::Column::Id).do_nothing().to_owned();
    change_log_meta::Entity::insert(row).on_conflict(untouched).exec_without_returning(tx).await?;
    let row = change_log_meta::Entity::find_by_id(META_ID).one(tx).await?;
    row.ok_or_else(|| Error::internal("the change log has no row"))
}

async fn end_of_log(
    tx: &DatabaseTransaction,
    entries: Select<change_log::Entity>,
    order: Order,
) -> Result<Option<i64>> {
    let sequences = entries.select_only().column(change_log::Column::Sequence);
    let one = sequences.order_by(change_log::Column::Sequence, order).limit(1);
    Ok(one.into_tuple().one(tx).await?)
}

/// Removes entries older than `time` (epoch seconds) and records the last removed sequence.
pub(super) async fn prune(tx: &DatabaseTransaction, time: u32) -> Result<u64> {
    let old = change_log::Column::Time.lt(i64::from(time));
    let old = change_log::Entity::find().filter(old);
    let Some(through) = end_of_log(tx, old, Order::Desc).await? else { return Ok(0) };
    // Removal is by sequence, so that the remaining entries have no gaps even if a clock went
    // backwards.
    let removed =
        delete::<change_log::Entity>(tx, change_log::Column::Sequence.lte(through)).await?;
    change_log_meta::Entity::update_many()
        .col_expr(change_log_meta::Column::PrunedThrough, Expr::val(through))
        .filter(change_log_meta::Column::PrunedThrough.lt(through))
        .exec(tx)
        .await?;
    Ok(removed)
}

/// Sequences are never negative.
pub(super) fn to_u64(sequence: i64) -> u64 {
    u64::try_from(sequence).unwrap_or(0)
}
