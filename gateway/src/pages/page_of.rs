//! Lists of which a page shows one part at a time.

use sahm_chassis::error::{Error, ErrorCode};

/// Reads the page of a list that a cursor names; an invalid cursor means the first page (docs/page-cache.md). True:
/// it is a later page than the first.
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
