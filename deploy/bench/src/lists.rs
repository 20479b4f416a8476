//! Compares lists of many articles with lists of few: the same call of the content service, page by
//! page from the first to the last, on SQLite and, if it is installed, on PostgreSQL.

use std::{
    io::Write as _,
    net::SocketAddr,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use sahm_proto::content::v1::{
    ListArticlesRequest, SearchRequest, news_service_client::NewsServiceClient,
    search_service_client::SearchServiceClient,
};
use sahm_testkit::Postgres;
use serde::Serialize;
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};

use crate::{
    cores::Cores,
    process::{Background, clean, free_address},
    statistics::percentile,
};

const FEW: u32 = 100;
const MANY: u32 = 100_000;
/// Articles of one page.
const SIZE: u32 = 20;
/// Lines of one imported file.
const LINES: u32 = 10_000;
/// Timeout of a start, which opens the store and builds the search index.
const START: Duration = Duration::from_secs(180);

/// The results of one engine.
#[derive(Debug, Serialize)]
pub(crate) struct Lists {
    pub(crate) engine: &'static str,
    /// Medians over all pages of the list, microseconds.
    pub(crate) few_us: f64,
    pub(crate) many_us: f64,
    /// The last hundred pages of the long list.
    pub(crate) many_end_us: f64,
    /// `many_us` divided by `few_us`.
    pub(crate) ratio: f64,
}

/// Measures both engines. An engine that cannot be measured is listed with the reason.
pub(crate) async fn measure(
    programs: &Path,
    cores: &Cores,
) -> anyhow::Result<(Vec<Lists>, Option<String>)> {
    let sqlite = engine("SQLite", None, programs, cores).await?;
    let postgres = match Postgres::start().await {
        Ok(postgres) => postgres,
        Err(error) => {
            return Ok((vec![sqlite], Some(format!("PostgreSQL: not measured, {error:#}"))));
        }
    };
    let postgres = engine("PostgreSQL", Some(&postgres), programs, cores).await?;
    Ok((vec![sqlite, postgres], None))
}

async fn engine(
    engine: &'static str,
    postgres: Option<&Postgres>,
    programs: &Path,
    cores: &Cores,
) -> anyhow::Result<Lists> {
    let few = Service::with(FEW, postgres, programs, cores).await?;
    let many = Service::with(MANY, postgres, programs, cores).await?;
    let (mut short, mut long) = (Vec::new(), Vec::new());
    // Parts of the long list alternate with the short one, so that both are measured in the same
    // conditions.
    let mut cursor = String::new();
    loop {
        short.extend(few.pages(String::new(), usize::MAX).await?.0);
        let (times, next) = many.pages(cursor, 250).await?;
        long.extend(times);
        cursor = next;
        if cursor.is_empty() {
            break;
        }
    }
    let pages = (MANY / SIZE) as usize;
    ensure!(long.len() == pages, "{} pages instead of {pages}", long.len());
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        percentile(&times, 0.5) / 1e3
    };
    let end = median(long[pages - 100..].to_vec());
    let (few_us, many_us) = (median(short), median(long));
    Ok(Lists { engine, few_us, many_us, many_end_us: end, ratio: many_us / few_us })
}

/// A content service with this many articles and no others.
struct Service {
    client: NewsServiceClient<Channel>,
    _process: Background,
    _folder: TempDir,
}

impl Service {
    async fn with(
        articles: u32,
        postgres: Option<&Postgres>,
        programs: &Path,
        cores: &Cores,
    ) -> anyhow::Result<Service> {
        let folder = TempDir::new()?;
        let program = programs.join("sahm-content");
        let database = match postgres {
            Some(postgres) => Some(postgres.database().await?),
            None => None,
        };
        let set = |command: &mut Command| {
            clean(command);
            command.env("SAHM_DATA_DIR", folder.path().join("data"));
            if let Some(database) = &database {
                command.env("SAHM_DATABASE_URL", database);
            }
        };
        let files = write_articles(&folder.path().join("articles"), articles)?;
        let mut import = Command::new(&program);
        set(&mut import);
        let said = import.arg("import").arg(&files).stdin(Stdio::null()).output();
        let said = said.with_context(|| format!("cannot run {}", program.display()))?;
        if !said.status.success() {
            bail!("the import failed: {}", String::from_utf8_lossy(&said.stderr));
        }
        let address = free_address()?;
        let mut serve = cores.on_server_core(&program);
        set(&mut serve);
        serve
            .env("SAHM_CONTENT_LISTEN", address.to_string())
            .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
            .env("RUST_LOG", "warn");
        let mut process = Background::start(serve, &folder.path().join("content.log"))?;
        let client = connected(address, &mut process).await?;
        Ok(Service { client, _process: process, _folder: folder })
    }

    /// The durations of at most `most` pages from a cursor, and the next cursor; empty at the end.
    async fn pages(&self, mut cursor: String, most: usize) -> anyhow::Result<(Vec<u64>, String)> {
        let mut client = self.client.clone();
        let mut times = Vec::new();
        while times.len() < most {
            let asked = ListArticlesRequest {
                market: "us".into(),
                locale: "en-us".into(),
                size: SIZE,
                cursor,
            };
            let began = Instant::now();
            let page = client.list_articles(asked).await?.into_inner();
            times.push(u64::try_from(began.elapsed().as_nanos())?);
            ensure!(page.items.len() == SIZE as usize, "a page of {} articles", page.items.len());
            cursor = page.next_cursor;
            if cursor.is_empty() {
                break;
            }
        }
        Ok((times, cursor))
    }
}

/// Waits until the service responds.
async fn connected(
    address: SocketAddr,
    process: &mut Background,
) -> anyhow::Result<NewsServiceClient<Channel>> {
    let endpoint = Endpoint::try_from(format!("http://{address}"))?.tcp_nodelay(true);
    let began = Instant::now();
    loop {
        if let Ok(channel) = endpoint.connect().await {
            while !is_indexed(&channel).await {
                ensure!(began.elapsed() < START, "nothing is found after {START:?}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            return Ok(NewsServiceClient::new(channel));
        }
        ensure!(began.elapsed() < START, "the content service is not up after {START:?}");
        process.lives()?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether the search responds: the index is built in the background, which would disturb the
/// measurement.
async fn is_indexed(channel: &Channel) -> bool {
    let asked = SearchRequest { keyword: "article".into(), ..SearchRequest::default() };
    SearchServiceClient::new(channel.clone()).search(asked).await.is_ok()
}

/// Articles of one market, a minute apart, as files that can be imported.
fn write_articles(folder: &Path, articles: u32) -> anyhow::Result<std::path::PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut file = None;
    for number in 0..articles {
        if number % LINES == 0 {
            let name = folder.join(format!("{:03}.jsonl", number / LINES));
            file = Some(std::io::BufWriter::new(std::fs::File::create(name)?));
        }
        let minutes = i64::from(number);
        let record = serde_json::json!({
            "kind": "news", "id": 1_000_000 + number, "locale": "en-us", "sample": true,
            "market": "us", "title": format!("Article {number}"),
            "summary": "One of many, to see how long a page of the list takes.",
            "publishedAt": published(minutes),
            "body": format!("Text of article {number}."),
        });
        if let Some(file) = &mut file {
            writeln!(file, "{record}")?;
        }
    }
    Ok(folder.to_path_buf())
}

/// RFC 3339 of this many minutes after 1 January 2025.
fn published(minutes: i64) -> String {
    let (days, minutes) = (minutes / 1440, minutes % 1440);
    // Months of 28 days are enough to distinguish the articles.
    let (year, month, day) = (2025 + days / 336, days % 336 / 28 + 1, days % 28 + 1);
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:00Z", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::published;

    #[test]
    fn articles_are_a_minute_apart_and_all_in_the_past() {
        assert_eq!(published(0), "2025-01-01T00:00:00Z");
        assert_eq!(published(1441), "2025-01-02T00:01:00Z");
        assert!(published(99_999).starts_with("2025-03-"));
        let mut all: Vec<String> = (0..100_000).map(published).collect();
        let sorted = all.is_sorted();
        all.dedup();
        assert!(sorted && all.len() == 100_000);
    }
}
