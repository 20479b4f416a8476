//! The commands of `sahm-attribution`.

use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use sahm_chassis::cli;

use crate::store::EventStore;

/// The attribution service's own commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Put dead letters back into the queue of their sink, while the service runs or not
    Replay {
        /// The sink's name
        sink: String,
        /// Ids of dead letters; all of the sink without any
        ids: Vec<u64>,
    },
}

pub(crate) async fn run(command: Command, store: EventStore) -> anyhow::Result<ExitCode> {
    let Command::Replay { sink, ids } = command;
    let replayed = store.replay(&sink, &ids).await?.with_context(|| format!("no sink '{sink}'"))?;
    Ok(cli::print(&format!("replayed: {replayed}")))
}
