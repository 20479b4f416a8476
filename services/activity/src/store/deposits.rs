//! Deposits; each is counted once.

use sahm_chassis::{
    error::{Error, ErrorCode, Result},
    store::rows_after,
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QuerySelect, Set,
};

use super::{
    ActivityStore,
    entities::deposit::{ActiveModel, Column, Entity, Model},
    id, key, small, tickets,
};
use crate::domain::{Amount, Currency, Deposit, Deposited};

/// The outcome of recording a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It counts, and issued this many tickets.
    Counted(u32),
    /// It was recorded before.
    Repeated,
}

impl ActivityStore {
    /// Counts a deposit once and issues its tickets at `now`.
    ///
    /// # Errors
    /// `Conflict` for the id of a different deposit.
    pub async fn record(&self, deposit: &Deposit, now: u32) -> Result<Recorded> {
        self.store
            .write(async |tx| {
                if let Some(known) = find(tx, &deposit.id).await? {
                    return repeated(&known, deposit);
                }
                let row = ActiveModel {
                    id: Set(deposit.id.clone()),
                    member_id: Set(key(deposit.member)?),
                    amount: Set(key(deposit.amount.hundredths())?),
                    currency: Set(deposit.currency.into_str().to_owned()),
                    deposited_at: Set(deposit.deposited_at.into()),
                    ..Default::default()
                };
                let inserted = Entity::insert(row)
                    .on_conflict_do_nothing_on([Column::Id])
                    .exec_without_returning(tx)
                    .await?;
                if !matches!(inserted, sea_orm::TryInsertResult::Inserted(1..)) {
                    // Another request recorded it concurrently.
                    let known = find(tx, &deposit.id).await?;
                    let missing = || Error::internal("a reported deposit is missing");
                    return repeated(&known.ok_or_else(missing)?, deposit);
                }
                tickets::issue_for_deposit(tx, deposit, now).await.map(Recorded::Counted)
            })
            .await
    }

    /// The total deposits of a member strictly between two moments in epoch seconds.
    pub async fn deposited(&self, member: u64, begin: u32, end: u32) -> Result<Deposited> {
        // PostgreSQL's sum of integers is a decimal.
        let sum = Column::Amount.sum().cast_as("bigint");
        let rows: Vec<(String, i64)> = Entity::find()
            .select_only()
            .column(Column::Currency)
            .column_as(sum, "amount")
            .filter(Column::MemberId.eq(key(member)?))
            .filter(Column::DepositedAt.gt(i64::from(begin)))
            .filter(Column::DepositedAt.lt(i64::from(end)))
            .group_by(Column::Currency)
            .into_tuple()
            .all(self.store.reader())
            .await?;
        let of = |currency: Currency| {
            let row = rows.iter().find(|(code, _)| code == currency.into_str());
            row.map_or(Ok(0), |(_, sum)| id(*sum)).map(Amount::of_hundredths)
        };
        Ok(Deposited { sar: of(Currency::Sar)?, usd: of(Currency::Usd)? })
    }

    /// A member's deposits with a number above `after`, by number.
    pub async fn deposits(
        &self,
        member: u64,
        after: u64,
        size: u64,
    ) -> Result<Vec<(u64, Deposit)>> {
        let query = Entity::find().filter(Column::MemberId.eq(key(member)?));
        let rows = rows_after(self.store.reader(), query, Column::Number, after, size).await?;
        rows.iter().map(|row| Ok((id(row.number)?, read(row)?))).collect()
    }

    /// Deposits by id, in the requested order.
    pub async fn deposits_by_id(&self, ids: &[String]) -> Result<Vec<Deposit>> {
        let query = Entity::find().filter(Column::Id.is_in(ids));
        let rows = query.all(self.store.reader()).await?;
        let mut found = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
        found.sort_by_key(|deposit| ids.iter().position(|id| *id == deposit.id));
        Ok(found)
    }
}

async fn find(connection: &impl ConnectionTrait, deposit_id: &str) -> Result<Option<Deposit>> {
    let row = Entity::find().filter(Column::Id.eq(deposit_id)).one(connection).await?;
    row.as_ref().map(read).transpose()
}

fn repeated(known: &Deposit, reported: &Deposit) -> Result<Recorded> {
    if known == reported {
        return Ok(Recorded::Repeated);
    }
    Err(Error::new(ErrorCode::Conflict, "another deposit was reported under this id"))
}

fn read(row: &Model) -> Result<Deposit> {
    let unknown = |_| Error::internal(format!("deposit {} in '{}'", row.number, row.currency));
    Ok(Deposit {
        id: row.id.clone(),
        member: id(row.member_id)?,
        amount: Amount::of_hundredths(id(row.amount)?),
        currency: row.currency.parse().map_err(unknown)?,
        deposited_at: small(row.deposited_at),
    })
}
