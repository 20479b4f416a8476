//! What callers ask, judged.

use sahm_chassis::{Error, Result};

/// The most of one batch.
const BATCH: usize = 100;

/// What a batch names.
///
/// Errors: nothing, or too many.
pub(super) fn batch<'a, T>(field: &'static str, named: &'a [T]) -> Result<&'a [T]> {
    if (1..=BATCH).contains(&named.len()) {
        return Ok(named);
    }
    Err(Error::field(field, format!("must be 1 to {BATCH}")))
}
