//! `sahm`: the whole site in one process.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use sahm_chassis::{
    lifecycle::{self, Context},
    settings::Process,
};

fn main() -> ExitCode {
    lifecycle::main(Process::Site, async |context: Context| {
        let address = sahm_site::start(&context).await?;
        // The line that `make run` promises; a closed standard output is no reason to stop.
        let _ = writeln!(io::stdout(), "ready http://{address}");
        Ok(())
    })
}
