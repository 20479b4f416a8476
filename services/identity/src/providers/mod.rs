//! Clients of external providers, and their local substitutes in a default install.

mod recaptcha;
mod sms;
mod tadawul;

pub use recaptcha::{Recaptcha, SiteHosts};
pub use sms::{Sms, TextMessage};
pub use tadawul::Tadawul;

use std::time::Duration;

use sahm_chassis::{
    outbound::Outbound,
    settings::{Endpoint, Environment, Settings},
};

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
    /// The providers of the settings.
    ///
    /// # Errors
    /// A setting is missing where a local substitute is not allowed; the error names it in one
    /// line.
    pub fn new(settings: &Settings) -> anyhow::Result<Providers> {
        let environment = settings.environment;
        let (sms, recaptcha, tadawul) = (
            chosen("SAHM_SMS_URL", &settings.identity.sms, environment)?,
            chosen("SAHM_RECAPTCHA_URL", &settings.identity.recaptcha, environment)?,
            chosen("SAHM_TADAWUL_URL", &settings.identity.tadawul, environment)?,
        );
        Ok(Providers {
            sms: match sms {
                Some(endpoint) => Sms::http(client("sms")?, endpoint),
                None => Sms::local(&settings.data_dir),
            },
            recaptcha: match recaptcha {
                Some(endpoint) => {
                    Recaptcha::http(client("recaptcha")?, endpoint, SiteHosts::new(settings))
                }
                None => Recaptcha::Local,
            },
            tadawul: match tadawul {
                Some(endpoint) => Tadawul::http(client("tadawul")?, endpoint),
                None => Tadawul::local(&settings.public_url),
            },
        })
    }
}

fn client(provider: &str) -> anyhow::Result<Outbound> {
    Outbound::new(provider, PROVIDER_TIMEOUT)
}

fn chosen(
    name: &str,
    endpoint: &Option<Endpoint>,
    environment: Environment,
) -> anyhow::Result<Option<Endpoint>> {
    let is_public = matches!(environment, Environment::Pre | Environment::Prod);
    anyhow::ensure!(
        endpoint.is_some() || !is_public,
        "{name}: required in {environment}, where the local provider does not start"
    );
    Ok(endpoint.clone())
}
