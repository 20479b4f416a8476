//! Settings of the identity service: its providers and the retention of feedback.
use std::time::Duration;

use super::{
    reader::Reader,
    values::{Endpoint, endpoint},
};

/// Ten years with three leap days, as the privacy policy says.
const DEFAULT_FEEDBACK_RETENTION_DAYS: u32 = 3_653;
/// A complaint is resolved within 20 business days.
const MIN_FEEDBACK_RETENTION_DAYS: u32 = 30;
const MAX_FEEDBACK_RETENTION_DAYS: u32 = 7_305;

/// The identity service's settings; an unset provider is replaced by its local substitute.
#[derive(Clone, Debug)]
pub struct IdentitySettings {
    /// Sends text messages.
    pub sms: Option<Endpoint>,
    /// Verifies reCAPTCHA tokens.
    pub recaptcha: Option<Endpoint>,
    /// Logs members in to Tadawul.
    pub tadawul: Option<Endpoint>,
    /// The age at which feedback is deleted with its files.
    pub feedback_retention: Duration,
}

impl IdentitySettings {
    pub(super) fn read(r: &mut Reader) -> IdentitySettings {
        IdentitySettings {
            sms: endpoint(r, "SAHM_SMS_URL", "SAHM_SMS_TOKEN"),
            recaptcha: endpoint(r, "SAHM_RECAPTCHA_URL", "SAHM_RECAPTCHA_SECRET"),
            tadawul: endpoint(r, "SAHM_TADAWUL_URL", "SAHM_TADAWUL_TOKEN"),
            feedback_retention: r.days(
                "SAHM_FEEDBACK_RETENTION_DAYS",
                DEFAULT_FEEDBACK_RETENTION_DAYS,
                MIN_FEEDBACK_RETENTION_DAYS..=MAX_FEEDBACK_RETENTION_DAYS,
            ),
        }
    }
}
