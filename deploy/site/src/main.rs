//! `sahm`: the whole site in one process, and the command `cache` of its gateway.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use sahm_chassis::{
    lifecycle::{self, Context},
    settings::Process,
};

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    if let Some((first, rest)) = arguments.split_first()
        && first == "cache"
    {
        return sahm_gateway::cache_command(Process::Site, rest);
    }
    lifecycle::main(Process::Site, async |context: Context| {
        let address = sahm_site::start(&context).await?;
        // The line that `make run` promises; a closed standard output is no reason to stop.
        let _ = writeln!(io::stdout(), "ready http://{address}");
        Ok(())
    })
}
