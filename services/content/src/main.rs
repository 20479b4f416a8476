//! `sahm-content`: the content service, and the operator's migrations, samples, imports and
//! withdrawals, of drafts too.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use commands::{Arguments, Command};
use sahm_chassis::{ServiceName, lifecycle};
use sahm_content::store::ContentStore;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Command::Import { draft, paths }) => commands::import(&paths, draft),
        Some(Command::Discard { types }) => commands::discard(&types),
        Some(Command::Withdraw { kind, ids }) => commands::withdraw(kind, &ids),
        Some(Command::Seed) => lifecycle::seed(ServiceName::Content, sahm_content::seed),
        Some(Command::Migrate) => lifecycle::migrate(ServiceName::Content, ContentStore::open),
        Some(Command::Serve) | None => commands::serve(arguments.print_settings),
    }
}
