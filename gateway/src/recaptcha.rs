//! Whether web config names this site at reCAPTCHA: only then may pages load it (docs/page-cache.md).

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

/// How often it is looked whether config has changed, and asked again where it did not answer.
const LOOK: Duration = Duration::from_secs(1);

/// Asks config, and lets pages load reCAPTCHA accordingly.
///
/// Errors: config does not answer; what was allowed stays.
pub(crate) async fn judge(services: &Services, protection: &Protection) -> Result<()> {
    let request = GetWebConfigRequest { keys: SITE_KEY.to_owned(), ctype: "commons".to_owned() };
    let answer = reading(services.config()?.get_web_config(request)).await?;
    let names_this_site = |item: &ConfigItem| item.key == SITE_KEY && !item.value.is_empty();
    protection.allow_recaptcha(answer.items.iter().any(names_this_site));
    Ok(())
}

/// Asks again whenever config's change log says that something has changed, until it is dropped.
pub(crate) async fn refresh_periodically(
    services: Services,
    cache: PageCache,
    protection: Arc<Protection>,
) {
    let mut judged_at = None;
    loop {
        // Read before config is: what changes in between is asked for the next time.
        let position = cache.position(ServiceName::Config);
        if judged_at.as_ref() != Some(&position) {
            match judge(&services, &protection).await {
                Ok(()) => judged_at = Some(position),
                Err(error) => tracing::debug!(?error, "reCAPTCHA's site key not known"),
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}
