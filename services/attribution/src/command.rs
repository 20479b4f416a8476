//! `sahm-attribution replay SINK [ID…]`: dead letters back into the queue, while the service runs.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use sahm_attribution::store::EventStore;
use sahm_chassis::settings::{Process, ServiceName, Settings};

/// Replays the named dead letters of a sink, or all.
pub(crate) fn replay(arguments: &[String]) -> ExitCode {
    match run(arguments) {
        Ok(count) => {
            // A closed standard output is no failure of the replay.
            let _ = writeln!(io::stdout(), "replayed: {count}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "sahm-attribution replay: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> anyhow::Result<u64> {
    let (sink, ids) = arguments.split_first().context("name a sink, then ids or nothing")?;
    let ids = ids.iter().map(|id| id.parse().with_context(|| format!("'{id}' is no id")));
    let ids = ids.collect::<anyhow::Result<Vec<u64>>>()?;
    let settings = Settings::load(Process::Service(ServiceName::Attribution))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let replayed = runtime.block_on(async {
        let store = EventStore::open(&settings.database_url(ServiceName::Attribution)).await?;
        store.replay(sink, &ids).await
    })?;
    replayed.with_context(|| format!("no sink '{sink}'"))
}
