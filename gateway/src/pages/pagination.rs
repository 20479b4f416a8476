//! Pagination of lists by cursors.

use sahm_chassis::error::{Error, ErrorCode};

/// Reads the page of a list at a cursor, or the first page if the cursor is invalid (docs/page-cache.md). Also returns
/// whether it is a later page.
pub(super) async fn read_page<T, F>(
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
