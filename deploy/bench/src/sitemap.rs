//! The site's pages as its sitemap names them.

use std::net::SocketAddr;

use anyhow::ensure;

use crate::client::{self, Connection};

/// The paths of all pages, part by part in the order of the sitemap's index.
///
/// # Errors
/// A response other than 200.
pub(crate) async fn paths(address: SocketAddr) -> anyhow::Result<Vec<String>> {
    let mut connection = Connection::open(address).await?;
    let mut paths = Vec::new();
    for part in paths_in(&fetch_text(&mut connection, "/sitemap.xml").await?) {
        paths.extend(paths_in(&fetch_text(&mut connection, &part).await?));
    }
    Ok(paths)
}

async fn fetch_text(connection: &mut Connection, path: &str) -> anyhow::Result<String> {
    let response = connection.fetch(&client::get(path, &[])).await?;
    ensure!(response.status == 200, "{path}: status {}", response.status);
    Ok(String::from_utf8(response.body)?)
}

/// The paths of a sitemap's `<loc>` addresses.
fn paths_in(xml: &str) -> Vec<String> {
    xml.split("<loc>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</loc>"))
        .filter_map(|(address, _)| address.split_once("://"))
        .filter_map(|(_, rest)| rest.find('/').map(|at| rest[at..].to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_of_a_sitemap() {
        let xml =
            "<url><loc>http://h:1/en-us/news</loc></url><loc>https://h/x.xml</loc><loc>bad</loc>";
        assert_eq!(super::paths_in(xml), ["/en-us/news", "/x.xml"]);
    }
}
