//! A browser that navigates: it loads a document with its assets, then page data with code of other pages, and a
//! document again if another build responds (docs/pages.md).

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use sahm_gateway::site::{PageAssets, Site};
use serde_json::Value;

use crate::{
    kit::{Client, Html, Response, agent},
    load::Load,
};

/// The pages that it visits in turn.
pub(crate) const PATHS: [&str; 5] =
    ["/en-us", "/en-us/news/us", "/en-us/education", "/en-us/support", "/en-us/about"];
/// The locale of the pages.
const LOCALE: &str = "en-us";

/// The current document's build, and the assets that it has loaded.
struct PageState {
    build: String,
    loaded: BTreeSet<String>,
}

/// Browses until the load ends. `builds` are the possible builds, by build id.
pub(crate) async fn browse(load: Load, client: Client, builds: BTreeMap<String, Site>) {
    let mut shown = document(&load, &client, PATHS[0]).await;
    for (at, path) in PATHS.iter().cycle().enumerate() {
        // Reloads now and then.
        if at % PATHS.len() == PATHS.len() - 1 {
            shown = document(&load, &client, path).await;
            continue;
        }
        let headers =
            [("user-agent", agent::PC), ("accept", "application/json"), ("x-build", &*shown.build)];
        let request = ("GET", &*format!("/_data{path}"));
        let Some(data) = load.send("data", &client, request, &headers, "").await else { continue };
        if data.status == 409 {
            shown = document(&load, &client, path).await;
            continue;
        }
        let data = data.json();
        if data["build"] != *shown.build {
            load.fail(path, format!("data of another build than {}", shown.build));
            continue;
        }
        let page = data["page"].as_str().unwrap();
        let assets = builds[&shown.build].page_assets(page).unwrap();
        code(&load, &client, assets, &mut shown.loaded).await;
    }
}

/// Loads the assets of a page that the document has not loaded yet.
async fn code(load: &Load, client: &Client, page: &PageAssets, loaded: &mut BTreeSet<String>) {
    let named = page.preload.iter().chain(&page.messages[LOCALE]).chain(&page.styles);
    let mut needed = named.cloned().collect::<Vec<_>>();
    while !needed.is_empty() {
        needed.retain(|name| loaded.insert(name.clone()));
        // Concurrently, as browsers do.
        let requests = needed.iter().map(async |name| {
            let headers = [("user-agent", agent::PC)];
            let chunk = load.send("chunk", client, ("GET", name), &headers, "").await?;
            name.ends_with(".js").then(|| late_parts(chunk.text()).collect::<Vec<_>>())
        });
        needed = join_all(requests).await.into_iter().flatten().flatten().collect();
    }
}

/// The chunks that a chunk imports dynamically.
fn late_parts(chunk: &str) -> impl Iterator<Item = String> {
    chunk.split("import(").skip(1).filter_map(|named| {
        let file = named.get(1..)?.strip_prefix("./")?.split(['`', '"', '\'']).next()?;
        Some(format!("/assets/{file}"))
    })
}

/// Loads a document and its assets.
async fn document(load: &Load, client: &Client, path: &str) -> PageState {
    loop {
        let headers = [("user-agent", agent::PC)];
        let Some(page) = load.page("document", client, path, &headers).await else { continue };
        let loaded = assets(&page);
        for asset in &loaded {
            load.send("asset", client, ("GET", asset), &headers, "").await;
        }
        let html = Html::parse(page.text());
        let payload = html.payload();
        let build = payload["build"].as_str().unwrap_or_default();
        load.shown(build);
        return PageState { build: build.to_owned(), loaded };
    }
}

fn assets(page: &Response) -> BTreeSet<String> {
    let html = Html::parse(page.text());
    let named = html.tags.iter().filter_map(|tag| tag.get("src").or(tag.get("href")));
    let mut assets: BTreeSet<_> =
        named.filter(|name| name.starts_with("/assets/")).map(str::to_owned).collect();
    // Scripts that the boot script fetches.
    let scripts = html.json("sahm-scripts").unwrap_or_default();
    let lists = ["preload", "prefetch"].into_iter().filter_map(|list| scripts[list].as_array());
    let scripts = lists.flatten().chain([&scripts["entry"]]).filter_map(Value::as_str);
    assets.extend(scripts.map(str::to_owned));
    assert!(!assets.is_empty(), "{}", page.text());
    assets
}
