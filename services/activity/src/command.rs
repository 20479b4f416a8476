//! `sahm-activity import FILE…`: campaigns from files, while the service runs.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::Context;
use sahm_activity::{
    domain::Bundle,
    store::{ActivityStore, Outcome},
};
use sahm_chassis::settings::{Process, ServiceName, Settings};

/// Imports files. All of them go in, or none.
pub(crate) fn import(files: &[String]) -> ExitCode {
    match run(files) {
        Ok(line) => {
            // A closed standard output is no failure of the import.
            let _ = writeln!(io::stdout(), "{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "sahm-activity import: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(files: &[String]) -> anyhow::Result<String> {
    anyhow::ensure!(!files.is_empty(), "name files: a campaign's .json, shares.json");
    let mut bundle = Bundle::default();
    for file in files {
        let path = Path::new(file);
        let text = fs::read_to_string(path).with_context(|| file.clone())?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        bundle.add(name, &text).map_err(anyhow::Error::msg)?;
    }
    let settings = Settings::load(Process::Service(ServiceName::Activity))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        let store = ActivityStore::open(&settings.database_url(ServiceName::Activity)).await?;
        store.import(&bundle).await
    })?;
    Ok(match outcome {
        Outcome::Changed(parts) => format!("changed: {}", parts.join(", ")),
        Outcome::Unchanged => "nothing to change".to_owned(),
    })
}
