//! The command `cache`: calls the routes of a running gateway.

use std::{process::ExitCode, time::Duration};

use anyhow::{Context, ensure};
use clap::Subcommand;
use reqwest::Method;
use sahm_chassis::{
    cli, outbound,
    settings::{Process, Settings},
};

const TIMEOUT: Duration = Duration::from_secs(10);

/// Administers the page cache of a running gateway.
#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// List the cached pages
    List {
        /// Only those whose key contains this
        part: Option<String>,
    },
    /// Explain why a page is or is not served from the cache
    Explain {
        /// The page's cache key, as `list` prints it
        key: String,
    },
    /// Print hits, misses, sizes and purges
    Figures,
    /// Purge pages: by key, by path, or all
    Purge {
        /// Serve them stale while they are rendered again
        #[arg(long)]
        soft: bool,
        /// Every page
        #[arg(long)]
        all: bool,
        /// Every form of a path such as /news; may be repeated
        #[arg(long = "path", value_name = "PATH")]
        paths: Vec<String>,
        /// Cache keys, as `list` prints them
        #[arg(value_name = "KEY", required_unless_present_any = ["all", "paths"])]
        keys: Vec<String>,
    },
}

impl CacheCommand {
    /// Sends the request to the configured gateway, and prints its response.
    pub fn run(&self, process: Process) -> ExitCode {
        cli::run_command(process, async |settings| {
            let text = self.send(settings).await?;
            Ok(cli::print(text.trim_end()))
        })
    }

    async fn send(&self, settings: &Settings) -> anyhow::Result<String> {
        let (method, target) = self.target();
        outbound::install_tls_provider();
        let client = reqwest::Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        let url = format!("http://{}{target}", settings.admin_listen);
        let mut request = client.request(method, &url);
        if let Some(token) = &settings.admin_token {
            request = request.bearer_auth(token.expose());
        }
        let response = request.send().await.with_context(|| {
            format!("no gateway answers at {} (SAHM_ADMIN_LISTEN)", settings.admin_listen)
        })?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{status}: {}", text.trim());
        Ok(text)
    }

    /// Method and path of the admin request.
    fn target(&self) -> (Method, String) {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let (method, path) = match self {
            CacheCommand::List { part } => {
                query.extend_pairs(part.iter().map(|part| ("part", part)));
                (Method::GET, "/cache")
            }
            CacheCommand::Explain { key } => {
                query.append_pair("key", key);
                (Method::GET, "/cache/entry")
            }
            CacheCommand::Figures => (Method::GET, "/cache/figures"),
            CacheCommand::Purge { soft, all, paths, keys } => {
                let flags = [("soft", soft), ("all", all)];
                query.extend_pairs(
                    flags.iter().filter(|(_, set)| **set).map(|(name, _)| (name, "true")),
                );
                query.extend_pairs(paths.iter().map(|path| ("path", path)));
                query.extend_pairs(keys.iter().map(|key| ("key", key)));
                (Method::POST, "/cache/purge")
            }
        };
        (method, format!("{path}?{}", query.finish()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(subcommand)]
        command: CacheCommand,
    }

    #[test]
    fn commands_become_requests_to_the_admin_address() {
        for (line, expected) in [
            ("list", "GET /cache?"),
            ("list news", "GET /cache?part=news"),
            ("explain a|b", "GET /cache/entry?key=a%7Cb"),
            ("figures", "GET /cache/figures?"),
            ("purge --soft k1 k2", "POST /cache/purge?soft=true&key=k1&key=k2"),
            ("purge --path /news", "POST /cache/purge?path=%2Fnews"),
            ("purge --path /a --path /b", "POST /cache/purge?path=%2Fa&path=%2Fb"),
            ("purge --all", "POST /cache/purge?all=true"),
        ] {
            let parsed = Line::try_parse_from(line.split(' '));
            let shown = parsed.map(|line| line.command.target());
            let shown = shown.map(|(method, target)| format!("{method} {target}"));
            assert_eq!(shown.ok().as_deref(), Some(expected), "{line}");
        }
        for line in
            ["", "purge", "purge --soft", "explain", "list a b", "purge --path", "purge --hard x"]
        {
            assert!(Line::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
