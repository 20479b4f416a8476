//! The identity service as a process.

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};

fn main() -> ExitCode {
    lifecycle::main(Process::Service(ServiceName::Identity), serve)
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = context.settings.service_listen(ServiceName::Identity);
    let listener = lifecycle::bind(address).await?;
    let service = sahm_identity::start(&context).await?;
    rpc::serve(listener, service, &context);
    context.lifecycle.set_ready();
    Ok(())
}
