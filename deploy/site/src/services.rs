//! The services of the site, started in this process.

use futures_util::future::{BoxFuture, try_join_all};
use sahm_chassis::{lifecycle::Context, rpc::Service, settings::ServiceName};

type Start = fn(&Context) -> BoxFuture<'_, anyhow::Result<Service>>;

/// Each service of this site and how it starts; its program is `sahm-{name}`.
pub const SERVICES: [(ServiceName, Start); 6] = [
    (ServiceName::Content, |context| Box::pin(sahm_content::start(context))),
    (ServiceName::Config, |context| Box::pin(sahm_config::start(context))),
    (ServiceName::Identity, |context| Box::pin(sahm_identity::start(context))),
    (ServiceName::Quotes, |context| Box::pin(sahm_quotes::start(context))),
    (ServiceName::Activity, |context| Box::pin(sahm_activity::start(context))),
    (ServiceName::Attribution, |context| Box::pin(sahm_attribution::start(context))),
];

/// Starts all services beside each other; gives them in the order of [`SERVICES`].
///
/// Errors: the first service that cannot start.
pub async fn start_services(context: &Context) -> anyhow::Result<Vec<Service>> {
    try_join_all(SERVICES.iter().map(|(_, start)| start(context))).await
}
