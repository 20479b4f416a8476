//! How items are named in their canonical addresses (docs/pages.md).

/// The slug, where there is one, else the id.
pub(crate) fn slug_or_id(slug: &str, id: u64) -> String {
    if slug.is_empty() { id.to_string() } else { slug.to_owned() }
}
