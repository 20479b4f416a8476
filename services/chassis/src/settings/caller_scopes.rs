//! Which calls internal callers may make with their tokens (docs/calling-services.md#scopes).
use std::collections::{BTreeMap, BTreeSet};

use super::{
    reader::{Reader, closest},
    values::{GATEWAY, NamedToken},
};
use crate::methods;

const SCOPES: &str = "SAHM_CALLER_SCOPES";
const EVERY_CALL: &str = "*";

/// The scopes of each caller, by its name. A scope is `*`, or a package, service or method as in
/// `sahm.content.v1`, `sahm.content.v1.NewsService` and `sahm.content.v1.NewsService/ListArticles`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallerScopes(BTreeMap<String, Vec<String>>);

impl CallerScopes {
    /// Parses `name=scope`, comma-separated, several entries for a name. If any scope is set, each
    /// caller except the gateway must have one, so that a misspelt name does not leave a caller
    /// unlimited.
    pub(super) fn read(r: &mut Reader, callers: &[NamedToken]) -> CallerScopes {
        let mut scopes = BTreeMap::<String, Vec<String>>::new();
        let known = known_scopes();
        let entries = r.list(SCOPES, "a list of name=scope", |entry| {
            let (name, scope) = entry.split_once('=')?;
            (!name.is_empty() && !scope.is_empty()).then(|| (name.to_owned(), scope.to_owned()))
        });
        for (name, scope) in entries {
            if !known.contains(scope.as_str()) {
                let suggestion = closest(&scope, known.iter().copied())
                    .map(|scope| format!(" (did you mean {scope}?)"));
                let suggestion = suggestion.unwrap_or_default();
                r.fault(SCOPES, format!("no such package, service or method: {scope}{suggestion}"));
            }
            scopes.entry(name).or_default().push(scope);
        }
        if !scopes.is_empty() {
            let names: BTreeSet<_> = callers.iter().map(|caller| caller.name.as_str()).collect();
            for name in names {
                if name != GATEWAY && !scopes.contains_key(name) {
                    r.fault(SCOPES, format!("no scope for {name} ({name}=* allows every call)"));
                }
            }
        }
        CallerScopes(scopes)
    }

    /// Whether the caller's token permits the call at this path. A caller without scopes may make every call.
    pub(crate) fn permit(&self, caller: &str, path: &str) -> bool {
        self.0.get(caller).is_none_or(|scopes| scopes.iter().any(|scope| covers(scope, path)))
    }
}

fn covers(scope: &str, path: &str) -> bool {
    let method = path.strip_prefix('/').unwrap_or(path);
    scope == EVERY_CALL
        || method
            .strip_prefix(scope)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
}

/// All scopes that cover at least one rpc.
fn known_scopes() -> BTreeSet<&'static str> {
    let mut known = BTreeSet::from([EVERY_CALL]);
    for path in methods::paths() {
        let method = path.trim_start_matches('/');
        let service = method.split_once('/').map_or(method, |(service, _)| service);
        let package = service.rsplit_once('.').map_or(service, |(package, _)| package);
        known.extend([method, service, package]);
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_covers_its_package_service_or_method_only() {
        struct Case {
            scope: &'static str,
            path: &'static str,
            is_covered: bool,
        }
        const LIST: &str = "/sahm.content.v1.NewsService/ListArticles";
        let cases = [
            Case { scope: "*", path: LIST, is_covered: true },
            Case { scope: "sahm.content.v1", path: LIST, is_covered: true },
            Case { scope: "sahm.content.v1.NewsService", path: LIST, is_covered: true },
            Case {
                scope: "sahm.content.v1.NewsService/ListArticles",
                path: LIST,
                is_covered: true,
            },
            Case { scope: "sahm.content.v1.NewsService/List", path: LIST, is_covered: false },
            Case { scope: "sahm.content.v1.News", path: LIST, is_covered: false },
            Case { scope: "sahm.content.v1.HelpService", path: LIST, is_covered: false },
            Case { scope: "sahm.quotes.v1", path: LIST, is_covered: false },
        ];
        for Case { scope, path, is_covered } in cases {
            assert_eq!(covers(scope, path), is_covered, "{scope} {path}");
        }
    }
}
