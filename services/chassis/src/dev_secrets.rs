//! Secrets that `dev` generates at its first start and keeps in the data directory if the settings
//! contain none (docs/configuration.md): the key that signs session cookies and hashes codes, and
//! the tokens of internal callers.
use std::{fs, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use anyhow::Context as _;

use crate::settings::{NamedToken, Secret, Settings};

const SESSION_KEYS: &str = "session-keys";
/// The file with a value of `SAHM_CALLER_TOKENS`.
const CALLER_TOKENS: &str = "caller-tokens";
/// The callers with a token: the gateway, and a calling team that tries out its calls.
const CALLERS: [&str; 2] = ["gateway", "team"];

/// The keys of the settings, newest first. In `dev` without keys, one that is generated at the
/// first start and stored in the data directory.
///
/// # Errors
/// The key can neither be read nor created.
pub fn session_keys(settings: &Settings) -> anyhow::Result<Vec<Secret<String>>> {
    if !settings.session_keys.is_empty() || !settings.environment.is_dev() {
        return Ok(settings.session_keys.clone());
    }
    let path = settings.data_dir.join(SESSION_KEYS);
    let key = session_key(&path).with_context(|| format!("session keys in {}", path.display()))?;
    Ok(vec![key])
}

/// The settings with tokens of internal callers. In `dev` without tokens, those that are generated
/// at the first start of any process and stored in the data directory.
///
/// # Errors
/// The tokens can neither be read nor created.
pub(crate) fn with_caller_tokens(mut settings: Settings) -> anyhow::Result<Settings> {
    if !settings.caller_tokens.is_empty() || !settings.environment.is_dev() {
        return Ok(settings);
    }
    let path = settings.data_dir.join(CALLER_TOKENS);
    settings.caller_tokens =
        caller_tokens(&path).with_context(|| format!("caller tokens in {}", path.display()))?;
    Ok(settings)
}

fn session_key(path: &Path) -> anyhow::Result<Secret<String>> {
    let key = read_or_create(path, secret)?;
    anyhow::ensure!(key.len() >= 32, "shorter than 32 characters");
    Ok(Secret::new(key))
}

fn caller_tokens(path: &Path) -> anyhow::Result<Vec<NamedToken>> {
    let new_tokens = || CALLERS.map(|name| format!("{name}={}", secret())).join(",");
    let tokens = read_or_create(path, new_tokens)?;
    let tokens = tokens.split(',').map(|token| NamedToken::parse(token.trim()));
    tokens.collect::<Option<_>>().context("not a list of name=token")
}

/// 256 random bits, as 64 characters.
fn secret() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

fn read_or_create(path: &Path, new_text: impl FnOnce() -> String) -> anyhow::Result<String> {
    if !path.exists() {
        store(path, &new_text())?;
    }
    Ok(fs::read_to_string(path)?.trim().to_owned())
}

/// Creates the file atomically: if several processes start together, the first one's file remains.
fn store(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension(format!("{:016x}", rand::random::<u64>()));
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
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

    fn settings(folder: &Path, pairs: &[(&str, &str)]) -> Settings {
        let data = ("SAHM_DATA_DIR".to_owned(), folder.display().to_string());
        let pairs = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_pairs(Process::Gateway, pairs.chain([data])).unwrap()
    }

    #[test]
    fn dev_generates_one_key_and_keeps_it() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("new");
        let settings = settings(&folder, &[]);
        let first = session_keys(&settings).unwrap();
        assert_eq!(first[0].expose().len(), 64);
        assert_eq!(session_keys(&settings).unwrap(), first);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }

    #[test]
    fn dev_generates_tokens_that_all_processes_share() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("new");
        let start = || with_caller_tokens(settings(&folder, &[])).unwrap();
        let starts: Vec<_> = std::thread::scope(|scope| {
            let beside: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            beside.into_iter().map(|one| one.join().unwrap().caller_tokens).collect()
        });
        assert!(starts.iter().all(|tokens| *tokens == start().caller_tokens));
        let names: Vec<_> = starts[0].iter().map(|token| token.name.as_str()).collect();
        assert_eq!(names, ["gateway", "team"]);
        assert_ne!(starts[0][0].token, starts[0][1].token);

        // The file contains a value of the setting.
        let path = folder.join("caller-tokens");
        let tokens = fs::read_to_string(&path).unwrap();
        let given = settings(&folder, &[("SAHM_CALLER_TOKENS", tokens.trim())]);
        assert_eq!(given.caller_tokens, starts[0]);
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }

    #[test]
    fn secrets_are_not_generated_if_set_or_required() {
        let data = tempfile::tempdir().unwrap();
        let token = ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef");
        let key = ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef");
        for pairs in [&[token, key][..], &[("SAHM_ENV", "uat"), token, key]] {
            let settings = with_caller_tokens(settings(data.path(), pairs)).unwrap();
            assert_eq!(settings.caller_tokens.len(), 1);
            assert_eq!(session_keys(&settings).unwrap(), [Secret::new(key.1.to_owned())]);
        }
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);
    }

    #[test]
    fn startup_fails_with_unreadable_tokens() {
        let data = tempfile::tempdir().unwrap();
        fs::write(data.path().join("caller-tokens"), "gateway=hidden\n").unwrap();
        let error = format!("{:#}", with_caller_tokens(settings(data.path(), &[])).unwrap_err());
        assert!(error.contains("caller-tokens") && !error.contains("hidden"), "{error}");
    }
}
