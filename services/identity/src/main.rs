//! The identity service as a process, and its commands `seed` and `migrate`.

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};
use sahm_identity::store::IdentityStore;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.split_first() {
        Some((first, [])) if first == "seed" => {
            lifecycle::seed(ServiceName::Identity, sahm_identity::seed)
        }
        Some((first, [])) if first == "migrate" => {
            lifecycle::migrate(ServiceName::Identity, IdentityStore::open)
        }
        _ => lifecycle::main(Process::Service(ServiceName::Identity), serve),
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = context.settings.service_listen(ServiceName::Identity);
    let listener = lifecycle::bind(address).await?;
    let service = sahm_identity::start(&context).await?;
    rpc::serve(listener, service, &context);
    context.lifecycle.set_ready();
    Ok(())
}
