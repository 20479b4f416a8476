//! Keeps the gateway's own configuration up to date: the switches, and whether pages may load reCAPTCHA.

use std::{sync::Arc, time::Duration};

use sahm_chassis::{error::Result, settings::ServiceName};

use crate::{
    http::headers::SecurityHeaders, page_cache::PageCache, recaptcha, services::Services,
    switches::Switches,
};

/// Interval at which config's log position is polled and failed calls are retried. Including the delay of the log, a
/// change arrives within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct ConfigRefresh {
    pub(crate) services: Services,
    pub(crate) switches: Switches,
    pub(crate) security_headers: Arc<SecurityHeaders>,
}

impl ConfigRefresh {
    /// Reads config.
    ///
    /// # Errors
    /// Config does not respond. Values that could not be read stay unchanged.
    pub(crate) async fn refresh(&self) -> Result<()> {
        let (switches, recaptcha) = tokio::join!(
            self.switches.refresh(&self.services),
            recaptcha::refresh(&self.services, &self.security_headers),
        );
        switches.and(recaptcha)
    }

    /// Refreshes whenever config's change log advances, until the future is dropped.
    pub(crate) async fn run(self, cache: PageCache) {
        let mut refreshed_at = None;
        loop {
            // Read before config, so that a change in between is refreshed the next time.
            let position = cache.position(ServiceName::Config);
            if refreshed_at.as_ref() != Some(&position) {
                let allowed_recaptcha = self.security_headers.allows_recaptcha();
                let was_in_maintenance = self.switches.is_in_maintenance();
                match self.refresh().await {
                    Ok(()) => refreshed_at = Some(position),
                    Err(error) => tracing::debug!(?error, "config not read"),
                }
                // The CDN would still serve pages with the previous security policy, or pages instead of the
                // maintenance page.
                if self.security_headers.allows_recaptcha() != allowed_recaptcha
                    || self.switches.is_in_maintenance() && !was_in_maintenance
                {
                    cache.purge_cdn();
                }
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}
