//! Members of an empty database in `dev`: one for each state of an account. Their numbers and the
//! password are in the crate's README.

use sahm_chassis::error::Result;

use crate::{
    domain::{AccountChange, AccountStatus, Email, Password, Phone},
    passwords::Passwords,
    store::IdentityStore,
};

/// The password of every seeded member that has one.
pub const PASSWORD: &str = "Sahm#2026dev";

struct Seeded {
    phone: &'static str,
    status: i32,
    hs_no: Option<&'static str>,
    opened_saudi: bool,
    is_obtain_sns: bool,
    email: Option<&'static str>,
    has_password: bool,
}

const fn applicant(phone: &'static str, status: i32, has_password: bool) -> Seeded {
    Seeded {
        phone,
        status,
        hs_no: None,
        opened_saudi: false,
        is_obtain_sns: false,
        email: None,
        has_password,
    }
}

const fn opened(
    phone: &'static str,
    hs_no: &'static str,
    email: &'static str,
    opened_saudi: bool,
) -> Seeded {
    Seeded {
        phone,
        status: 4,
        hs_no: Some(hs_no),
        opened_saudi,
        is_obtain_sns: opened_saudi,
        email: Some(email),
        has_password: true,
    }
}

const MEMBERS: [Seeded; 7] = [
    applicant("500000001", 0, false),
    applicant("500000002", 1, true),
    applicant("500000003", 2, true),
    applicant("500000004", 3, true),
    applicant("500000005", 5, true),
    opened("500000006", "SA-10000006", "opened@sahm.example", false),
    opened("500000007", "SA-10000007", "saudi@sahm.example", true),
];

/// Creates the members if there are none, and returns whether it did.
pub async fn seed(store: &IdentityStore, now: u32) -> Result<bool> {
    if !store.is_empty().await? {
        return Ok(false);
    }
    let hash = Passwords::start().await.hash(Password::to_set(PASSWORD)?).await?;
    for seeded in &MEMBERS {
        let member = store.sign_up(&Phone::parse("966", seeded.phone)?, now).await?;
        let account_status = AccountStatus {
            status: seeded.status,
            opened: seeded.hs_no.is_some(),
            opened_saudi: seeded.opened_saudi,
            hs_no: seeded.hs_no.map(str::to_owned),
            is_obtain_sns: seeded.is_obtain_sns,
        };
        let email = seeded.email.and_then(Email::parse);
        store.set_account(member.id, AccountChange::replace(account_status, email)).await?;
        if seeded.has_password {
            store.set_password(member.id, None, &hash, None).await?;
        }
    }
    tracing::info!(members = MEMBERS.len(), "identity seeded");
    Ok(true)
}
