//! The native app gets the education pages of its own web app (docs/redirects.md).

use super::{Redirect, RequestedUrl, query};
use crate::visitor::Platform;

/// Query parameter of pages that fill the app's whole screen.
const FULL_SCREEN: (&str, &str) = ("_app_fullScreen", "y");

pub(super) fn decide(request: &RequestedUrl<'_>) -> Option<Redirect> {
    if request.visitor.platform != Platform::App {
        return None;
    }
    let segments = request.path.segments.iter().map(String::as_str).collect::<Vec<_>>();
    // Each segment after the kind of page is the value of a parameter; an empty name has none.
    let (path, names, full_screen): (_, &[&str], _) = match *segments.as_slice() {
        ["education"] => ("/feature/college", &[], false),
        ["education", "category", ..] => ("/feature/college/course/list", &["categoryId"], false),
        ["education", "course", ..] => {
            ("/feature/college/course/detail", &["courseId", "categoryId"], true)
        }
        ["education", "article", ..] => {
            ("/feature/college/article/detail", &["articleId", "", "courseId"], true)
        }
        _ => return None,
    };
    let values = segments.get(2..).unwrap_or_default();
    if values.len() > names.len() {
        return None;
    }
    let computed = names.iter().copied().zip(values.iter().copied());
    let mut computed = computed.filter(|(name, _)| !name.is_empty()).collect::<Vec<_>>();
    computed.extend(full_screen.then_some(FULL_SCREEN));
    computed.push(("lang", request.visitor.locale.tag()));
    Some(Redirect::found(path, &query::with(&computed, request.query)))
}
