//! Machine translation over HTTP.
//!
//! A request is a POST of the JSON `{"source": "en-us", "target": "ar-sa", "format": "html",
//! "texts": [title, summary, body]}`, with `authorization: Bearer …` if a token is set. The
//! response is `{"texts": [title, summary, body]}`. Title and summary are plain text; the body is
//! HTML and is sanitised.
use std::{sync::Arc, time::Duration};

use anyhow::Context;
use quick_cache::sync::Cache;
use sahm_chassis::{Error, Result, outbound::Outbound, settings::Endpoint};
use serde::Deserialize;
use serde_json::json;

use crate::{
    domain::{Entry, Locale},
    import,
};

/// Timeout of a request to the provider, within the eight seconds of an API call.
const TIMEOUT: Duration = Duration::from_secs(6);
const MAX_CACHED: usize = 1_000;

/// Translates articles and caches the translations.
pub(crate) struct Translator {
    endpoint: Endpoint,
    outbound: Outbound,
    cache: Cache<(u64, Locale, u32), Arc<Translated>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Translated {
    pub(crate) title: String,
    pub(crate) summary: String,
    /// Sanitised.
    pub(crate) body_html: String,
}

#[derive(Deserialize)]
struct TranslationResponse {
    texts: Vec<String>,
}

impl Translator {
    /// Creates a translator that uses this endpoint.
    ///
    /// # Errors
    /// The system's root certificates cannot be read.
    pub(crate) fn new(endpoint: Endpoint) -> anyhow::Result<Self> {
        let outbound = Outbound::new("translation", TIMEOUT)?;
        Ok(Self { endpoint, outbound, cache: Cache::new(MAX_CACHED) })
    }

    /// Translates a text, which was last changed at `updated_at`.
    ///
    /// # Errors
    /// `Unavailable` if the provider fails or its response is malformed.
    pub(crate) async fn translate(
        &self,
        entry: &Entry,
        updated_at: u32,
        target: Locale,
    ) -> Result<Arc<Translated>> {
        let key = (entry.id, target, updated_at);
        // Single-flight: concurrent requests for a translation share one call.
        let translating =
            async { self.request(entry, target).await.map(Arc::new).map_err(Error::unavailable) };
        self.cache.get_or_insert_async(&key, translating).await
    }

    async fn request(&self, entry: &Entry, target: Locale) -> anyhow::Result<Translated> {
        let text = entry.text().context("has no text")?;
        let requested = json!({
            "source": entry.locale.map_or("", Locale::as_str),
            "target": target.as_str(),
            "format": "html",
            "texts": [text.title, text.summary, entry.body_html],
        });
        let response = self.outbound.post_json(&self.endpoint, &requested).await?;
        let texts = <[String; 3]>::try_from(response.json::<TranslationResponse>()?.texts);
        let Ok([title, summary, body]) = texts else {
            anyhow::bail!("the provider did not return three texts");
        };
        let translated = Translated {
            title: one_line(&title),
            summary: one_line(&summary),
            body_html: import::translated(&body, &entry.body_html),
        };
        let empty = translated.title.is_empty() || translated.body_html.trim().is_empty();
        anyhow::ensure!(!empty, "the provider returned empty texts");
        Ok(translated)
    }
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !c.is_control()).collect()
}
