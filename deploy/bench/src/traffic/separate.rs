//! The site as separate processes on the core for servers, started by `deploy/separate.sh`.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use crate::{
    client::{self, Connection},
    cores::Cores,
    process::{Background, clean},
    traffic::usage::{self, Usage},
};

/// Timeout of the start, which creates databases, schemas and sample content.
const START: Duration = Duration::from_secs(180);

/// The running site; stopped when dropped.
pub(crate) struct Separate {
    _script: Background,
    pub(crate) address: SocketAddr,
    gateway_admin: SocketAddr,
    /// Names in `deploy/separate.sh`, and process ids.
    processes: Vec<(String, u32)>,
    data: TempDir,
}

impl Separate {
    /// Starts the site with rate limits. The load sends the address of each client.
    ///
    /// # Errors
    /// The script ended; contains its output.
    pub(crate) async fn start(programs: &Path, cores: &Cores) -> anyhow::Result<Separate> {
        let data = TempDir::new()?;
        let log = data.path().join("separate.log");
        // The script and the site end with this process, however it ends.
        let mut command = cores.on_server_core(Path::new("setpriv"));
        clean(&mut command);
        command
            .args(["--pdeathsig", "TERM", "--", "deploy/separate.sh", "--data"])
            .arg(data.path())
            .env("BIN_DIR", programs)
            .env("SAHM_TRUSTED_PROXIES", "127.0.0.0/8");
        let mut script = Background::start(command, &log)?;
        let began = Instant::now();
        let address = loop {
            let said = std::fs::read_to_string(&log)?;
            if let Some(address) = said.lines().find_map(|line| line.strip_prefix("ready http://"))
            {
                break address.parse()?;
            }
            script.lives()?;
            ensure!(began.elapsed() < START, "not ready after {START:?}: {said}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let processes = pairs(&std::fs::read_to_string(data.path().join("pids"))?)
            // The first of several, if the script starts more.
            .map(|(name, pid)| Ok((name.trim_end_matches("-1").to_owned(), pid.parse()?)))
            .collect::<anyhow::Result<Vec<(String, u32)>>>()?;
        let admin = std::fs::read_to_string(data.path().join("admin"))?;
        let gateway_admin = pairs(&admin)
            .find_map(|(name, url)| (name == "gateway-1").then(|| url.strip_prefix("http://"))?)
            .context("no operators' address of the gateway")?
            .parse()?;
        Ok(Separate { _script: script, address, gateway_admin, processes, data })
    }

    /// The usage of each process so far, by name.
    ///
    /// # Errors
    /// A process has ended.
    pub(crate) fn usage(&self) -> anyhow::Result<BTreeMap<String, Usage>> {
        usage::of(&self.processes)
    }

    /// Copies the log of each process to a folder, which is created if missing.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub(crate) fn keep_logs(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)?;
        for entry in std::fs::read_dir(self.data.path())? {
            let log = entry?.path();
            if let (Some("log"), Some(name)) =
                (log.extension().and_then(OsStr::to_str), log.file_name())
            {
                std::fs::copy(&log, folder.join(name))?;
            }
        }
        Ok(())
    }

    /// Names and process ids.
    pub(crate) fn processes(&self) -> Vec<(String, u32)> {
        self.processes.clone()
    }

    /// Purges every page of the page cache.
    ///
    /// # Errors
    /// The gateway rejects the purge.
    pub(crate) async fn purge_all(&self) -> anyhow::Result<()> {
        let request = client::post("/cache/purge?all=true", &[], b"");
        let response = Connection::open(self.gateway_admin).await?.fetch(&request).await?;
        ensure!(response.status == 200, "/cache/purge answers {}", response.status);
        Ok(())
    }

    /// The gateway's metrics.
    pub(crate) async fn metrics(&self) -> anyhow::Result<Metrics> {
        let request = client::get("/metrics", &[]);
        let response = Connection::open(self.gateway_admin).await?.fetch(&request).await?;
        ensure!(response.status == 200, "/metrics answers {}", response.status);
        Ok(Metrics(String::from_utf8(response.body)?))
    }
}

/// Metrics in the Prometheus text format.
pub(crate) struct Metrics(String);

impl Metrics {
    /// Fills of the page cache since the gateway started.
    ///
    /// # Errors
    /// The metric is missing or not a number.
    pub(crate) fn fills(&self) -> anyhow::Result<f64> {
        self.sum("page_cache_makes_total", "")
    }

    /// The sum of a metric's series whose labels contain a text.
    ///
    /// # Errors
    /// There is no such series, or a value is not a number.
    pub(crate) fn sum(&self, name: &str, labels: &str) -> anyhow::Result<f64> {
        let (mut sum, mut found) = (0.0, false);
        for line in self.0.lines() {
            let Some(rest) = line.strip_prefix(name) else { continue };
            if !rest.starts_with(['{', ' ']) {
                continue;
            }
            found = true;
            if rest.contains(labels) {
                let value = rest.rsplit_once(' ').with_context(|| line.to_owned())?.1;
                sum += value.parse::<f64>().with_context(|| line.to_owned())?;
            }
        }
        if !found {
            bail!("the gateway has no metric {name}");
        }
        Ok(sum)
    }
}

fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once(' '))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::Metrics;

    #[test]
    fn series_are_added_up() {
        let text =
            "# HELP a x\na_total{level=\"1\"} 2\na_total{level=\"2\"} 3.5\na_total_b 9\nb 1\n";
        let metrics = Metrics(text.into());
        for (name, labels, sum) in
            [("a_total", "", 5.5), ("a_total", "level=\"2\"", 3.5), ("b", "", 1.0), ("b", "x", 0.0)]
        {
            assert_eq!(metrics.sum(name, labels).unwrap(), sum, "{name} {labels}");
        }
        assert!(metrics.sum("a", "").is_err());
    }
}
