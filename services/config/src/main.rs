//! `sahm-config`: the config service and its commands; `--help` lists them.

use std::process::ExitCode;

fn main() -> ExitCode {
    sahm_chassis::service::main::<sahm_config::Config>()
}
