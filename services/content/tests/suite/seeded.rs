//! A service that started with an empty database and seeded it.
use std::future::Future;

use sahm_chassis::{
    Context, Error, ErrorCode,
    caller::{self, Caller},
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    service::Service,
};
use sahm_content::{Content, store::ContentStore};
use sahm_proto::content::v1::{
    college_service_client::CollegeServiceClient, draft_service_client::DraftServiceClient,
    flash_news_service_client::FlashNewsServiceClient, help_service_client::HelpServiceClient,
    image_service_client::ImageServiceClient, import_service_client::ImportServiceClient,
    media_service_client::MediaServiceClient, news_service_client::NewsServiceClient,
    news_video_service_client::NewsVideoServiceClient, search_service_client::SearchServiceClient,
    stock_service_client::StockServiceClient,
};
use tonic::Status;

use crate::support::{Base, NOW};

pub(crate) struct Seeded {
    pub(crate) base: Base,
    pub(crate) clock: Clock,
    context: Context,
    transport: Transport,
}

impl Seeded {
    pub(crate) async fn start(base: Base, over_tcp: bool) -> Self {
        Self::start_with(base, &[], over_tcp).await
    }

    /// Starts the service with additional settings.
    pub(crate) async fn start_with(base: Base, pairs: &[(&str, &str)], over_tcp: bool) -> Self {
        let (context, clock) = (base.context_with(pairs), Clock::fixed(NOW));
        let service = Content::start(&context, clock.clone()).await.unwrap();
        let transport = if over_tcp {
            let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            rpc::serve(listener, service, &context);
            Transport::connect(&url, &context)
        } else {
            Transport::local(service.routes)
        };
        Self { base, clock, context, transport }
    }

    /// Another replica on the same database.
    pub(crate) async fn replica(&self) -> Self {
        let context = self.base.context();
        let service = Content::start(&context, self.clock.clone()).await.unwrap();
        let transport = Transport::local(service.routes);
        Self { base: self.base.same(), clock: self.clock.clone(), context, transport }
    }

    pub(crate) async fn store(&self) -> ContentStore {
        self.base.open().await
    }

    pub(crate) fn college(&self) -> CollegeServiceClient<Transport> {
        CollegeServiceClient::new(self.transport.clone())
    }

    pub(crate) fn drafts(&self) -> DraftServiceClient<Transport> {
        DraftServiceClient::new(self.transport.clone())
    }

    pub(crate) fn help(&self) -> HelpServiceClient<Transport> {
        HelpServiceClient::new(self.transport.clone())
    }

    pub(crate) fn search(&self) -> SearchServiceClient<Transport> {
        SearchServiceClient::new(self.transport.clone())
    }

    pub(crate) fn news(&self) -> NewsServiceClient<Transport> {
        NewsServiceClient::new(self.transport.clone())
    }

    pub(crate) fn flash(&self) -> FlashNewsServiceClient<Transport> {
        FlashNewsServiceClient::new(self.transport.clone())
    }

    pub(crate) fn videos(&self) -> NewsVideoServiceClient<Transport> {
        NewsVideoServiceClient::new(self.transport.clone())
    }

    pub(crate) fn images(&self) -> ImageServiceClient<Transport> {
        ImageServiceClient::new(self.transport.clone())
    }

    pub(crate) fn imports(&self) -> ImportServiceClient<Transport> {
        ImportServiceClient::new(self.transport.clone())
    }

    pub(crate) fn stocks(&self) -> StockServiceClient<Transport> {
        StockServiceClient::new(self.transport.clone())
    }

    pub(crate) fn media(&self) -> MediaServiceClient<Transport> {
        MediaServiceClient::new(self.transport.clone())
    }
}

impl Drop for Seeded {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// Runs `work` as a visitor.
pub(crate) async fn visiting<F: Future>(visitor: &str, work: F) -> F::Output {
    let caller = Caller { visitor: Some(visitor.to_owned()), ..Caller::default() };
    caller::with(caller, work).await
}

pub(crate) fn code(status: &Status) -> ErrorCode {
    Error::from(status).code()
}

pub(crate) fn fields(status: &Status) -> Vec<String> {
    Error::from(status).fields().iter().map(|field| field.field.clone()).collect()
}

/// Runs each case in process on SQLite, and over TCP on PostgreSQL, on copies of databases that are seeded once: seeding
/// takes longer than most cases.
#[macro_export]
macro_rules! on_the_seed {
    ($($case:ident),* $(,)?) => {
        mod local {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let base = $crate::support::Base::seeded_sqlite().await;
                super::$case($crate::seeded::Seeded::start(base, false).await).await;
            })*
        }
        mod tcp {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let base = $crate::support::Base::seeded_postgres().await;
                super::$case($crate::seeded::Seeded::start(base, true).await).await;
            })*
        }
    };
}
