//! Domain types and rules of identity, without tonic, SQL and a clock.

mod account;
mod auth_code;
mod budget;
mod email;
mod feedback;
mod invite_code;
mod member;
mod password;
mod phone;
mod picture;
mod recaptcha;
mod token;

use sahm_chassis::error::{Error, Result};

pub use account::Account;
pub use auth_code::{
    AuthCode, CODE_LIFETIME_SECONDS, CodeHasher, MAX_CODE_ATTEMPTS, RESEND_DELAY_SECONDS, Scene,
};
pub(crate) use budget::network_of;
pub use budget::{Budget, Rule, WindowCounter};
pub use email::Email;
pub use feedback::{Feedback, FeedbackFile, FeedbackHead, Ticket};
pub use invite_code::parse_invite_code;
pub use member::{AccountChange, AccountStatus, Member, action_of};
pub(crate) use password::warm_up;
pub use password::{Password, PasswordHash, PasswordProof};
pub use phone::Phone;
pub use picture::{MAX_FILE_BYTES, PictureKind, validate_picture};
pub use recaptcha::{AUTH_CODE_ACTION, MIN_SCORE, validate_action};
pub(crate) use token::random_name;
pub use token::{SESSION_LIFETIME_SECONDS, SessionToken};

/// Combines the validation of two parts of a request, so that one response names every invalid
/// field.
///
/// # Errors
/// The error of the part that failed; if both failed, the first with the fields of both.
pub(crate) fn both_valid<A, B>(first: Result<A>, second: Result<B>) -> Result<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        (Err(first), Err(second)) => {
            let fields = second.fields().iter();
            Err(fields.fold(first, |error: Error, field| error.and_field(&field.field, &field.why)))
        }
    }
}
