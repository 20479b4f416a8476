//! Startup of the content service.

use std::{process::ExitCode, sync::Arc, time::Duration};

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    changes::ChangeLog,
    clock::Clock,
    lifecycle::Lifecycle,
    member_data,
    rpc::{self, Builder},
    service::{Seeding, Service},
    session_keys,
    settings::DatabaseUrl,
    store::Store,
};
use sahm_proto::content::v1::{
    college_service_server::CollegeServiceServer, draft_service_server::DraftServiceServer,
    flash_news_service_server::FlashNewsServiceServer, help_service_server::HelpServiceServer,
    image_service_server::ImageServiceServer, import_service_server::ImportServiceServer,
    media_service_server::MediaServiceServer, news_service_server::NewsServiceServer,
    news_video_service_server::NewsVideoServiceServer, search_service_server::SearchServiceServer,
    stock_service_server::StockServiceServer,
};

use crate::{
    cli::{self, Command},
    domain::ArticleSigner,
    providers::Translator,
    rpc::ContentRpc,
    search::Search,
    seed,
    stocks::StockBook,
    store::ContentStore,
};

/// How often expired data of visitors is deleted.
const SWEEP_INTERVAL: Duration = Duration::from_secs(3600);

/// The content service: news, education and help.
#[derive(Debug)]
pub struct Content;

impl Service for Content {
    const NAME: ServiceName = ServiceName::Content;
    const ABOUT: &'static str = "The content service: news, education, help, search";
    type Store = ContentStore;
    type Command = Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<ContentStore>> {
        ContentStore::open(url)
    }

    fn database(store: &ContentStore) -> &Store {
        store.store()
    }

    /// Seeds each kind that has no items and was never seeded.
    fn seed<'a>(
        store: &'a ContentStore,
        _: &'a Settings,
        clock: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async {
            let is_filled = seed::seed(store, clock).await?.added > 0;
            Ok(if is_filled { Seeding::Filled } else { Seeding::NotEmpty })
        })
    }

    fn needs_content(store: &ContentStore) -> BoxFuture<'_, Result<bool>> {
        Box::pin(store.is_empty())
    }

    fn serve(
        store: ContentStore,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(serve(store, context, clock))
    }

    fn run(
        command: Command,
        store: ContentStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        Box::pin(cli::run(command, store))
    }
}

async fn serve(
    store: ContentStore,
    context: &Context,
    clock: Clock,
) -> anyhow::Result<rpc::Service> {
    let changes = ChangeLog::start(store.store().clone(), &context.lifecycle).await?;
    let stocks =
        StockBook::start(store.clone(), changes.clone(), clock.clone(), &context.lifecycle).await?;
    let translator = context.settings.translation.clone().map(Translator::new).transpose()?;
    let signer = ArticleSigner::new(session_keys(&context.settings)?);
    let search = Search::start(store.clone(), changes.clone(), clock.clone(), &context.lifecycle)?;
    spawn_sweep(&store, &clock, &context.lifecycle);
    let member_data = member_data::service(store.clone());
    let log = changes.clone();
    let rpc = Arc::new(ContentRpc { store, log, clock, stocks, search, signer, translator });
    Ok(Builder::new(ServiceName::Content, context)
        .add(NewsServiceServer::from_arc(rpc.clone()))
        .add(member_data)
        .add(DraftServiceServer::from_arc(rpc.clone()))
        .add(FlashNewsServiceServer::from_arc(rpc.clone()))
        .add(NewsVideoServiceServer::from_arc(rpc.clone()))
        .add(ImageServiceServer::from_arc(rpc.clone()))
        .add(StockServiceServer::from_arc(rpc.clone()))
        .add(ImportServiceServer::from_arc(rpc.clone()))
        .add(MediaServiceServer::from_arc(rpc.clone()))
        .add(CollegeServiceServer::from_arc(rpc.clone()))
        .add(HelpServiceServer::from_arc(rpc.clone()))
        .add(SearchServiceServer::from_arc(rpc))
        .add(changes.service())
        .build())
}

fn spawn_sweep(store: &ContentStore, clock: &Clock, lifecycle: &Lifecycle) {
    let (store, clock) = (store.clone(), clock.clone());
    lifecycle.spawn_until_drain("content sweep", async move {
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            match store.sweep(clock.now()).await {
                Ok(deleted) => tracing::debug!(deleted, "expired data of visitors deleted"),
                Err(error) => tracing::warn!(%error, "expired data of visitors not deleted"),
            }
        }
    });
}
