//! Settings of the identity service: its providers.
use super::{
    endpoint::{Endpoint, endpoint},
    reader::Reader,
};

/// The identity service's providers; an unset one is the local one.
#[derive(Clone, Debug)]
pub struct IdentitySettings {
    /// Sends text messages.
    pub sms: Option<Endpoint>,
    /// Judges reCAPTCHA tokens.
    pub recaptcha: Option<Endpoint>,
    /// Logs members in to Tadawul.
    pub tadawul: Option<Endpoint>,
}

impl IdentitySettings {
    pub(super) fn read(r: &mut Reader) -> IdentitySettings {
        IdentitySettings {
            sms: endpoint(r, "SAHM_SMS_URL", "SAHM_SMS_TOKEN"),
            recaptcha: endpoint(r, "SAHM_RECAPTCHA_URL", "SAHM_RECAPTCHA_SECRET"),
            tadawul: endpoint(r, "SAHM_TADAWUL_URL", "SAHM_TADAWUL_TOKEN"),
        }
    }
}
