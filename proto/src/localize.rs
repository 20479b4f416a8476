//! Bilingual fields: a text `name` with `name_en` and `name_sa`, or `sa_name`, and `ft_name` beside it.

use std::mem::take;

use crate::Locale;

/// A message whose bilingual fields can be reduced to one language. The build implements it for every message of
/// `sahm.page.v1` and for every message with a bilingual field that is part of one.
pub trait Localize {
    /// Leaves the text of `locale` in each bare field and empties the fields beside it. Where the text is missing in
    /// `locale`, English takes its place, then the bare field.
    fn localize(&mut self, locale: Locale);
}

/// Does for one field what [`Localize::localize`] does for a message.
pub(crate) fn localize_field(
    locale: Locale,
    bare: &mut String,
    english: &mut String,
    arabic: &mut String,
) {
    let (english, arabic) = (take(english), take(arabic));
    let text = if locale == Locale::ArSa && !arabic.is_empty() { arabic } else { english };
    if !text.is_empty() {
        *bare = text;
    }
}
