//! Withdraws entries from the site.
use std::collections::BTreeSet;

use sahm_chassis::{Error, ErrorCode, Result, changes, store::delete};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::{
    domain::{EntryKind, lists},
    store::{
        BATCH, ContentStore,
        entities::{article_text, entry, entry_listing as listing, news_tab},
        entries::{
            put::{append_changes, delist},
            rows::{Columns, key, keys, number, of_ids, rows},
        },
    },
};

/// Maximum number of members listed in the error for a category or course that has some.
const MAX_NAMED_MEMBERS: u64 = 10;

impl ContentStore {
    /// Withdraws entries in all locales and returns the ids of those that existed, in the order
    /// requested. Counts and likes are kept. The kind that a collection is named after includes all
    /// kinds in it.
    ///
    /// # Errors
    /// `FailedPrecondition` for a category that has courses, or a course that has lessons.
    pub async fn withdraw(&self, kind: EntryKind, ids: &[u64]) -> Result<Vec<u64>> {
        let is_whole_collection = kind.as_str() == kind.collection();
        let requested: BTreeSet<i64> = keys(ids).into_iter().collect();
        let requested: Vec<i64> = requested.into_iter().collect();
        let mut withdrawn = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                let mut withdrawn = BTreeSet::new();
                let (mut hard, mut soft) = (BTreeSet::new(), BTreeSet::new());
                for ids in requested.chunks(BATCH) {
                    let rows = rows(tx, kind, of_ids(ids), Columns::WithoutBody, None).await?;
                    let entries = rows.into_iter().map(|row| row.entry);
                    let mut found = Vec::new();
                    for entry in entries.filter(|one| is_whole_collection || one.kind() == kind) {
                        hard.extend(entry.tags());
                        soft.extend(entry.kind().soft_tags());
                        withdrawn.insert(entry.id);
                        found.push(key(entry.id)?);
                    }
                    // The rows of an item are adjacent.
                    found.dedup();
                    refuse_with_members(tx, kind, &found).await?;
                    delist(tx, kind, &found, None).await?;
                    delete_rows(tx, kind, &found).await?;
                }
                append_changes(tx, hard, soft).await?;
                Ok(withdrawn)
            })
            .await?;
        Ok(ids.iter().copied().filter(|id| withdrawn.remove(id)).collect())
    }
}

async fn delete_rows(tx: &DatabaseTransaction, kind: EntryKind, ids: &[i64]) -> Result<u64> {
    let filter = of_ids(ids);
    match kind {
        EntryKind::News => delete::<article_text::Entity>(tx, filter).await,
        EntryKind::NewsTab => delete::<news_tab::Entity>(tx, filter).await,
        kind => {
            let filter = filter.add(entry::Column::Kind.eq(kind.collection()));
            delete::<entry::Entity>(tx, filter).await
        }
    }
}

/// Refuses groups that have members, because nothing would link to those members.
async fn refuse_with_members(tx: &DatabaseTransaction, kind: EntryKind, ids: &[i64]) -> Result<()> {
    let (group, members, list_of): (_, _, fn(u64) -> String) = match kind {
        EntryKind::CollegeCategory => ("category", "courses", lists::category),
        EntryKind::CollegeCourse => ("course", "lessons", lists::course),
        _ => return Ok(()),
    };
    for &id in ids {
        let found: Vec<i64> = listing::Entity::find()
            .select_only()
            .column(listing::Column::Id)
            .distinct()
            .filter(listing::Column::List.eq(list_of(number(id)?)))
            .order_by_asc(listing::Column::Id)
            .limit(MAX_NAMED_MEMBERS)
            .into_tuple()
            .all(tx)
            .await?;
        if !found.is_empty() {
            let found: Vec<String> = found.iter().map(i64::to_string).collect();
            let why = format!(
                "{group} {id} has the {members} {}: withdraw or move them first",
                found.join(", ")
            );
            return Err(Error::new(ErrorCode::FailedPrecondition, why));
        }
    }
    Ok(())
}
