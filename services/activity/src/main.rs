//! The activity service as a process, and its commands `import`, `seed` and `migrate`.

mod command;

use std::process::ExitCode;

use sahm_activity::store::ActivityStore;
use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.split_first() {
        Some((first, files)) if first == "import" => command::import(files),
        Some((first, [])) if first == "seed" => {
            lifecycle::seed(ServiceName::Activity, sahm_activity::seed)
        }
        Some((first, [])) if first == "migrate" => {
            lifecycle::migrate(ServiceName::Activity, ActivityStore::open)
        }
        _ => lifecycle::main(Process::Service(ServiceName::Activity), serve),
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = context.settings.service_listen(ServiceName::Activity);
    let listener = lifecycle::bind(address).await?;
    let service = sahm_activity::start(&context).await?;
    rpc::serve(listener, service, &context);
    context.lifecycle.set_ready();
    Ok(())
}
