//! A service that was started on an empty database, and so holds the seed.
use std::future::Future;

use sahm_chassis::{
    Context, Error, ErrorCode,
    caller::{self, Caller},
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
};
use sahm_content::{start_at, store::ContentStore};
use sahm_proto::content::v1::{
    college_service_client::CollegeServiceClient, help_service_client::HelpServiceClient,
    search_service_client::SearchServiceClient,
};
use tonic::Status;

use crate::support::{Base, NOW};

pub(crate) struct Seeded {
    pub(crate) base: Base,
    context: Context,
    transport: Transport,
}

impl Seeded {
    pub(crate) async fn start(base: Base, over_tcp: bool) -> Self {
        let context = base.context();
        let service = start_at(&context, Clock::fixed(NOW)).await.unwrap();
        let transport = if over_tcp {
            let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            rpc::serve(listener, service, &context);
            Transport::connect(&url, &context)
        } else {
            Transport::local(service.routes)
        };
        Self { base, context, transport }
    }

    /// Another replica on the same database.
    pub(crate) async fn replica(&self) -> Self {
        let context = self.base.context();
        let service = start_at(&context, Clock::fixed(NOW)).await.unwrap();
        let transport = Transport::local(service.routes);
        Self { base: self.base.same(), context, transport }
    }

    pub(crate) async fn store(&self) -> ContentStore {
        self.base.open().await
    }

    pub(crate) fn college(&self) -> CollegeServiceClient<Transport> {
        CollegeServiceClient::new(self.transport.clone())
    }

    pub(crate) fn help(&self) -> HelpServiceClient<Transport> {
        HelpServiceClient::new(self.transport.clone())
    }

    pub(crate) fn search(&self) -> SearchServiceClient<Transport> {
        SearchServiceClient::new(self.transport.clone())
    }
}

impl Drop for Seeded {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// Does the work as a visitor.
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

/// Runs each case in process on SQLite, and over TCP on PostgreSQL.
#[macro_export]
macro_rules! on_the_seed {
    ($($case:ident),* $(,)?) => {
        mod local {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let base = $crate::support::Base::sqlite();
                super::$case($crate::seeded::Seeded::start(base, false).await).await;
            })*
        }
        mod tcp {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                let base = $crate::support::Base::postgres().await;
                super::$case($crate::seeded::Seeded::start(base, true).await).await;
            })*
        }
    };
}
