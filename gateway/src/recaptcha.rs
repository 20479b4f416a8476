//! Allows pages to load reCAPTCHA if web config has a site key (docs/page-cache.md).

use sahm_chassis::error::Result;
use sahm_proto::config::v1::{ConfigItem, GetWebConfigRequest};

use crate::{
    http::headers::SecurityHeaders,
    services::{Services, reading},
};

/// Key of the item in web config.
const SITE_KEY: &str = "RECAPTCHA_SITE_KEY";

/// Reads web config, and allows reCAPTCHA accordingly.
///
/// # Errors
/// Config does not respond; the permission stays unchanged.
pub(crate) async fn refresh(services: &Services, security_headers: &SecurityHeaders) -> Result<()> {
    let request = GetWebConfigRequest { keys: SITE_KEY.to_owned(), ctype: "commons".to_owned() };
    let response = reading(services.config()?.get_web_config(request)).await?;
    let is_site_key = |item: &ConfigItem| item.key == SITE_KEY && !item.value.is_empty();
    security_headers.allow_recaptcha(response.items.iter().any(is_site_key));
    Ok(())
}
