//! The gateway as a process of its own.

use std::process::ExitCode;

use sahm_chassis::{
    lifecycle::{self, Context},
    settings::Process,
};
use sahm_gateway::Services;

fn main() -> ExitCode {
    lifecycle::main(Process::Gateway, async |context: Context| {
        let listener = lifecycle::bind(context.settings.listen).await?;
        let services = Services::connect(&context)?;
        let renderer = context.settings.renderer_url.clone();
        sahm_gateway::serve(&context, listener, services, &renderer).await?;
        context.lifecycle.set_ready();
        Ok(())
    })
}
