//! `sahm-gateway cache …`: asks a running gateway's admin address (see [`crate::operator`]).

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, bail, ensure};
use sahm_chassis::settings::{Process, Settings};

const TIME: Duration = Duration::from_secs(10);

const USAGE: &str = "cache list [PART] | cache explain KEY | cache figures | \
                     cache purge [--soft] [--all] [--path PATH]… [KEY]…";

/// Runs the command of a process; the gateway that is asked is the one that its settings name.
pub fn cache_command(process: Process, arguments: &[String]) -> ExitCode {
    match run(process, arguments) {
        Ok(text) => {
            // A closed standard output is no failure of the command.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "cache: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(process: Process, arguments: &[String]) -> anyhow::Result<String> {
    let (method, target) = target(arguments)?;
    let settings = Settings::load(process)?;
    let url = format!("http://{}{target}", settings.admin_listen);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        sahm_chassis::outbound::install_tls_provider();
        let client = reqwest::Client::builder().no_proxy().timeout(TIME).build()?;
        let request = client.request(method, &url);
        let answer = request.send().await.with_context(|| {
            format!("no gateway answers at {} (SAHM_ADMIN_LISTEN)", settings.admin_listen)
        })?;
        let status = answer.status();
        let text = answer.text().await?;
        ensure!(status.is_success(), "{status}: {}", text.trim());
        Ok(text)
    })
}

/// What to ask for.
fn target(arguments: &[String]) -> anyhow::Result<(reqwest::Method, String)> {
    let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
    let mut query = form_urlencoded::Serializer::new(String::new());
    let (method, path) = match arguments.as_slice() {
        ["list"] => (reqwest::Method::GET, "/cache"),
        ["list", part] => {
            query.append_pair("part", part);
            (reqwest::Method::GET, "/cache")
        }
        ["explain", key] => {
            query.append_pair("key", key);
            (reqwest::Method::GET, "/cache/entry")
        }
        ["figures"] => (reqwest::Method::GET, "/cache/figures"),
        ["purge", rest @ ..] if !rest.is_empty() => {
            let mut rest = rest.iter();
            while let Some(argument) = rest.next() {
                match *argument {
                    "--soft" => query.append_pair("soft", "true"),
                    "--all" => query.append_pair("all", "true"),
                    "--path" => {
                        let path = rest.next().context("--path needs a path")?;
                        query.append_pair("path", path)
                    }
                    option if option.starts_with("--") => bail!("unknown option {option}: {USAGE}"),
                    key => query.append_pair("key", key),
                };
            }
            (reqwest::Method::POST, "/cache/purge")
        }
        _ => bail!("{USAGE}"),
    };
    Ok((method, format!("{path}?{}", query.finish())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        for (line, expected) in [
            ("list", "GET /cache?"),
            ("list news", "GET /cache?part=news"),
            ("explain a|b", "GET /cache/entry?key=a%7Cb"),
            ("figures", "GET /cache/figures?"),
            ("purge --soft k1 k2", "POST /cache/purge?soft=true&key=k1&key=k2"),
            ("purge --path /news", "POST /cache/purge?path=%2Fnews"),
            ("purge --all", "POST /cache/purge?all=true"),
        ] {
            let arguments = line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let shown = target(&arguments).map(|(method, target)| format!("{method} {target}"));
            assert_eq!(shown.ok().as_deref(), Some(expected), "{line}");
        }
        for line in ["", "purge", "explain", "list a b", "purge --path", "purge --hard x"] {
            let arguments = line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            assert!(target(&arguments).is_err(), "{line}");
        }
    }
}
