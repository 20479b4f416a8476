//! Keeps the gateway's own configuration up to date: the switches, and whether pages may load reCAPTCHA.

use std::{sync::Arc, time::Duration};

use sahm_chassis::{error::Result, settings::ServiceName};
use sahm_proto::config::v1::{ConfigItem, GetWebConfigRequest};

use crate::{
    http::headers::SecurityHeaders, page_cache::PageCache, services::Services, switches::Switches,
};

/// Interval at which config's log position is polled and failed calls are retried. Including the delay of the log, a
/// change arrives within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Key of reCAPTCHA's item in web config.
const SITE_KEY: &str = "RECAPTCHA_SITE_KEY";

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
        let (switches, recaptcha) =
            tokio::join!(self.switches.refresh(&self.services), self.refresh_recaptcha(),);
        switches.and(recaptcha)
    }

    /// Allows pages to load reCAPTCHA if web config has a site key (docs/page-cache.md).
    async fn refresh_recaptcha(&self) -> Result<()> {
        let (keys, ctype) = (SITE_KEY.to_owned(), "commons".to_owned());
        let request = GetWebConfigRequest { keys, ctype };
        let response = self.services.read(request).await?;
        let is_site_key = |item: &ConfigItem| item.key == SITE_KEY && !item.value.is_empty();
        self.security_headers.allow_recaptcha(response.items.iter().any(is_site_key));
        Ok(())
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
