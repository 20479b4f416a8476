//! Origins that redirect parameters may name, besides this site's own (docs/redirects.md).

use std::sync::Arc;

/// Origins of the allowed hosts; plain HTTP is allowed only `in_dev`.
pub(crate) fn target_origins(hosts: &[String], in_dev: bool) -> Arc<[String]> {
    let schemes: &[&str] = if in_dev { &["https", "http"] } else { &["https"] };
    hosts
        .iter()
        .flat_map(|host| schemes.iter().map(move |scheme| format!("{scheme}://{host}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_origins_are_allowed_in_dev_only() {
        let hosts = ["sahm.example".to_owned(), "go.example".to_owned()];
        let cases: [(&[String], bool, &[&str]); 3] = [
            (&[], true, &[]),
            (&hosts, false, &["https://sahm.example", "https://go.example"]),
            (&hosts[..1], true, &["https://sahm.example", "http://sahm.example"]),
        ];
        for (hosts, in_dev, expected) in cases {
            assert_eq!(*target_origins(hosts, in_dev), *expected, "{hosts:?} {in_dev}");
        }
    }
}
