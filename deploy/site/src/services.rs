//! The services of the site, started in this process.

use anyhow::Context as _;
use futures_util::future::{BoxFuture, try_join_all};
use sahm_activity::Activity;
use sahm_attribution::Attribution;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc,
    service::{Seeding, Service as _},
    settings::{ServiceName, Settings},
};
use sahm_config::Config;
use sahm_content::Content;
use sahm_identity::Identity;
use sahm_quotes::Quotes;

type Start = fn(&Context, Clock) -> BoxFuture<'_, anyhow::Result<rpc::Service>>;

/// Each service of this site and how it starts; its program is `sahm-{name}`.
pub const SERVICES: [(ServiceName, Start); 6] = [
    (ServiceName::Content, Content::start),
    (ServiceName::Config, Config::start),
    (ServiceName::Identity, Identity::start),
    (ServiceName::Quotes, Quotes::start),
    (ServiceName::Activity, Activity::start),
    (ServiceName::Attribution, Attribution::start),
];

type Seed = fn(&Settings) -> BoxFuture<'_, anyhow::Result<Seeding>>;

/// The services that have sample content.
const SEEDS: [(ServiceName, Seed); 5] = [
    (ServiceName::Content, Content::open_and_seed),
    (ServiceName::Config, Config::open_and_seed),
    (ServiceName::Quotes, Quotes::open_and_seed),
    (ServiceName::Activity, Activity::open_and_seed),
    (ServiceName::Identity, Identity::open_and_seed),
];

/// Seeds the empty stores with samples, in `pre` and `prod` without members; returns the output of
/// the command `seed`.
///
/// # Errors
/// A store is unavailable.
pub async fn seed(settings: &Settings) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for (name, seed) in SEEDS {
        lines.push(if name == ServiceName::Identity && settings.is_public() {
            format!("{name}: no sample members in {}", settings.environment)
        } else {
            let seeding = seed(settings).await.with_context(|| name.to_string())?;
            format!("{name}: {}", seeding.as_str())
        });
    }
    Ok(lines.join("\n"))
}

/// Starts all services concurrently; returns them in the order of [`SERVICES`].
///
/// # Errors
/// A service cannot start.
pub async fn start_services(context: &Context) -> anyhow::Result<Vec<rpc::Service>> {
    try_join_all(SERVICES.iter().map(|(_, start)| start(context, Clock::system()))).await
}
