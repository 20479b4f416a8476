//! Clients of external providers, and their local substitutes in a default install.

mod recaptcha;
mod sms;
mod tadawul;

pub use recaptcha::{Recaptcha, SiteHosts};
pub use sms::{Sms, TextMessage};
pub use tadawul::Tadawul;

use std::time::Duration;

use sahm_chassis::{outbound::Outbound, settings::Settings};

/// Shorter than the 8 s timeout of our own calls.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(5);

/// The providers of this install.
#[derive(Clone, Debug)]
pub struct Providers {
    /// Sends text messages.
    pub sms: Sms,
    /// Verifies reCAPTCHA tokens.
    pub recaptcha: Recaptcha,
    /// Logs members in to Tadawul.
    pub tadawul: Tadawul,
}

impl Providers {
    /// The providers of the settings. Those that are not set are local substitutes.
    ///
    /// # Errors
    /// The system's root certificates cannot be read.
    pub fn new(settings: &Settings) -> anyhow::Result<Providers> {
        let identity = settings.identity.clone();
        Ok(Providers {
            sms: match identity.sms {
                Some(endpoint) => Sms::Http(Box::new((client("sms")?, endpoint))),
                None => Sms::Local(settings.data_dir.join("outbox").join("sms.jsonl")),
            },
            recaptcha: match identity.recaptcha {
                Some(endpoint) => {
                    let (client, hosts) = (client("recaptcha")?, SiteHosts::new(settings));
                    Recaptcha::Http(Box::new((client, endpoint, hosts)))
                }
                None => Recaptcha::Local,
            },
            tadawul: match identity.tadawul {
                Some(endpoint) => Tadawul::Http(Box::new((client("tadawul")?, endpoint))),
                None => Tadawul::Local(settings.public_url.clone()),
            },
        })
    }
}

fn client(provider: &str) -> anyhow::Result<Outbound> {
    Outbound::new(provider, PROVIDER_TIMEOUT)
}
