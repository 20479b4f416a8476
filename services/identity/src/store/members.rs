//! Members: sign-up, login, and the states of accounts.

use sahm_chassis::{
    error::{Error, ErrorCode, Result},
    store::rows_after,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait, QueryFilter, QuerySelect, Set, SqlErr, TryInsertResult, sea_query::Expr,
};

use super::{
    IdentityStore, NewSession, auth_codes,
    entities::member::{self, Column, Entity},
    id, key, seconds, sessions,
};
use crate::domain::{
    Account as LoginAccount, AccountChange, AccountStatus, AuthCode, CodeHasher, Member,
    PasswordHash, Phone, Scene,
};

/// The data that a login by password needs.
pub struct Account {
    pub member: Member,
    /// `None` while the member has no password.
    pub password: Option<PasswordHash>,
}

/// A login by code, which signs up an unknown number.
pub struct CodeLoginAttempt<'a> {
    pub phone: &'a Phone,
    /// The code, sent for scene 1.
    pub code: &'a AuthCode,
    /// Stored with a new member; empty for none.
    pub invite_code: &'a str,
    /// Whether sign-up is turned off, so that unknown numbers are rejected.
    pub is_turned_off: bool,
    pub session: NewSession<'a>,
}

/// The result of a login by code.
pub struct CodeLogin {
    pub member: Member,
    /// Whether the member is new.
    pub signed_up: bool,
}

impl IdentityStore {
    /// Uses the code, finds or creates the member, and begins the session, in one transaction; a
    /// failed attempt still counts. `None` if the code is wrong.
    pub async fn log_in_by_code(
        &self,
        hasher: &CodeHasher,
        attempt: CodeLoginAttempt<'_>,
        now: u32,
    ) -> Result<Option<CodeLogin>> {
        self.store
            .write(async |tx| {
                let scene = Scene::Verification;
                if !auth_codes::try_code(tx, hasher, attempt.phone, scene, attempt.code, now)
                    .await?
                {
                    return Ok(None);
                }
                if attempt.is_turned_off && of_phone(attempt.phone).one(tx).await?.is_none() {
                    // The transaction is rolled back, so that the code stays valid.
                    return Err(Error::of(ErrorCode::TurnedOff));
                }
                let found = find_or_make(tx, attempt.phone, attempt.invite_code, now).await?;
                sessions::begin(tx, attempt.session, found.member.id, now).await?;
                Ok(Some(found))
            })
            .await
    }

    /// The member with this account, if there is one.
    pub async fn account(&self, account: &LoginAccount) -> Result<Option<Account>> {
        let query = match account {
            LoginAccount::Phone(phone) => of_phone(phone),
            LoginAccount::Email(email) => Entity::find().filter(Column::Email.eq(email.as_str())),
        };
        query.one(self.store.reader()).await?.map(stored_account).transpose()
    }

    pub async fn member(&self, member_id: u64) -> Result<Option<Member>> {
        Ok(self.account_of(member_id).await?.map(|account| account.member))
    }

    /// A member with the hash of the password.
    ///
    /// # Errors
    /// The store fails.
    pub async fn account_of(&self, member_id: u64) -> Result<Option<Account>> {
        let Some(member_id) = key(member_id) else { return Ok(None) };
        let row = Entity::find_by_id(member_id).one(self.store.reader()).await?;
        row.map(stored_account).transpose()
    }

    /// Members in the requested order; unknown ids are left out.
    pub async fn members(&self, ids: &[u64]) -> Result<Vec<Member>> {
        let keys = ids.iter().filter_map(|id| key(*id));
        let rows = Entity::find().filter(Column::Id.is_in(keys)).all(self.store.reader()).await?;
        let mut found = rows.into_iter().map(Member::try_from).collect::<Result<Vec<_>>>()?;
        found.sort_by_key(|member| ids.iter().position(|id| *id == member.id));
        Ok(found)
    }

    /// Members above an id, in id order.
    pub async fn list_members(&self, after: u64, size: u32) -> Result<Vec<Member>> {
        let (db, query) = (self.store.reader(), Entity::find());
        let rows = rows_after(db, query, Column::Id, after, size.into()).await?;
        rows.into_iter().map(Member::try_from).collect()
    }

    pub async fn is_empty(&self) -> Result<bool> {
        Ok(Entity::find().count(self.store.reader()).await? == 0)
    }

    /// Creates a member, or returns the existing one with this number.
    pub async fn sign_up(&self, phone: &Phone, now: u32) -> Result<Member> {
        let found = self.store.write(async |tx| find_or_make(tx, phone, "", now).await).await?;
        Ok(found.member)
    }

    /// Replaces the password hash `replaced`, which the caller has read, and ends the member's
    /// sessions except for `kept_session`. Returns false if the member does not exist or the password has
    /// changed meanwhile.
    ///
    /// # Errors
    /// The store fails.
    pub async fn set_password(
        &self,
        member_id: u64,
        replaced: Option<&PasswordHash>,
        hash: &PasswordHash,
        kept_session: Option<&str>,
    ) -> Result<bool> {
        let Some(member_id) = key(member_id) else { return Ok(false) };
        let is_unchanged = match replaced {
            Some(replaced) => Column::PasswordHash.eq(replaced.0.as_str()),
            None => Column::PasswordHash.is_null(),
        };
        self.store
            .write(async |tx| {
                let updated = Entity::update_many()
                    .col_expr(Column::PasswordHash, Expr::val(hash.0.as_str()))
                    .filter(Column::Id.eq(member_id))
                    .filter(is_unchanged)
                    .exec(tx)
                    .await?;
                if updated.rows_affected == 0 {
                    return Ok(false);
                }
                sessions::end_all(tx, member_id, kept_session).await?;
                Ok(true)
            })
            .await
    }

    /// Changes an account. `None` for an unknown member.
    ///
    /// # Errors
    /// `Parameter` if the account would be inconsistent; `Conflict` for an email or number of
    /// another member.
    pub async fn set_account(
        &self,
        member_id: u64,
        change: AccountChange,
    ) -> Result<Option<Member>> {
        let Some(member_id) = key(member_id) else { return Ok(None) };
        self.store
            .write(async |tx| {
                let query = Entity::find_by_id(member_id).lock_exclusive();
                let Some(row) = query.one(tx).await? else { return Ok(None) };
                let changed = change.apply(Member::try_from(row.clone())?.account_status)?;
                let mut row = row.into_active_model();
                row.status = Set(changed.status);
                row.opened = Set(changed.opened);
                row.opened_saudi = Set(changed.opened_saudi);
                row.hs_no = Set(changed.hs_no);
                row.is_obtain_sns = Set(changed.is_obtain_sns);
                if let Some(email) = change.email() {
                    row.email = Set(email.map(|email| email.as_str().to_owned()));
                }
                let row = row.update(tx).await.map_err(conflict)?;
                row.try_into().map(Some)
            })
            .await
    }
}

impl TryFrom<member::Model> for Member {
    type Error = Error;

    fn try_from(row: member::Model) -> Result<Member> {
        Ok(Member {
            account_status: AccountStatus {
                status: row.status,
                opened: row.opened,
                opened_saudi: row.opened_saudi,
                hs_no: row.hs_no,
                is_obtain_sns: row.is_obtain_sns,
            },
            id: id(row.id)?,
            phone: Phone::stored(row.tel_code, row.phone),
            has_email: row.email.is_some(),
            has_password: row.password_hash.is_some(),
            invite_code: row.invite_code,
            created_at: seconds(row.created_at),
        })
    }
}

fn stored_account(row: member::Model) -> Result<Account> {
    let password = row.password_hash.clone().map(PasswordHash);
    Ok(Account { member: row.try_into()?, password })
}

fn of_phone(phone: &Phone) -> sea_orm::Select<Entity> {
    Entity::find()
        .filter(Column::TelCode.eq(phone.tel_code()))
        .filter(Column::Phone.eq(phone.national()))
}

async fn find_or_make(
    tx: &DatabaseTransaction,
    phone: &Phone,
    invite_code: &str,
    now: u32,
) -> Result<CodeLogin> {
    if let Some(row) = of_phone(phone).one(tx).await? {
        return Ok(CodeLogin { member: row.try_into()?, signed_up: false });
    }
    let row = member::ActiveModel {
        tel_code: Set(phone.tel_code().to_owned()),
        phone: Set(phone.national().to_owned()),
        email: Set(None),
        password_hash: Set(None),
        status: Set(0),
        opened: Set(false),
        opened_saudi: Set(false),
        hs_no: Set(None),
        is_obtain_sns: Set(false),
        invite_code: Set(invite_code.to_owned()),
        created_at: Set(now.into()),
        ..Default::default()
    };
    // Another request may have created the member concurrently.
    let inserted = Entity::insert(row)
        .on_conflict_do_nothing_on([Column::TelCode, Column::Phone])
        .exec_without_returning(tx)
        .await?;
    let row = of_phone(phone).one(tx).await?;
    let row = row.ok_or_else(|| Error::internal("a new member is not there"))?;
    let signed_up = matches!(inserted, TryInsertResult::Inserted(rows) if rows > 0);
    Ok(CodeLogin { member: row.try_into()?, signed_up })
}

fn conflict(error: DbErr) -> Error {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => {
            Error::new(ErrorCode::Conflict, "another member has this email or account number")
        }
        _ => error.into(),
    }
}
