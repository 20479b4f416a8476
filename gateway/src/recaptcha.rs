//! Allows pages to load reCAPTCHA where web config has a site key (docs/page-cache.md).

use std::{sync::Arc, time::Duration};

use sahm_chassis::{error::Result, settings::ServiceName};
use sahm_proto::config::v1::{ConfigItem, GetWebConfigRequest};

use crate::{
    http::headers::Protection,
    page_cache::PageCache,
    services::{Services, reading},
};

/// The item of web config.
const SITE_KEY: &str = "RECAPTCHA_SITE_KEY";

/// Interval at which config's log position is compared, and a failed call retried.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Reads web config, and allows reCAPTCHA accordingly.
///
/// # Errors
/// Config does not answer; the former permission stays.
pub(crate) async fn refresh(services: &Services, protection: &Protection) -> Result<()> {
    let request = GetWebConfigRequest { keys: SITE_KEY.to_owned(), ctype: "commons".to_owned() };
    let answer = reading(services.config()?.get_web_config(request)).await?;
    let is_site_key = |item: &ConfigItem| item.key == SITE_KEY && !item.value.is_empty();
    protection.allow_recaptcha(answer.items.iter().any(is_site_key));
    Ok(())
}

/// Refreshes whenever config's change log moves, until the future is dropped. Pages in a CDN have the former policy.
pub(crate) async fn refresh_periodically(
    services: Services,
    cache: PageCache,
    protection: Arc<Protection>,
) {
    let mut refreshed_at = None;
    loop {
        // Read before config, so that a change in between is refreshed the next time.
        let position = cache.position(ServiceName::Config);
        if refreshed_at.as_ref() != Some(&position) {
            let was_allowed = protection.allows_recaptcha();
            match refresh(&services, &protection).await {
                Ok(()) => {
                    if protection.allows_recaptcha() != was_allowed {
                        cache.purge_cdn();
                    }
                    refreshed_at = Some(position);
                }
                Err(error) => tracing::debug!(?error, "reCAPTCHA site key not known"),
            }
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
