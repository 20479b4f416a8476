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
    /// Number and email of an opened account.
    opened: Option<(&'static str, &'static str)>,
    opened_saudi: bool,
}

const fn applicant(phone: &'static str, status: i32) -> Seeded {
    Seeded { phone, status, opened: None, opened_saudi: false }
}

/// Those from status 1 on have a password.
const MEMBERS: [Seeded; 7] = [
    applicant("500000001", 0),
    applicant("500000002", 1),
    applicant("500000003", 2),
    applicant("500000004", 3),
    applicant("500000005", 5),
    Seeded {
        phone: "500000006",
        status: 4,
        opened: Some(("SA-10000006", "opened@sahm.example")),
        opened_saudi: false,
    },
    Seeded {
        phone: "500000007",
        status: 4,
        opened: Some(("SA-10000007", "saudi@sahm.example")),
        opened_saudi: true,
    },
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
            opened: seeded.opened.is_some(),
            opened_saudi: seeded.opened_saudi,
            hs_no: seeded.opened.map(|(number, _)| number.to_owned()),
            is_obtain_sns: seeded.opened_saudi,
        };
        let email = seeded.opened.and_then(|(_, email)| Email::parse(email));
        store.set_account(member.id, AccountChange::replace(account_status, email)).await?;
        if seeded.status > 0 {
            store.set_password(member.id, None, &hash, None).await?;
        }
    }
    tracing::info!(members = MEMBERS.len(), "identity seeded");
    Ok(true)
}
