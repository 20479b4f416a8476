//! The commands of `sahm-config`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::Subcommand;
use sahm_chassis::cli;

use crate::{bundle::Bundle, store::ConfigStore};

/// The config service's own commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Import configuration, while the service runs or not: all files, or none if one is wrong
    Import {
        /// items.jsonl, menu.json, fees.json, countries.jsonl, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

pub(crate) async fn run(command: Command, store: ConfigStore) -> anyhow::Result<ExitCode> {
    let Command::Import { paths } = command;
    let mut bundle = Bundle::default();
    for path in paths {
        for file in cli::files_of(&path)? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let folder = || file.parent().unwrap_or(Path::new(".")).display().to_string();
            bundle.add(name, &text).with_context(folder)?;
        }
    }
    let changed = store.import(&bundle).await?;
    Ok(match changed.is_empty() {
        true => cli::print("nothing to change"),
        false => cli::print(&format!("changed: {}", changed.join(", "))),
    })
}
