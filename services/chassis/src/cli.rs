//! Command-line arguments of the programs, and exit codes of their commands.
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    settings::{Process, Settings},
    telemetry::VERSION,
    tls,
};

/// The exit code of clap for invalid arguments.
pub(crate) const USAGE_ERROR: u8 = 2;

#[derive(Parser)]
#[command(version = VERSION, args_conflicts_with_subcommands = true)]
struct Arguments<C: Subcommand> {
    #[command(subcommand)]
    command: Option<C>,
    /// Print the settings in force, secrets masked, and exit
    #[arg(long)]
    print_settings: bool,
    /// Check all settings, report every wrong one, and exit: 0 if none is wrong, else 2
    #[arg(long, conflicts_with = "print_settings")]
    check_config: bool,
}

/// Parses the arguments of this process's program; the command is `None` if none is given. For
/// `--help`, `--version`, `--print-settings`, `--check-config` or an invalid argument, the output
/// is printed and the exit code is returned as the error.
///
/// # Errors
/// The program must exit with the returned code.
pub fn arguments<C: Subcommand>(
    process: Process,
    about: &'static str,
) -> Result<Option<C>, ExitCode> {
    let command = Arguments::<C>::command().name(process.program()).about(about);
    let matches = command.try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::<C>::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(output) => {
            // A closed standard output is not an error.
            let _ = output.print();
            return Err(if output.use_stderr() { USAGE_ERROR.into() } else { ExitCode::SUCCESS });
        }
    };
    if arguments.check_config {
        return Err(check_config(process));
    }
    if !arguments.print_settings {
        return Ok(arguments.command);
    }
    Err(match Settings::load(process) {
        Ok(settings) => print(settings.print().trim_end()),
        Err(error) => usage_error(&error.to_string()),
    })
}

/// Reports every invalid setting on its own line.
fn check_config(process: Process) -> ExitCode {
    let faults = match Settings::load(process) {
        Ok(settings) => {
            let mut faults = settings.missing_providers();
            faults.extend(tls::check(&settings.tls).err().map(|error| format!("{error:#}")));
            faults
        }
        Err(error) => error.faults().to_vec(),
    };
    if faults.is_empty() {
        return print(&format!("{}: the settings are valid", process.program()));
    }
    usage_error(&faults.join("\n"))
}

/// Runs a command to completion.
///
/// Exits with the command's exit code; with 1 and the error on standard error if it fails; with 2
/// if a setting is invalid.
pub fn run_command(
    process: Process,
    command: impl AsyncFnOnce(&Settings) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let settings = match Settings::load(process) {
        Ok(settings) => settings,
        Err(error) => return usage_error(&error.to_string()),
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return usage_error(&format!("cannot start the runtime: {error}")),
    };
    runtime.block_on(command(&settings)).unwrap_or_else(|error| {
        print_error(&format!("{}: {error:#}", process.program()));
        ExitCode::FAILURE
    })
}

/// The files that an argument names: the file itself, or the files directly in a folder, by name.
///
/// # Errors
/// The path does not exist or cannot be read.
pub fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let describe = || path.display().to_string();
    if !fs::metadata(path).with_context(describe)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).with_context(describe)? {
        let file = entry.with_context(describe)?.path();
        if file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a line to standard output. A closed output does not fail the command.
pub fn print(line: &str) -> ExitCode {
    let _ = writeln!(std::io::stdout(), "{line}");
    ExitCode::SUCCESS
}

/// Writes a line to standard error.
pub fn print_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

pub(crate) fn usage_error(line: &str) -> ExitCode {
    print_error(line);
    ExitCode::from(USAGE_ERROR)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_of_a_folder_are_those_directly_in_it_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["b.json", "a.json"] {
            fs::write(path(name), "{}").unwrap();
        }
        fs::create_dir(path("lost+found")).unwrap();
        fs::write(path("lost+found/c.json"), "{}").unwrap();

        assert_eq!(files_of(folder.path()).unwrap(), [path("a.json"), path("b.json")]);
        assert_eq!(files_of(&path("b.json")).unwrap(), [path("b.json")]);
        let error = files_of(&path("none.json")).unwrap_err();
        assert!(format!("{error:#}").contains("none.json: "), "{error:#}");
    }
}
