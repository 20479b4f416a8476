//! `sahm`: the whole site in one process, and its commands `seed` and `cache`.

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
    match arguments.split_first() {
        Some((first, rest)) if first == "cache" => {
            return sahm_gateway::cache_command(Process::Site, rest);
        }
        Some((first, [])) if first == "seed" => {
            return lifecycle::command(Process::Site, "seed", sahm_site::seed);
        }
        _ => {}
    }
    lifecycle::main(Process::Site, async |context: Context| {
        let address = sahm_site::start(&context).await?;
        // The line that `make run` promises; a closed standard output is no reason to stop.
        let _ = writeln!(io::stdout(), "ready http://{address}");
        Ok(())
    })
}
