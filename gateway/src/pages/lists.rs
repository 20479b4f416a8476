//! Lists that pages show: a page at a time, and for as long as no item enters.

use sahm_chassis::error::{Error, ErrorCode};

use super::Found;

/// A list of which items are dated ahead.
pub(super) struct Timed<T> {
    pub(super) items: Vec<T>,
    /// When the next one enters, epoch seconds; 0: none is known.
    pub(super) next_change_at: u32,
}

impl<T> Default for Timed<T> {
    fn default() -> Self {
        Self { items: Vec::new(), next_change_at: 0 }
    }
}

impl Found {
    /// The items of an optional list: without them the page is partial.
    pub(super) fn timed<T>(&mut self, part: &'static str, list: Result<Timed<T>, Error>) -> Vec<T> {
        let Timed { items, next_change_at } = self.optional(part, list).unwrap_or_default();
        self.changes_at(next_change_at);
        items
    }
}

/// Asks for the page of a list that a cursor names; an invalid cursor is the first page (docs/page-cache.md). Says beside it whether it is a later page than the first.
pub(super) async fn page_of<T, F>(
    cursor: Option<&str>,
    list: impl Fn(String) -> F,
) -> Result<(T, bool), Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let Some(cursor) = cursor else { return Ok((list(String::new()).await?, false)) };
    match list(cursor.to_owned()).await {
        Err(error) if error.code() == ErrorCode::Parameter => {
            Ok((list(String::new()).await?, false))
        }
        later => Ok((later?, true)),
    }
}
