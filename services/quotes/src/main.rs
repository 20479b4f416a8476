//! The quotes service as a process, and its commands `import`, `seed` and `migrate`.

mod command;

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    rpc,
    settings::{Process, ServiceName},
};
use sahm_quotes::store::QuotesStore;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.split_first() {
        Some((first, paths)) if first == "import" => command::import(paths),
        Some((first, [])) if first == "seed" => {
            lifecycle::seed(ServiceName::Quotes, sahm_quotes::seed)
        }
        Some((first, [])) if first == "migrate" => {
            lifecycle::migrate(ServiceName::Quotes, QuotesStore::open)
        }
        _ => lifecycle::main(Process::Service(ServiceName::Quotes), serve),
    }
}

async fn serve(context: Context) -> anyhow::Result<()> {
    let address = context.settings.service_listen(ServiceName::Quotes);
    let listener = lifecycle::bind(address).await?;
    let service = sahm_quotes::start(&context).await?;
    rpc::serve(listener, service, &context);
    context.lifecycle.set_ready();
    Ok(())
}
