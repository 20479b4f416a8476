//! `sahm-quotes import PATH…`: securities and announcements from files, while the service runs.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use sahm_chassis::settings::{Process, ServiceName, Settings};
use sahm_quotes::{
    domain::{announcements_of, securities_of},
    store::QuotesStore,
};

/// Imports files named `securities.jsonl` and `announcements.jsonl`. All of them go in, or none.
pub(crate) fn import(paths: &[String]) -> ExitCode {
    match run(paths) {
        Ok(line) => {
            // A closed standard output is no failure of the import.
            let _ = writeln!(io::stdout(), "{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "sahm-quotes import: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(paths: &[String]) -> anyhow::Result<String> {
    anyhow::ensure!(!paths.is_empty(), "name a file (securities.jsonl, announcements.jsonl)");
    let (mut securities, mut announcements) = (Vec::new(), Vec::new());
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| path.clone())?;
        match Path::new(path).file_name().and_then(|name| name.to_str()) {
            Some("securities.jsonl") => {
                securities.extend(securities_of(&text).with_context(|| path.clone())?);
            }
            Some("announcements.jsonl") => {
                announcements.extend(announcements_of(&text).with_context(|| path.clone())?);
            }
            _ => anyhow::bail!("{path}: not one of securities.jsonl, announcements.jsonl"),
        }
    }
    let settings = Settings::load(Process::Service(ServiceName::Quotes))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = QuotesStore::open(&settings.database_url(ServiceName::Quotes)).await?;
        store.import(&securities, &announcements).await
    })?;
    Ok(format!("{} securities, {} announcements", securities.len(), announcements.len()))
}
