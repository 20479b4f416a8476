//! Sessions.

use sahm_chassis::error::Result;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, Set};

use super::{
    IdentityStore,
    entities::{member, session},
    id, key, members, seconds,
};
use crate::domain::{Member, SESSION_LIFE, SessionToken};

/// A session that is about to begin.
#[derive(Clone, Copy)]
pub struct NewSession<'a> {
    /// What it is called.
    pub id: &'a str,
    /// What the browser will hold.
    pub token: &'a SessionToken,
}

/// A session that lives.
#[derive(Clone, Debug)]
pub struct LiveSession {
    /// What it is called.
    pub id: String,
    /// Whose it is.
    pub member: Member,
    /// Epoch seconds.
    pub expires_at: u32,
}

impl IdentityStore {
    /// The session of a token, while it lives.
    pub async fn session(&self, token: &SessionToken, now: u32) -> Result<Option<LiveSession>> {
        let db = self.store.reader();
        let row = session::Entity::find()
            .filter(session::Column::TokenHash.eq(token.hash()))
            .filter(session::Column::ExpiresAt.gt(i64::from(now)))
            .one(db)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let owner = member::Entity::find_by_id(row.member_id).one(db).await?;
        let Some(owner) = owner else { return Ok(None) };
        let member = members::member(owner)?;
        Ok(Some(LiveSession { id: row.id, member, expires_at: seconds(row.expires_at) }))
    }

    /// Begins a session.
    pub async fn begin_session(&self, new: NewSession<'_>, member: u64, now: u32) -> Result<()> {
        self.store.write(async |tx| begin(tx, new, member, now).await).await
    }

    /// Ends a session of a member. One that has ended stays ended.
    pub async fn end_session(&self, name: &str, member: u64) -> Result<()> {
        let member = key(member)?;
        self.store
            .write(async |tx| {
                session::Entity::delete_many()
                    .filter(session::Column::Id.eq(name))
                    .filter(session::Column::MemberId.eq(member))
                    .exec(tx)
                    .await?;
                Ok(())
            })
            .await
    }

    /// Ends all sessions of a member and says how many there were.
    pub async fn end_sessions(&self, member: u64) -> Result<u64> {
        self.store.write(async |tx| end_all(tx, member, None).await).await
    }
}

/// As [`IdentityStore::begin_session`], in a transaction.
pub(super) async fn begin(
    tx: &DatabaseTransaction,
    new: NewSession<'_>,
    member: u64,
    now: u32,
) -> Result<()> {
    let row = session::ActiveModel {
        id: Set(new.id.to_owned()),
        token_hash: Set(new.token.hash()),
        member_id: Set(key(member)?),
        created_at: Set(now.into()),
        expires_at: Set((now + SESSION_LIFE).into()),
    };
    session::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Ends the sessions of a member but for one.
pub(super) async fn end_all(
    tx: &DatabaseTransaction,
    member: u64,
    but: Option<&str>,
) -> Result<u64> {
    let mut ended =
        session::Entity::delete_many().filter(session::Column::MemberId.eq(key(member)?));
    if let Some(but) = but {
        ended = ended.filter(session::Column::Id.ne(but));
    }
    let ended = ended.exec(tx).await?;
    id(i64::try_from(ended.rows_affected).unwrap_or(i64::MAX))
}
