//! `sahm-config import PATH…`: configuration from files, while the service runs.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use sahm_chassis::settings::{Process, ServiceName, Settings};
use sahm_config::{
    domain::Bundle,
    store::{ConfigStore, Outcome},
};

/// Imports files, or all files of folders. All of them go in, or none.
pub(crate) fn import(paths: &[String]) -> ExitCode {
    match run(paths) {
        Ok(line) => {
            // A closed standard output is no failure of the import.
            let _ = writeln!(io::stdout(), "{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "sahm-config import: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(paths: &[String]) -> anyhow::Result<String> {
    anyhow::ensure!(
        !paths.is_empty(),
        "name a file or folder (items.jsonl, menu.json, fees.json, countries.jsonl)"
    );
    let mut bundle = Bundle::default();
    for path in paths {
        for file in files_of(Path::new(path))? {
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            bundle.add(name, &text).map_err(|reason| {
                anyhow::anyhow!("{}: {reason}", file.parent().unwrap_or(Path::new(".")).display())
            })?;
        }
    }
    let settings = Settings::load(Process::Service(ServiceName::Config))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        let store = ConfigStore::open(&settings.database_url(ServiceName::Config)).await?;
        store.import(&bundle).await
    })?;
    Ok(match outcome {
        Outcome::Changed(parts) => format!("changed: {}", parts.join(", ")),
        Outcome::Unchanged => "nothing to change".to_owned(),
    })
}

fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let describe = || path.display().to_string();
    if !fs::metadata(path).with_context(describe)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).with_context(describe)? {
        let file = entry?.path();
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
