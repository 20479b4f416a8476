//! Sessions.

use sahm_chassis::{
    error::{Error, Result},
    store::delete,
};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, ExprTrait, JoinType, PaginatorTrait,
    QueryFilter, QuerySelect, Set,
};

use super::{
    IdentityStore,
    entities::{member, session},
    key, seconds,
};
use crate::domain::{Member, PasswordHash, SESSION_LIFETIME_SECONDS, SessionToken};

/// A session to be created.
#[derive(Clone, Copy)]
pub struct NewSession<'a> {
    pub id: &'a str,
    pub token: &'a SessionToken,
}

#[derive(Clone, Debug)]
pub struct LiveSession {
    pub id: String,
    pub member: Member,
    /// Epoch seconds.
    pub expires_at: u32,
}

impl IdentityStore {
    /// The session of a token, until it expires.
    pub async fn session(&self, token: &SessionToken, now: u32) -> Result<Option<LiveSession>> {
        let owner = session::Entity::belongs_to(member::Entity)
            .from(session::Column::MemberId)
            .to(member::Column::Id);
        let found = session::Entity::find()
            .join(JoinType::InnerJoin, owner.into())
            .select_also(member::Entity)
            .filter(session::Column::TokenHash.eq(token.hash()))
            .filter(session::Column::ExpiresAt.gt(i64::from(now)))
            .one(self.store.reader())
            .await?;
        let Some((row, Some(owner))) = found else { return Ok(None) };
        let expires_at = seconds(row.expires_at);
        Ok(Some(LiveSession { id: row.id, member: owner.try_into()?, expires_at }))
    }

    /// Whether a member signed up in this session. Both begin in the same second, and a number
    /// receives its next code, and therefore its next session, at least a minute later.
    ///
    /// # Errors
    /// The store fails.
    pub async fn is_sign_up_session(&self, name: &str, member: &Member) -> Result<bool> {
        let Some(member_id) = key(member.id) else { return Ok(false) };
        let found = session::Entity::find_by_id(name)
            .filter(session::Column::MemberId.eq(member_id))
            .filter(session::Column::CreatedAt.eq(i64::from(member.created_at)))
            .count(self.store.reader())
            .await?;
        Ok(found > 0)
    }

    /// Begins a session of a member whose password hash is `password`, which the caller has read. Returns false if the
    /// member does not exist or the password has changed meanwhile.
    ///
    /// # Errors
    /// The store fails.
    pub async fn begin_session(
        &self,
        new: NewSession<'_>,
        member: u64,
        password: Option<&PasswordHash>,
        now: u32,
    ) -> Result<bool> {
        let Some(id) = key(member) else { return Ok(false) };
        self.store
            .write(async |tx| {
                // Locked, so that a change of the password also ends this session.
                let row = member::Entity::find_by_id(id).lock_shared().one(tx).await?;
                let password = password.map(|password| password.0.as_str());
                if row.is_none_or(|row| row.password_hash.as_deref() != password) {
                    return Ok(false);
                }
                begin(tx, new, member, now).await?;
                Ok(true)
            })
            .await
    }

    /// Ends a session of a member. Idempotent.
    pub async fn end_session(&self, name: &str, member: u64) -> Result<()> {
        let Some(member) = key(member) else { return Ok(()) };
        let is_it = session::Column::Id.eq(name).and(session::Column::MemberId.eq(member));
        self.store.write(async |tx| delete::<session::Entity>(tx, is_it).await).await?;
        Ok(())
    }

    /// Ends all sessions of a member and returns their number; `None` for an unknown member.
    ///
    /// # Errors
    /// The store fails.
    pub async fn end_sessions(&self, member: u64) -> Result<Option<u64>> {
        let Some(member) = key(member) else { return Ok(None) };
        self.store
            .write(async |tx| {
                if member::Entity::find_by_id(member).count(tx).await? == 0 {
                    return Ok(None);
                }
                end_all(tx, member, None).await.map(Some)
            })
            .await
    }
}

/// Begins a session in a transaction.
pub(super) async fn begin(
    tx: &DatabaseTransaction,
    new: NewSession<'_>,
    member: u64,
    now: u32,
) -> Result<()> {
    let member = key(member).ok_or_else(|| Error::internal("a member's id is out of range"))?;
    let row = session::ActiveModel {
        id: Set(new.id.to_owned()),
        token_hash: Set(new.token.hash()),
        member_id: Set(member),
        created_at: Set(now.into()),
        expires_at: Set((now + SESSION_LIFETIME_SECONDS).into()),
    };
    session::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Ends the sessions of a member except for `kept_session`.
pub(super) async fn end_all(
    tx: &DatabaseTransaction,
    member: i64,
    kept_session: Option<&str>,
) -> Result<u64> {
    let mut ended = session::Column::MemberId.eq(member);
    if let Some(kept_session) = kept_session {
        ended = ended.and(session::Column::Id.ne(kept_session));
    }
    delete::<session::Entity>(tx, ended).await
}
