//! The keys that session cookies are signed with and codes are hashed with.
use std::{fs, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use anyhow::Context as _;

use crate::settings::{Secret, Settings};

/// Where `dev` keeps the key that it made, in the data directory.
const FILE: &str = "session-keys";

/// The keys of the settings, newest first; in `dev`, where none are set, one that is made at the
/// first start and kept in the data directory.
///
/// Errors: the key can neither be read nor made.
pub fn session_keys(settings: &Settings) -> anyhow::Result<Vec<Secret<String>>> {
    if !settings.session_keys.is_empty() || !settings.environment.is_dev() {
        return Ok(settings.session_keys.clone());
    }
    let path = settings.data_dir.join(FILE);
    let kept =
        kept_or_made(&path).with_context(|| format!("session keys in {}", path.display()))?;
    Ok(vec![Secret::new(kept)])
}

fn kept_or_made(path: &Path) -> anyhow::Result<String> {
    if !path.exists() {
        make(path)?;
    }
    let key = fs::read_to_string(path)?.trim().to_owned();
    anyhow::ensure!(key.len() >= 32, "shorter than 32 characters");
    Ok(key)
}

/// Appears whole or not at all: of processes that start beside each other the first one's counts.
fn make(path: &Path) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension(format!("{:016x}", rand::random::<u64>()));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    let key: String = rand::random::<[u8; 32]>().iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(file, "{key}")?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::settings::Process;

    #[test]
    fn dev_makes_one_key_and_keeps_it() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("new");
        let pairs = [("SAHM_DATA_DIR".to_owned(), folder.display().to_string())];
        let settings = Settings::from_pairs(Process::Gateway, pairs).unwrap();
        let first = session_keys(&settings).unwrap();
        assert_eq!(first[0].expose().len(), 64);
        assert_eq!(session_keys(&settings).unwrap(), first);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }
}
