//! `sahm`: the whole site in one process, with the commands of the gateway and of every service; `--help`
//! lists them.

use std::process::ExitCode;

use clap::Subcommand;
use sahm_activity::Activity;
use sahm_attribution::Attribution;
use sahm_chassis::{
    cli,
    lifecycle::{self, Context},
    service::{self, Service, ServiceCommand},
    settings::Process,
};
use sahm_config::Config;
use sahm_content::Content;
use sahm_gateway::{CacheCommand, MemberCommand, SwitchCommand};
use sahm_identity::Identity;
use sahm_quotes::Quotes;

#[derive(Subcommand)]
enum Command {
    /// Run the whole site until SIGTERM or Ctrl-C; the default
    Serve,
    /// Fill empty stores with samples and exit
    Seed,
    /// Inspect or purge the page cache of the running gateway
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Export or erase what all services store about a member
    #[command(subcommand)]
    Member(MemberCommand),
    /// Turn features of the site off and on while it runs
    #[command(subcommand)]
    Switch(SwitchCommand),
    /// The content service
    #[command(subcommand)]
    Content(CommandOf<Content>),
    /// The quotes service
    #[command(subcommand)]
    Quotes(CommandOf<Quotes>),
    /// The identity service
    #[command(subcommand)]
    Identity(CommandOf<Identity>),
    /// The config service
    #[command(subcommand)]
    Config(CommandOf<Config>),
    /// The activity service
    #[command(subcommand)]
    Activity(CommandOf<Activity>),
    /// The attribution service
    #[command(subcommand)]
    Attribution(CommandOf<Attribution>),
}

type CommandOf<S> = ServiceCommand<<S as Service>::Command>;

fn main() -> ExitCode {
    let about = "The public website of Sahm: gateway, services and renderer in one process";
    let command = match cli::arguments(Process::Site, about) {
        Ok(command) => command.unwrap_or(Command::Serve),
        Err(exit) => return exit,
    };
    match command {
        Command::Serve => lifecycle::run(Process::Site, serve),
        Command::Seed => cli::run_command(Process::Site, async |settings| {
            Ok(cli::print(&sahm_site::seed(settings).await?))
        }),
        Command::Cache(command) => command.run(Process::Site),
        Command::Member(command) => command.run(Process::Site),
        Command::Switch(command) => command.run(Process::Site),
        Command::Content(command) => service::run::<Content>(command),
        Command::Quotes(command) => service::run::<Quotes>(command),
        Command::Identity(command) => service::run::<Identity>(command),
        Command::Config(command) => service::run::<Config>(command),
        Command::Activity(command) => service::run::<Activity>(command),
        Command::Attribution(command) => service::run::<Attribution>(command),
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = sahm_site::start(&context).await?;
    // The line that `make run` promises.
    cli::print(&format!("ready http://{address}"));
    Ok(())
}
