//! What `sahm-content` can be asked to do.
use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use sahm_chassis::{
    Process, ServiceName, Settings, clock::Clock, lifecycle, rpc, telemetry::VERSION,
};
use sahm_content::{
    domain::{DraftType, Kind},
    import::{self, Progress, Report},
    store::ContentStore,
};

const PROCESS: Process = Process::Service(ServiceName::Content);
/// As for a wrong setting of any process.
const WRONG_SETTING: u8 = 2;

/// The content service; without a command it serves.
#[derive(Parser)]
#[command(name = "sahm-content", version = VERSION, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print the settings, secrets masked, and end
    #[arg(long)]
    pub(crate) print_settings: bool,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the service
    Serve,
    /// Bring the store's schema up to date
    Migrate,
    /// Fill an empty store with samples
    Seed,
    /// Take texts in from Markdown and JSON Lines files, or folders of them
    Import {
        /// Keep them for /preview/{type} only: each path is a folder, its name is the type, and
        /// what it holds replaces the type's former drafts
        #[arg(long)]
        draft: bool,
        /// Files and folders
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Discard the drafts of types
    Discard {
        /// The types: names of imported folders
        #[arg(required = true, value_parser = draft_type)]
        types: Vec<DraftType>,
    },
    /// Take items off the site
    Withdraw {
        /// What they are: news, college-article, college-course, help-document and the like
        #[arg(long, default_value = "news", value_parser = kind)]
        kind: Kind,
        /// Their ids
        #[arg(required = true)]
        ids: Vec<u64>,
    },
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::parse(name).ok_or_else(|| {
        let known: Vec<_> = Kind::names().collect();
        format!("is none of {}", known.join(", "))
    })
}

fn draft_type(name: &str) -> Result<DraftType, String> {
    DraftType::parse(name).ok_or_else(|| "is not 1 to 80 of a-z, 0-9 and hyphen".to_owned())
}

/// Runs the service until it is told to stop.
pub(crate) fn serve(print_settings: bool) -> ExitCode {
    if print_settings {
        return match Settings::load(PROCESS) {
            Ok(settings) => said(&mut io::stdout(), settings.print().trim_end()),
            Err(error) => wrong_setting(&error.to_string()),
        };
    }
    lifecycle::run(PROCESS, async |ctx| {
        let address = ctx.settings.service_listen(ServiceName::Content);
        let listener = lifecycle::bind(address).await?;
        let service = sahm_content::start(&ctx).await?;
        rpc::serve(listener, service, &ctx);
        ctx.lifecycle.set_ready();
        Ok(())
    })
}

/// Takes files in, as drafts if so asked; fails when one of them was refused.
pub(crate) fn import(paths: &[PathBuf], draft: bool) -> ExitCode {
    on_store(async |store| {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
            bar.set_style(style);
        }
        let progress = |progress| match progress {
            Progress::Found(files) => bar.set_length(files as u64),
            Progress::Done => bar.inc(1),
        };
        let clock = Clock::system();
        let report = match draft {
            true => import::run_drafts(&store, paths, &clock, progress).await,
            false => import::run(&store, paths, &clock, progress).await,
        };
        bar.finish_and_clear();
        Ok(tell(&report?, draft))
    })
}

fn tell(report: &Report, draft: bool) -> ExitCode {
    let mut err = io::stderr();
    for (path, note) in &report.notes {
        said(&mut err, &format!("{}: {note}", path.display()));
    }
    for (path, refusal) in &report.refused {
        let path = path.display();
        let place = refusal.line.map_or_else(|| path.to_string(), |line| format!("{path}:{line}"));
        said(&mut err, &format!("{place}: {}", refusal.reason));
    }
    let (tally, refused) = (report.tally, report.refused.len());
    let gone = if draft { format!(", {} gone", report.gone) } else { String::new() };
    let line = format!(
        "{} files: {} added, {} changed, {} unchanged{gone}; {refused} refused",
        report.files, tally.added, tally.changed, tally.unchanged
    );
    said(&mut io::stdout(), &line);
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Discards drafts; types without any are named and passed over.
pub(crate) fn discard(types: &[DraftType]) -> ExitCode {
    on_store(async |store| {
        let mut discarded = 0;
        for draft_type in types {
            match store.discard_drafts(draft_type).await? {
                0 => {
                    let line = format!("{}: there are no such drafts", draft_type.as_str());
                    said(&mut io::stderr(), &line);
                }
                texts => discarded += texts,
            }
        }
        Ok(said(&mut io::stdout(), &format!("{discarded} discarded")))
    })
}

/// Takes items off the site; ids without an item are named and passed over.
pub(crate) fn withdraw(kind: Kind, ids: &[u64]) -> ExitCode {
    on_store(async |store| {
        let withdrawn = store.withdraw_items(kind, ids).await?;
        for id in ids.iter().filter(|id| !withdrawn.contains(id)) {
            said(&mut io::stderr(), &format!("{id}: there is no such item"));
        }
        Ok(said(&mut io::stdout(), &format!("{} withdrawn", withdrawn.len())))
    })
}

/// Does something with the store that the settings name.
fn on_store(what: impl AsyncFnOnce(ContentStore) -> anyhow::Result<ExitCode>) -> ExitCode {
    let settings = match Settings::load(PROCESS) {
        Ok(settings) => settings,
        Err(error) => return wrong_setting(&error.to_string()),
    };
    let outcome = tokio::runtime::Runtime::new().map_err(Into::into).and_then(|runtime| {
        runtime.block_on(async {
            let url = settings.database_url(ServiceName::Content);
            what(ContentStore::open(&url).await?).await
        })
    });
    outcome.unwrap_or_else(|error: anyhow::Error| {
        said(&mut io::stderr(), &format!("sahm-content: {error:#}"));
        ExitCode::FAILURE
    })
}

fn wrong_setting(line: &str) -> ExitCode {
    said(&mut io::stderr(), line);
    ExitCode::from(WRONG_SETTING)
}

/// Writes a line; that nobody reads it is no failure.
fn said(out: &mut dyn Write, line: &str) -> ExitCode {
    let _ = writeln!(out, "{line}");
    ExitCode::SUCCESS
}
