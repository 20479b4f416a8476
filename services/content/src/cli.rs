//! The commands of `sahm-content`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use sahm_chassis::{cli, clock::Clock};

use crate::{
    domain::{DraftType, EntryKind},
    import::{self, Progress, Report},
    store::ContentStore,
};

/// The content service's own commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Import texts from Markdown and JSON Lines files or folders; the service may be running
    Import {
        /// Import as drafts, visible only at /preview/{type}: each path is a folder named after the
        /// type, and its files replace all drafts of that type
        #[arg(long)]
        draft: bool,
        /// Files and folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Delete all drafts of the given types
    Discard {
        /// Draft types: the names of the imported folders
        #[arg(required = true, value_parser = draft_type)]
        types: Vec<DraftType>,
    },
    /// Withdraw items from the site
    Withdraw {
        /// Kind of the items: news, college-article, college-course, help-document, …
        #[arg(long, default_value = "news", value_parser = kind)]
        kind: EntryKind,
        /// Ids of the items
        #[arg(required = true)]
        ids: Vec<u64>,
    },
}

fn kind(name: &str) -> anyhow::Result<EntryKind> {
    EntryKind::parse(name).with_context(|| {
        let known: Vec<_> = EntryKind::names().collect();
        format!("is none of {}", known.join(", "))
    })
}

fn draft_type(name: &str) -> anyhow::Result<DraftType> {
    DraftType::parse(name).context("is not 1 to 80 of a-z, 0-9 and hyphen")
}

pub(crate) async fn run(command: Command, store: ContentStore) -> anyhow::Result<ExitCode> {
    match command {
        Command::Import { draft, paths } => import(&store, &paths, draft).await,
        Command::Discard { types } => discard(&store, &types).await,
        Command::Withdraw { kind, ids } => withdraw(&store, kind, &ids).await,
    }
}

/// Imports files, as drafts if requested; exits with failure if any file was refused.
async fn import(store: &ContentStore, paths: &[PathBuf], draft: bool) -> anyhow::Result<ExitCode> {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
        bar.set_style(style);
    }
    let progress = |progress| match progress {
        Progress::Found(files) => bar.inc_length(files as u64),
        Progress::Done => bar.inc(1),
    };
    let clock = Clock::system();
    let report = match draft {
        true => import::run_drafts(store, paths, &clock, progress).await,
        false => import::run(store, paths, &clock, progress).await,
    };
    bar.finish_and_clear();
    Ok(print_report(&report?, draft))
}

fn print_report(report: &Report, draft: bool) -> ExitCode {
    for (path, note) in &report.notes {
        cli::print_error(&format!("{}: {note}", path.display()));
    }
    for (path, refusal) in &report.refused {
        let path = path.display();
        let place = refusal.line.map_or_else(|| path.to_string(), |line| format!("{path}:{line}"));
        cli::print_error(&format!("{place}: {}", refusal.reason));
    }
    let (summary, refused) = (report.summary, report.refused.len());
    let gone = if draft { format!(", {} gone", report.gone) } else { String::new() };
    let line = format!(
        "{} files: {} added, {} changed, {} unchanged{gone}; {refused} refused",
        report.files, summary.added, summary.changed, summary.unchanged
    );
    cli::print(&line);
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Deletes drafts; reports and skips types without drafts.
async fn discard(store: &ContentStore, types: &[DraftType]) -> anyhow::Result<ExitCode> {
    let mut discarded = 0;
    for draft_type in types {
        match store.discard_drafts(draft_type).await? {
            0 => cli::print_error(&format!("{}: there are no such drafts", draft_type.as_str())),
            texts => discarded += texts,
        }
    }
    Ok(cli::print(&format!("{discarded} discarded")))
}

/// Withdraws items from the site; reports and skips unknown ids.
async fn withdraw(store: &ContentStore, kind: EntryKind, ids: &[u64]) -> anyhow::Result<ExitCode> {
    let withdrawn = store.withdraw(kind, ids).await?;
    for id in ids.iter().filter(|id| !withdrawn.contains(id)) {
        cli::print_error(&format!("{id}: there is no such item"));
    }
    Ok(cli::print(&format!("{} withdrawn", withdrawn.len())))
}
