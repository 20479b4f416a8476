//! The attribution service as a process, and its command `replay`.

mod command;

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.split_first() {
        Some((first, rest)) if first == "replay" => command::replay(rest),
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
