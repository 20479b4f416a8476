//! A browser that goes from page to page: the document with all its assets, then data of further
//! pages, and a document again where another build answers (contract §5).

use crate::{
    kit::{Answer, Client, Html, agent},
    load::Load,
};

/// Where it goes, again and again.
pub(crate) const WAY: [&str; 5] =
    ["/en-us", "/en-us/news/us", "/en-us/education", "/en-us/support", "/en-us/about"];

pub(crate) async fn browse(load: Load, client: Client) {
    let mut build = document(&load, &client, WAY[0]).await;
    for (at, path) in WAY.iter().cycle().enumerate() {
        // Now and then somebody reloads.
        if at % WAY.len() == WAY.len() - 1 {
            build = document(&load, &client, path).await;
            continue;
        }
        let headers =
            [("user-agent", agent::PC), ("accept", "application/json"), ("x-build", &*build)];
        let request = ("GET", &*format!("/_data{path}"));
        let Some(data) = load.ask("data", &client, request, &headers, "").await else { continue };
        if data.status == 409 {
            build = document(&load, &client, path).await;
        } else if data.json()["build"] != *build {
            load.fail(path, format!("data of another build than {build}"));
        }
    }
}

/// Loads a document and all that it names; gives its build.
async fn document(load: &Load, client: &Client, path: &str) -> String {
    loop {
        let headers = [("user-agent", agent::PC)];
        let Some(page) = load.page("document", client, path, &headers).await else { continue };
        for asset in assets(&page) {
            load.ask("asset", client, ("GET", &asset), &headers, "").await;
        }
        let html = Html::parse(page.text());
        let payload = html.payload();
        let build = payload["build"].as_str().unwrap_or_default();
        load.shown(build);
        return build.to_owned();
    }
}

fn assets(page: &Answer) -> Vec<String> {
    let html = Html::parse(page.text());
    let named = html.tags.iter().filter_map(|tag| tag.get("src").or(tag.get("href")));
    let mut assets: Vec<_> =
        named.filter(|name| name.starts_with("/assets/")).map(str::to_owned).collect();
    assets.sort();
    assets.dedup();
    assert!(!assets.is_empty(), "{}", page.text());
    assets
}
