//! The attribution service as a process, and its commands `replay` and `migrate`.

mod command;

use std::process::ExitCode;

use sahm_attribution::store::EventStore;
use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.split_first() {
        Some((first, rest)) if first == "replay" => command::replay(rest),
        Some((first, [])) if first == "migrate" => {
            lifecycle::migrate(ServiceName::Attribution, EventStore::open)
        }
        _ => lifecycle::main(Process::Service(ServiceName::Attribution), serve),
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = context.settings.service_listen(ServiceName::Attribution);
    let listener = lifecycle::bind(address).await?;
    let service = sahm_attribution::start(&context).await?;
    rpc::serve(listener, service, &context);
    context.lifecycle.set_ready();
    Ok(())
}
