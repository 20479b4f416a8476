//! The commands of `sahm-quotes`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use sahm_chassis::cli;

use crate::{
    domain::{announcements_of, securities_of},
    store::QuotesStore,
};

/// The quotes service's own commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Import securities and announcements, while the service runs or not: all files, or none if one is
    /// wrong
    Import {
        /// Files named securities.jsonl and announcements.jsonl
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

pub(crate) async fn run(command: Command, store: QuotesStore) -> anyhow::Result<ExitCode> {
    let Command::Import { files } = command;
    let (mut securities, mut announcements) = (Vec::new(), Vec::new());
    for file in files {
        let shown = file.display();
        let text = fs::read_to_string(&file).with_context(|| shown.to_string())?;
        match file.file_name().and_then(|name| name.to_str()) {
            Some("securities.jsonl") => {
                securities.extend(securities_of(&text).with_context(|| shown.to_string())?);
            }
            Some("announcements.jsonl") => {
                announcements.extend(announcements_of(&text).with_context(|| shown.to_string())?);
            }
            _ => anyhow::bail!("{shown}: not one of securities.jsonl, announcements.jsonl"),
        }
    }
    store.import(&securities, &announcements).await?;
    let (securities, announcements) = (securities.len(), announcements.len());
    Ok(cli::print(&format!("{securities} securities, {announcements} announcements")))
}
