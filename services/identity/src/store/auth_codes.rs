//! Codes: the newest one of a number and scene, its attempts and its single use.

use sahm_chassis::{
    error::Result,
    store::{delete, upsert},
};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, ExprTrait, QueryFilter, Set,
    sea_query::Expr,
};

use super::{IdentityStore, budgets, entities::auth_code};
use crate::domain::{
    AuthCode, Budget, CODE_LIFETIME_SECONDS, CodeHasher, MAX_CODE_ATTEMPTS, Phone, Scene,
};

/// A code to be sent.
#[derive(Clone, Copy, Debug)]
pub struct NewCode<'a> {
    pub phone: &'a Phone,
    pub scene: Scene,
    /// Makes its hash unique.
    pub nonce: &'a str,
    /// The stored hash.
    pub hash: &'a [u8],
}

impl IdentityStore {
    /// Spends the budgets and replaces the previous code, or does neither.
    ///
    /// # Errors
    /// `TooMany`.
    pub async fn put_code(&self, code: NewCode<'_>, budgets: &[Budget], now: u32) -> Result<()> {
        self.store
            .write(async |tx| {
                budgets::consume(tx, budgets, now).await?;
                let row = auth_code::ActiveModel {
                    tel_code: Set(code.phone.tel_code().to_owned()),
                    phone: Set(code.phone.national().to_owned()),
                    scene: Set(code.scene.number()),
                    nonce: Set(code.nonce.to_owned()),
                    hash: Set(code.hash.to_vec()),
                    tries: Set(0),
                    expires_at: Set((now + CODE_LIFETIME_SECONDS).into()),
                };
                upsert(tx, [row]).await
            })
            .await
    }

    /// Verifies a code and invalidates it on success.
    pub async fn use_code(
        &self,
        hasher: &CodeHasher,
        phone: &Phone,
        scene: Scene,
        code: &AuthCode,
        now: u32,
    ) -> Result<bool> {
        self.store.write(async |tx| try_code(tx, hasher, phone, scene, code, now).await).await
    }
}

/// Same as [`IdentityStore::use_code`], in a transaction that must commit, because failed attempts
/// count too.
pub(super) async fn try_code(
    tx: &DatabaseTransaction,
    hasher: &CodeHasher,
    phone: &Phone,
    scene: Scene,
    code: &AuthCode,
    now: u32,
) -> Result<bool> {
    let is_requested = Condition::all()
        .add(auth_code::Column::TelCode.eq(phone.tel_code()))
        .add(auth_code::Column::Phone.eq(phone.national()))
        .add(auth_code::Column::Scene.eq(scene.number()));
    // Also locks the row, so that concurrent attempts see the previous ones.
    let counted = auth_code::Entity::update_many()
        .col_expr(auth_code::Column::Tries, Expr::col(auth_code::Column::Tries).add(1))
        .filter(is_requested.clone())
        .filter(auth_code::Column::Tries.lt(MAX_CODE_ATTEMPTS))
        .filter(auth_code::Column::ExpiresAt.gt(i64::from(now)))
        .exec(tx)
        .await?;
    if counted.rows_affected == 0 {
        return Ok(false);
    }
    let row = auth_code::Entity::find().filter(is_requested.clone()).one(tx).await?;
    let is_valid = row.is_some_and(|row| hasher.verify(phone, scene, &row.nonce, code, &row.hash));
    if is_valid {
        delete::<auth_code::Entity>(tx, is_requested).await?;
    }
    Ok(is_valid)
}
