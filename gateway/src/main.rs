//! The gateway as a process of its own, and its command `cache`.

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    settings::Process,
};
use sahm_gateway::Services;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    if let Some((first, rest)) = arguments.split_first()
        && first == "cache"
    {
        return sahm_gateway::cache_command(Process::Gateway, rest);
    }
    lifecycle::main(Process::Gateway, async |context: Context| {
        let listener = lifecycle::bind(context.settings.listen).await?;
        let services = Services::connect(&context)?;
        let renderer = context.settings.renderer_url.clone();
        sahm_gateway::serve(&context, listener, services, &renderer).await?;
        context.lifecycle.set_ready();
        Ok(())
    })
}
