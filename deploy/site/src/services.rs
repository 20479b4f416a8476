//! The services of the site, started in this process.

use anyhow::Context as _;
use futures_util::future::{BoxFuture, try_join_all};
use sahm_chassis::{
    lifecycle::{self, Context},
    rpc::Service,
    settings::{Environment, ServiceName, Settings},
};

type Start = fn(&Context) -> BoxFuture<'_, anyhow::Result<Service>>;

/// Each service of this site and how it starts; its program is `sahm-{name}`.
pub const SERVICES: [(ServiceName, Start); 6] = [
    (ServiceName::Content, sahm_content::start),
    (ServiceName::Config, sahm_config::start),
    (ServiceName::Identity, sahm_identity::start),
    (ServiceName::Quotes, sahm_quotes::start),
    (ServiceName::Activity, sahm_activity::start),
    (ServiceName::Attribution, sahm_attribution::start),
];

type Seed = fn(&Settings) -> BoxFuture<'_, anyhow::Result<bool>>;

/// The services that have samples.
const SEEDS: [(ServiceName, Seed); 5] = [
    (ServiceName::Content, sahm_content::seed),
    (ServiceName::Config, sahm_config::seed),
    (ServiceName::Quotes, sahm_quotes::seed),
    (ServiceName::Activity, sahm_activity::seed),
    (ServiceName::Identity, sahm_identity::seed),
];

/// Fills the empty stores with samples, in `pre` and `prod` without members; gives what the command
/// `seed` prints.
///
/// # Errors
/// The first store that does not answer.
pub async fn seed(settings: &Settings) -> anyhow::Result<String> {
    let is_public = matches!(settings.environment, Environment::Pre | Environment::Prod);
    let mut said = Vec::new();
    for (name, seed) in SEEDS {
        said.push(if name == ServiceName::Identity && is_public {
            format!("{name}: no sample members in {}", settings.environment)
        } else {
            let is_seeded = seed(settings).await.with_context(|| name.to_string())?;
            let outcome = if is_seeded { lifecycle::SEEDED } else { lifecycle::NOT_SEEDED };
            format!("{name}: {outcome}")
        });
    }
    Ok(said.join("\n"))
}

/// Starts all services beside each other; gives them in the order of [`SERVICES`].
///
/// Errors: the first service that cannot start.
pub async fn start_services(context: &Context) -> anyhow::Result<Vec<Service>> {
    try_join_all(SERVICES.iter().map(|(_, start)| start(context))).await
}
