//! `sahm-gateway`: the gateway and its commands; `--help` lists them.

use std::process::ExitCode;

use clap::Subcommand;
use sahm_chassis::{
    cli,
    lifecycle::{self, Context},
    settings::Process,
};
use sahm_gateway::{CacheCommand, MemberCommand, Services, SwitchCommand};

#[derive(Subcommand)]
enum Command {
    /// Run the gateway until SIGTERM or Ctrl-C; the default
    Serve,
    /// Inspect or purge the page cache of the running gateway
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Export or erase what all services store about a member
    #[command(subcommand)]
    Member(MemberCommand),
    /// Turn features of the site off and on while it runs
    #[command(subcommand)]
    Switch(SwitchCommand),
}

fn main() -> ExitCode {
    let about = "The gateway: routing, locale redirects, page cache, pages and REST";
    match cli::arguments(Process::Gateway, about) {
        Ok(Some(Command::Cache(command))) => command.run(Process::Gateway),
        Ok(Some(Command::Member(command))) => command.run(Process::Gateway),
        Ok(Some(Command::Switch(command))) => command.run(Process::Gateway),
        Ok(Some(Command::Serve) | None) => lifecycle::run(Process::Gateway, serve),
        Err(exit) => exit,
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let listener = lifecycle::bind(context.settings.listen).await?;
    let services = Services::connect(&context);
    let renderer = context.settings.renderer_url.clone();
    sahm_gateway::serve(&context, listener, services, &renderer).await?;
    context.lifecycle.set_ready();
    Ok(())
}
