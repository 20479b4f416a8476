//! Startup and background tasks of the attribution service.

use std::{process::ExitCode, sync::Arc};

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName,
    clock::Clock,
    member_data, rpc,
    service::Service,
    settings::{DatabaseUrl, Process},
    store::Store,
};
use sahm_proto::attribution::v1::{
    event_service_server::EventServiceServer,
    event_statistics_service_server::EventStatisticsServiceServer,
    sink_service_server::SinkServiceServer,
};
use tokio::sync::Notify;

use crate::{
    batcher::Batcher,
    cli::{self, Command},
    delivery::Delivery,
    member_data::EventMemberData,
    metrics, retention,
    rpc::{EventRpc, SinkRpc},
    spool::{self, Spool},
    store::EventStore,
};

/// The attribution service: accepts events and delivers them to sinks.
#[derive(Debug)]
pub struct Attribution;

impl Service for Attribution {
    const NAME: ServiceName = ServiceName::Attribution;
    const ABOUT: &'static str =
        "The attribution service: event intake, counts and delivery to sinks";
    type Store = EventStore;
    type Command = Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<EventStore>> {
        EventStore::open(url)
    }

    fn database(store: &EventStore) -> &Store {
        store.inner()
    }

    fn serve(
        store: EventStore,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(serve(store, context, clock))
    }

    fn run(
        command: Command,
        store: EventStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        Box::pin(cli::run(command, store))
    }
}

async fn serve(store: EventStore, context: &Context, clock: Clock) -> anyhow::Result<rpc::Service> {
    let settings = &context.settings;
    let lifecycle = &context.lifecycle;
    let spool = match settings.process {
        // A separately deployed service has replicas and no volume, so it has no spool.
        Process::Site => Some(Arc::new(Spool::open(&settings.data_dir)?)),
        _ => None,
    };
    if let Some(spool) = &spool {
        metrics::export_spool(spool);
        let drain = spool::drain_periodically(spool.clone(), store.clone());
        lifecycle.spawn_until_drain("event spool", drain);
    }
    let committed = Arc::new(Notify::new());
    let sinks = &settings.attribution.sinks;
    for sink in sinks {
        store.add_sink(&sink.name).await?;
        let (store, committed) = (store.clone(), committed.clone());
        let endpoint = sink.endpoint.clone();
        let (clock, name) = (clock.clone(), &sink.name);
        let delivery = Delivery::new(store, clock, name, endpoint, committed, lifecycle)?;
        lifecycle.spawn("event delivery", delivery.run());
    }
    let sink_metrics = metrics::Sinks::exported_as(sinks.iter().map(|sink| &*sink.name));
    lifecycle.spawn_until_drain("sink metrics", sink_metrics.refresh_periodically(store.clone()));

    let member_data =
        member_data::service(EventMemberData { store: store.clone(), spool: spool.clone() });
    let batcher = Batcher::start(store.clone(), spool, committed.clone());
    let names = sinks.iter().map(|sink| sink.name.clone()).collect::<Vec<_>>();
    let retention = settings.attribution.retention;
    let removal = retention::run(store.clone(), clock.clone(), retention, names.clone());
    lifecycle.spawn_until_drain("event retention", removal);
    let events = EventRpc { batcher, store: store.clone(), clock };
    let statistics = EventStatisticsServiceServer::new(store.clone());
    let sinks = SinkRpc { store, configured: names, changed: committed };
    Ok(rpc::Builder::new(ServiceName::Attribution, context)
        .add(EventServiceServer::new(events))
        .add(statistics)
        .add(member_data)
        .add(SinkServiceServer::new(sinks))
        .build())
}
