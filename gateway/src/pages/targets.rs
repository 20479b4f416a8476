//! Origins beside this site that a target in a query may have (docs/redirects.md).

use std::sync::Arc;

/// Origins of the white-listed domains; plain http counts `in_dev` only.
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
    fn origins_by_environment() {
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
