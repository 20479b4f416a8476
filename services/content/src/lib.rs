//! News, college and help centre: what the site publishes.
//!
//! `domain` holds the rules, `store` keeps the texts, `import` takes them in from files,
//! `providers` asks others, `rpc` answers callers. [`start`] makes a service of them.

pub mod domain;
mod follow;
pub mod import;
mod providers;
mod rpc;
pub mod search;
mod seed;
mod stocks;
pub mod store;

use sahm_chassis::{
    BoxFuture, Context, ServiceName, Settings, changes::ChangeLog, clock::Clock, lifecycle,
    rpc::Service, session_keys,
};
use sahm_proto::content::v1::{
    college_service_server::CollegeServiceServer, draft_service_server::DraftServiceServer,
    flash_news_service_server::FlashNewsServiceServer, help_service_server::HelpServiceServer,
    image_service_server::ImageServiceServer, import_service_server::ImportServiceServer,
    media_service_server::MediaServiceServer, news_service_server::NewsServiceServer,
    news_video_service_server::NewsVideoServiceServer, search_service_server::SearchServiceServer,
    stock_service_server::StockServiceServer,
};
use store::ContentStore;

/// Starts the service: opens and migrates its store, in `dev` seeds it if it is empty, follows its change
/// log and adds its readiness.
pub fn start(ctx: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    start_at(ctx, Clock::system())
}

/// [`start`] with a clock, by which articles are published.
pub fn start_at(ctx: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(ctx, clock))
}

async fn service(ctx: &Context, clock: Clock) -> anyhow::Result<Service> {
    let store = ContentStore::open(&ctx.settings.database_url(ServiceName::Content)).await?;
    if lifecycle::seeds_at_start(&ctx.settings, ServiceName::Content, store.is_empty().await?) {
        seed::sow(&store, &clock).await?;
    }
    let log = ChangeLog::start(store.store().clone(), &ctx.lifecycle).await?;
    let asked = store.store().clone();
    ctx.lifecycle.add_readiness("content store", move || {
        let store = asked.clone();
        async move { store.ping().await }
    });
    let stocks =
        stocks::StockBook::start(store.clone(), log.clone(), clock.clone(), &ctx.lifecycle).await?;
    let translator =
        ctx.settings.translation.clone().map(providers::Translator::new).transpose()?;
    let reading = rpc::Reading {
        stocks: stocks.clone(),
        signer: domain::ArticleSigner::new(session_keys(&ctx.settings)?),
        translator,
    };
    let news = rpc::NewsCalls::new(store.clone(), log.clone(), clock.clone(), reading);
    let drafts = rpc::DraftCalls::new(store.clone(), clock.clone(), stocks.clone());
    let flash = rpc::FlashCalls::new(store.clone(), log.clone(), clock.clone(), stocks);
    let videos = rpc::VideoCalls::new(store.clone(), log.clone(), clock.clone());
    let images = rpc::ImageCalls::new(store.clone(), log.clone(), clock.clone());
    let listed = rpc::StockCalls::new(store.clone(), clock.clone());
    let search = search::Search::start(store.clone(), log.clone(), clock.clone(), &ctx.lifecycle)?;
    let import = rpc::ImportCalls::new(store.clone(), log.clone(), clock.clone());
    let college = rpc::CollegeCalls::new(store.clone(), log.clone(), clock.clone());
    let help = rpc::HelpCalls::new(store.clone(), log.clone(), clock, search.clone());
    Ok(sahm_chassis::rpc::Builder::new(ServiceName::Content, ctx)
        .add(NewsServiceServer::new(news))
        .add(DraftServiceServer::new(drafts))
        .add(FlashNewsServiceServer::new(flash))
        .add(NewsVideoServiceServer::new(videos))
        .add(ImageServiceServer::new(images))
        .add(StockServiceServer::new(listed))
        .add(ImportServiceServer::new(import))
        .add(CollegeServiceServer::new(college))
        .add(HelpServiceServer::new(help))
        .add(SearchServiceServer::new(rpc::SearchCalls::new(search)))
        .add(MediaServiceServer::new(rpc::MediaCalls::new(store)))
        .add(log.service())
        .build())
}

/// Fills what is empty of the store with samples; false where nothing is.
///
/// # Errors
/// The store does not answer.
pub fn seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<bool>> {
    Box::pin(seed_store(settings))
}

async fn seed_store(settings: &Settings) -> anyhow::Result<bool> {
    let store = ContentStore::open(&settings.database_url(ServiceName::Content)).await?;
    Ok(seed::sow(&store, &Clock::system()).await?.added > 0)
}
