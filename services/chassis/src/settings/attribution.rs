//! Settings of the attribution service: the sinks and the retention of events.
use std::time::Duration;

use super::{
    reader::Reader,
    values::{Endpoint, Secret, is_provider_url},
};

const SINKS: &str = "SAHM_ATTRIBUTION_SINKS";
const TOKENS: &str = "SAHM_ATTRIBUTION_SINK_TOKENS";
const DEFAULT_RETENTION_DAYS: u32 = 90;
/// Event ids are deduplicated for 48 hours against the stored events.
const MIN_RETENTION_DAYS: u32 = 3;
const MAX_RETENTION_DAYS: u32 = 3_650;

/// The attribution service's settings.
#[derive(Clone, Debug)]
pub struct AttributionSettings {
    /// The receivers of events; empty: events are only counted.
    pub sinks: Vec<SinkSettings>,
    /// The age at which events are deleted.
    pub retention: Duration,
}

/// A receiver of events.
#[derive(Clone, Debug)]
pub struct SinkSettings {
    /// Its name in the store: `[a-z0-9-]{1,40}`.
    pub name: String,
    /// Its URL and token.
    pub endpoint: Endpoint,
}

impl AttributionSettings {
    pub(super) fn read(r: &mut Reader) -> AttributionSettings {
        let tokens = r.list(TOKENS, "a list of name=token, each name a sink", |item| {
            item.split_once('=')
                .filter(|(name, token)| is_name(name) && !token.is_empty())
                .map(|(name, token)| (name.to_owned(), Secret::new(token.to_owned())))
        });
        let sinks = r.list(SINKS, "a list of name=URL, names of a-z, 0-9 and -", |item| {
            let (name, url) = item.split_once('=')?;
            let token = tokens.iter().find(|(of, _)| of == name).map(|(_, token)| token.clone());
            (is_name(name) && is_provider_url(url)).then(|| SinkSettings {
                name: name.to_owned(),
                endpoint: Endpoint { url: url.to_owned(), token },
            })
        });
        let known = |name: &String| sinks.iter().filter(|sink| sink.name == *name).count();
        if sinks.iter().any(|sink| known(&sink.name) > 1) {
            r.invalid(SINKS, "a list of names that differ");
        }
        if !r.is_faulty(SINKS) && tokens.iter().any(|(name, _)| known(name) == 0) {
            r.invalid(TOKENS, "a list of name=token, each name a sink");
        }
        let retention = r.days(
            "SAHM_ATTRIBUTION_RETENTION_DAYS",
            DEFAULT_RETENTION_DAYS,
            MIN_RETENTION_DAYS..=MAX_RETENTION_DAYS,
        );
        AttributionSettings { sinks, retention }
    }
}

fn is_name(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&text.len()) && text.bytes().all(fits)
}
