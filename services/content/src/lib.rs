//! News, college and help centre: what the site publishes.
//!
//! `domain` holds the rules, `store` keeps the texts, `import` takes them in from files, `rpc`
//! answers callers. [`start`] makes a service of them.

pub mod domain;
pub mod import;
mod rpc;
pub mod search;
mod seed;
pub mod store;

use sahm_chassis::{Context, ServiceName, changes::ChangeLog, clock::Clock, rpc::Service};
use sahm_proto::content::v1::{
    college_service_server::CollegeServiceServer, help_service_server::HelpServiceServer,
    media_service_server::MediaServiceServer, news_service_server::NewsServiceServer,
    search_service_server::SearchServiceServer,
};
use store::ContentStore;

/// Starts the service: opens and migrates its store, seeds it if it is empty, follows its change
/// log and adds its readiness.
pub async fn start(ctx: &Context) -> anyhow::Result<Service> {
    start_at(ctx, Clock::system()).await
}

/// [`start`] with a clock, by which articles are published.
pub async fn start_at(ctx: &Context, clock: Clock) -> anyhow::Result<Service> {
    let store = ContentStore::open(&ctx.settings.database_url(ServiceName::Content)).await?;
    seed::sow(&store, &clock).await?;
    let log = ChangeLog::start(store.store().clone(), &ctx.lifecycle).await?;
    let asked = store.store().clone();
    ctx.lifecycle.add_readiness("content store", move || {
        let store = asked.clone();
        async move { store.ping().await }
    });
    let search = search::Search::start(store.clone(), log.clone(), clock.clone(), &ctx.lifecycle)?;
    let college = rpc::CollegeCalls::new(store.clone(), log.clone(), clock.clone());
    let help = rpc::HelpCalls::new(store.clone(), log.clone(), clock.clone(), search.clone());
    Ok(sahm_chassis::rpc::Builder::new(ServiceName::Content, ctx)
        .add(NewsServiceServer::new(rpc::NewsCalls::new(store.clone(), log.clone(), clock)))
        .add(CollegeServiceServer::new(college))
        .add(HelpServiceServer::new(help))
        .add(SearchServiceServer::new(rpc::SearchCalls::new(search)))
        .add(MediaServiceServer::new(rpc::MediaCalls::new(store)))
        .add(log.service())
        .build())
}
