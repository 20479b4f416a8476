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
    let (path, parts, full_screen): (_, &[(&str, &str)], _) = match *segments.as_slice() {
        ["education"] => ("/feature/college", &[], false),
        ["education", "category"] => ("/feature/college/course/list", &[], false),
        ["education", "category", id] => {
            ("/feature/college/course/list", &[("categoryId", id)], false)
        }
        ["education", "course"] => ("/feature/college/course/detail", &[], true),
        ["education", "course", id] => {
            ("/feature/college/course/detail", &[("courseId", id)], true)
        }
        ["education", "course", id, category] => {
            ("/feature/college/course/detail", &[("courseId", id), ("categoryId", category)], true)
        }
        ["education", "article"] => ("/feature/college/article/detail", &[], true),
        ["education", "article", id] | ["education", "article", id, _] => {
            ("/feature/college/article/detail", &[("articleId", id)], true)
        }
        ["education", "article", id, _, course] => {
            ("/feature/college/article/detail", &[("articleId", id), ("courseId", course)], true)
        }
        _ => return None,
    };
    let mut computed = parts.to_vec();
    computed.extend(full_screen.then_some(FULL_SCREEN));
    computed.push(("lang", request.visitor.locale.tag()));
    Some(Redirect::found(path, &query::with(&computed, request.query)))
}
