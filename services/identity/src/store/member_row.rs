//! Conversion of a member's row to the domain type.

use sahm_chassis::error::Result;

use super::{entities::member, id, seconds};
use crate::domain::{AccountStatus, Member, Phone};

impl TryFrom<member::Model> for Member {
    type Error = sahm_chassis::Error;

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
