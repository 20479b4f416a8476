//! How the content service starts.

use std::process::ExitCode;

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    changes::ChangeLog,
    clock::Clock,
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
    rpc::{
        CollegeCalls, DraftCalls, FlashCalls, HelpCalls, ImageCalls, ImportCalls, MediaCalls,
        NewsCalls, Reading, SearchCalls, StockCalls, VideoCalls,
    },
    search::Search,
    seed,
    stocks::StockBook,
    store::ContentStore,
};

/// The content service.
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

    /// Fills each kind of which the store holds nothing and never held a sample.
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
    let reading = Reading {
        stocks: stocks.clone(),
        signer: ArticleSigner::new(session_keys(&context.settings)?),
        translator,
    };
    let news = NewsCalls::new(store.clone(), changes.clone(), clock.clone(), reading);
    let drafts = DraftCalls::new(store.clone(), clock.clone(), stocks.clone());
    let flash = FlashCalls::new(store.clone(), changes.clone(), clock.clone(), stocks);
    let videos = VideoCalls::new(store.clone(), changes.clone(), clock.clone());
    let images = ImageCalls::new(store.clone(), changes.clone(), clock.clone());
    let listed = StockCalls::new(store.clone(), clock.clone());
    let search = Search::start(store.clone(), changes.clone(), clock.clone(), &context.lifecycle)?;
    let import = ImportCalls::new(store.clone(), changes.clone(), clock.clone());
    let college = CollegeCalls::new(store.clone(), changes.clone(), clock.clone());
    let help = HelpCalls::new(store.clone(), changes.clone(), clock, search.clone());
    Ok(Builder::new(ServiceName::Content, context)
        .add(NewsServiceServer::new(news))
        .add(DraftServiceServer::new(drafts))
        .add(FlashNewsServiceServer::new(flash))
        .add(NewsVideoServiceServer::new(videos))
        .add(ImageServiceServer::new(images))
        .add(StockServiceServer::new(listed))
        .add(ImportServiceServer::new(import))
        .add(CollegeServiceServer::new(college))
        .add(HelpServiceServer::new(help))
        .add(SearchServiceServer::new(SearchCalls::new(search)))
        .add(MediaServiceServer::new(MediaCalls::new(store)))
        .add(changes.service())
        .build())
}
