//! All pages of the site in both locales, as each kind of visitor receives them.

use std::{fs, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, bail, ensure};
use rand::{
    RngExt,
    distr::weighted::{Error, WeightedIndex},
    rngs::StdRng,
};
use serde::Deserialize;
use tokio::task::JoinSet;

use crate::{
    client::{self, BROWSER, Connection, Request, Response},
    sitemap,
    traffic::visitors::{self, LOOKS},
};

/// Source of the pages that no sitemap contains; relative to the repository's root.
const ROUTES: &str = "frontend/routes.json";
const LOCALES: [&str; 2] = ["/en-us", "/ar-sa"];
/// Connections that request everything once.
const WARMERS: usize = 4;

/// Attempts for a page, and the delay between them.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(250);

/// All pages. Pages with shorter paths are requested more often.
pub(crate) struct Pages {
    pages: Vec<Page>,
    popularity: WeightedIndex<f64>,
}

/// A page and the response for each of [`LOOKS`].
pub(crate) struct Page {
    pub(crate) path: String,
    known: Vec<Known>,
}

/// The first response.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) status: u16,
    pub(crate) etag: Option<String>,
}

#[derive(Deserialize)]
struct Routes {
    routes: Vec<Route>,
}

#[derive(Deserialize)]
struct Route {
    path: String,
    cacheable: bool,
}

impl Pages {
    /// Requests every page and its data once for each of [`LOOKS`].
    ///
    /// # Errors
    /// There are no pages, or one fails.
    pub(crate) async fn visit(address: SocketAddr) -> anyhow::Result<Pages> {
        let paths: Arc<[String]> = ordered(all_paths(address).await?).into();
        ensure!(!paths.is_empty(), "the site has no page");
        let mut warmers = JoinSet::new();
        for first in 0..WARMERS {
            let paths = Arc::clone(&paths);
            warmers.spawn(async move {
                let mut connection = Connection::open(address).await?;
                let mut pages = Vec::new();
                for at in (first..paths.len()).step_by(WARMERS) {
                    pages.push((at, visit(&mut connection, &paths[at]).await?));
                }
                anyhow::Ok(pages)
            });
        }
        let mut pages = Vec::new();
        while let Some(done) = warmers.join_next().await {
            pages.extend(done??);
        }
        pages.sort_by_key(|(at, _)| *at);
        let pages: Vec<Page> = pages.into_iter().map(|(_, page)| page).collect();
        Ok(Pages { popularity: zipf(pages.len())?, pages })
    }

    pub(crate) fn count(&self) -> usize {
        self.pages.len()
    }

    /// A random page, popular ones more often.
    pub(crate) fn popular(&self, random: &mut StdRng) -> &Page {
        &self.pages[random.sample(&self.popularity)]
    }

    /// All pages, in the order of crawlers.
    pub(crate) fn all(&self) -> &[Page] {
        &self.pages
    }

    /// Ids of the articles.
    pub(crate) fn articles(&self) -> Vec<String> {
        let ids = self.pages.iter().filter_map(|page| {
            let id = page.path.strip_prefix("/en-us/news/content/")?;
            id.bytes().all(|byte| byte.is_ascii_digit()).then(|| id.to_owned())
        });
        ids.collect()
    }
}

impl Page {
    pub(crate) fn as_seen_by(&self, look: usize) -> &Known {
        &self.known[look]
    }
}

async fn visit(connection: &mut Connection, path: &str) -> anyhow::Result<Page> {
    // From different addresses, because of the rate limit per address.
    let from = path.bytes().fold(0_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let from = format!("198.19.{}.{}", from >> 8, from & 0xff);
    let mut known = Vec::with_capacity(LOOKS.len());
    for look in &LOOKS {
        let headers = [BROWSER, look.headers, &[("x-forwarded-for", from.as_str())]];
        let page =
            patiently(connection, &client::get(path, &headers)).await.context(path.to_owned())?;
        let data = client::get(&data_path(path), &headers);
        patiently(connection, &data).await.context(path.to_owned())?;
        let etag = page.header("etag").map(str::to_owned);
        known.push(Known { status: page.status, etag });
    }
    Ok(Page { path: path.to_owned(), known })
}

/// Retries while the site is too busy: it has just started, on a single core.
async fn patiently(connection: &mut Connection, request: &Request) -> anyhow::Result<Response> {
    for _ in 0..ATTEMPTS {
        let response = connection.fetch(request).await?;
        if response.status < 429 {
            return Ok(response);
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("no page after {ATTEMPTS} attempts")
}

/// The path of a page's data, which the browser requests on navigation.
pub(crate) fn data_path(path: &str) -> String {
    format!("/_data{path}")
}

/// The paths of the sitemap, and routes without a parameter that it does not contain.
async fn all_paths(address: SocketAddr) -> anyhow::Result<Vec<String>> {
    let mut paths = sitemap::paths(address).await?;
    let text = fs::read(ROUTES).with_context(|| format!("cannot read {ROUTES}"))?;
    let routes: Routes = serde_json::from_slice(&text)?;
    for route in routes.routes.iter().filter(|route| route.cacheable && !route.path.contains('{')) {
        let path = route.path.trim_end_matches('/');
        for locale in LOCALES {
            let path = format!("{locale}{path}");
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

/// Paths with fewer segments first, in stable order; the locales of a page are adjacent.
fn ordered(mut paths: Vec<String>) -> Vec<String> {
    let first = |path: &str| paths.iter().position(|other| bare(other) == bare(path));
    let mut keys: Vec<(usize, Option<usize>, String)> =
        paths.iter().map(|path| (path.matches('/').count(), first(path), path.clone())).collect();
    keys.sort();
    paths = keys.into_iter().map(|(_, _, path)| path).collect();
    paths.dedup();
    paths
}

/// A path without its locale.
fn bare(path: &str) -> &str {
    LOCALES.iter().find_map(|locale| path.strip_prefix(locale)).unwrap_or(path)
}

/// Zipf's law: the n-th item of a list is requested 1/n times as often as the first.
pub(crate) fn zipf(length: usize) -> Result<WeightedIndex<f64>, Error> {
    WeightedIndex::new((1..=length).map(|rank| 1.0 / rank as f64))
}

/// The index of a random look by its share, and its headers.
pub(crate) fn looking(random: &mut StdRng) -> (usize, &'static [(&'static str, &'static str)]) {
    let at = visitors::look(random);
    (at, LOOKS[at].headers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn second_item_is_drawn_half_as_often_as_the_first() {
        let (zipf, mut random) = (zipf(100).unwrap(), StdRng::seed_from_u64(2));
        let mut draws = [0.0_f64; 100];
        for _ in 0..200_000 {
            draws[random.sample(&zipf)] += 1.0;
        }
        for rank in [2, 4, 10] {
            let ratio = draws[0] / draws[rank - 1] / rank as f64;
            assert!((0.9..1.1).contains(&ratio), "{rank}: {ratio}");
        }
    }

    #[test]
    fn short_paths_come_first_and_locales_side_by_side() {
        let paths = ["/en-us/news/content/1", "/en-us/news", "/ar-sa", "/ar-sa/news", "/en-us"];
        let ordered = ordered(paths.map(str::to_owned).to_vec());
        let expected = ["/ar-sa", "/en-us", "/ar-sa/news", "/en-us/news", "/en-us/news/content/1"];
        assert_eq!(ordered, expected);
    }
}
