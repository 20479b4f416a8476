//! Plain rules of identity: no tonic, no SQL, no clock of their own.

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

pub use account::Account;
pub use auth_code::{AuthCode, CODE_LIFE, CODE_TRIES, CodeHasher, RESEND_AFTER, Scene};
pub use budget::{Budget, Rule, Tally};
pub use email::Email;
pub use feedback::{Feedback, FeedbackFile, FeedbackHead, Ticket};
pub use invite_code::InviteCode;
pub(crate) use member::told_email;
pub use member::{Member, Standing, action_of};
pub(crate) use password::warm_up;
pub use password::{Password, PasswordHash};
pub use phone::Phone;
pub use picture::{FILE_MAX, PictureKind, judge};
pub use recaptcha::{RecaptchaAction, SCORE_NEEDED};
pub(crate) use token::random_name;
pub use token::{SESSION_LIFE, SessionToken};
