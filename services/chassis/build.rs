//! Sets `SAHM_VERSION`: the crate's version with the commit that it is built from.
use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SAHM_BUILD_COMMIT");
    // Image builds have no `.git`; this variable contains the commit.
    let named = env::var("SAHM_BUILD_COMMIT").ok();
    let commit = named.filter(|commit| !commit.is_empty()).or_else(released_commit);
    let version = env!("CARGO_PKG_VERSION");
    let version = commit.map_or(version.to_owned(), |commit| format!("{version}+{commit}"));
    println!("cargo::rustc-env=SAHM_VERSION={version}");
}

/// The commit of the working tree, for release builds only: every crate depends on this one and
/// would be rebuilt after each commit.
fn released_commit() -> Option<String> {
    if env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    // Git appends to this file on every commit, checkout and rebase.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
