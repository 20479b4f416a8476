//! The commands of `sahm-activity`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use sahm_chassis::cli;

use crate::{
    bundle::Bundle,
    store::{ActivityStore, Outcome},
};

/// The activity service's own commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Import campaigns, while the service runs or not: all files, or none if one is wrong
    Import {
        /// A campaign's .json, shares.json, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

pub(crate) async fn run(command: Command, store: ActivityStore) -> anyhow::Result<ExitCode> {
    let Command::Import { paths } = command;
    let mut bundle = Bundle::default();
    for path in paths {
        for file in cli::files_of(&path)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            bundle.add(name, &text)?;
        }
    }
    Ok(match store.import(&bundle).await? {
        Outcome::Changed(parts) => cli::print(&format!("changed: {}", parts.join(", "))),
        Outcome::Unchanged => cli::print("nothing to change"),
    })
}
