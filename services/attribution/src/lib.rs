//! The attribution service: event reports, accepted once and only when they are durable, counted,
//! and handed on to sinks outside.

pub mod delivery;
pub mod domain;
pub mod figures;
pub mod inbox;
pub mod retention;
mod rpc;
pub mod spool;
pub mod store;

use std::sync::Arc;

use sahm_chassis::{
    BoxFuture,
    clock::Clock,
    lifecycle::Context,
    rpc::{Builder, Service},
    settings::{Process, ServiceName},
};
use sahm_proto::attribution::v1::{
    event_service_server::EventServiceServer,
    event_statistics_service_server::EventStatisticsServiceServer,
    sink_service_server::SinkServiceServer,
};
use tokio::sync::Notify;

use store::EventStore;

/// Opens and migrates the store, starts what writes and what delivers, and gives the service.
pub fn start(context: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    start_with(context, Clock::system())
}

/// As [`start`], by a clock.
pub fn start_with(context: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(context, clock))
}

async fn service(context: &Context, clock: Clock) -> anyhow::Result<Service> {
    let settings = &context.settings;
    let store = EventStore::open(&settings.database_url(ServiceName::Attribution)).await?;
    let ready = store.inner().clone();
    context.lifecycle.add_readiness("attribution store", move || {
        let store = ready.clone();
        async move { store.ping().await }
    });

    let spool = match settings.process {
        // Services by themselves have replicas instead, and no volume.
        Process::Site => Some(Arc::new(spool::Spool::open(&settings.data_dir)?)),
        _ => None,
    };
    if let Some(spool) = &spool {
        figures::show_spool(spool);
        let follow = spool::follow(spool.clone(), store.clone());
        context.lifecycle.spawn_until_drain("event spool", follow);
    }
    let committed = Arc::new(Notify::new());
    let sinks = &settings.attribution.sinks;
    for sink in sinks {
        store.add_sink(&sink.name).await?;
        let (store, committed) = (store.clone(), committed.clone());
        let endpoint = sink.endpoint.clone();
        let delivery =
            delivery::Delivery::new(store, clock.clone(), &sink.name, endpoint, committed)?;
        context.lifecycle.spawn_until_drain("event delivery", delivery.run());
    }
    let shown = figures::Sinks::shown(sinks.iter().map(|sink| &*sink.name));
    context.lifecycle.spawn_until_drain("sink figures", shown.follow(store.clone()));

    let inbox = inbox::Inbox::start(store.clone(), spool, committed.clone());
    let names = sinks.iter().map(|sink| sink.name.clone()).collect::<Vec<_>>();
    let retention = settings.attribution.retention;
    let removal = retention::run(store.clone(), clock.clone(), retention, names.clone());
    context.lifecycle.spawn_until_drain("event retention", removal);
    let events = rpc::EventCalls::new(inbox, store.clone(), clock);
    Ok(Builder::new(ServiceName::Attribution, context)
        .add(EventServiceServer::new(events))
        .add(EventStatisticsServiceServer::new(rpc::StatisticsCalls::new(store.clone())))
        .add(SinkServiceServer::new(rpc::SinkCalls::new(store, names, committed)))
        .build())
}
