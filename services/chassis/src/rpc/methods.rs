//! What the protos say about each call.
use std::{collections::HashMap, sync::LazyLock};

use prost::Message;
use prost_types::{FileDescriptorSet, method_options::IdempotencyLevel};

/// A call as the protos declare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The path: `/sahm.content.v1.NewsService/GetArticle`.
    pub path: String,
    /// Marked `NO_SIDE_EFFECTS`: it may be asked again.
    pub no_side_effects: bool,
    /// The caller streams.
    pub client_streaming: bool,
    /// The answer streams.
    pub server_streaming: bool,
}

static METHODS: LazyLock<HashMap<String, Method>> = LazyLock::new(read);

fn read() -> HashMap<String, Method> {
    let files = match FileDescriptorSet::decode(sahm_proto::DESCRIPTORS) {
        Ok(set) => set.file,
        Err(error) => {
            // They are built in; without them nothing is retried, nothing else is lost.
            tracing::error!(error = %error, "descriptors cannot be read");
            return HashMap::new();
        }
    };
    let mut methods = HashMap::new();
    for file in &files {
        for service in &file.service {
            for method in &service.method {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                let level = method.options.as_ref().map(|options| options.idempotency_level());
                let declared = Method {
                    path: path.clone(),
                    no_side_effects: level == Some(IdempotencyLevel::NoSideEffects),
                    client_streaming: method.client_streaming(),
                    server_streaming: method.server_streaming(),
                };
                methods.insert(path, declared);
            }
        }
    }
    methods
}

/// The call at this path; `None` for those that are not ours, like health and reflection.
pub fn method(path: &str) -> Option<&'static Method> {
    METHODS.get(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_as_declared() {
        let cases = [
            ("/sahm.content.v1.NewsService/GetArticle", Some((true, false))),
            ("/sahm.content.v1.NewsService/WithdrawArticles", Some((false, false))),
            ("/sahm.content.v1.MediaService/GetMedia", Some((true, false))),
            ("/sahm.changes.v1.ChangeLogService/WatchChanges", Some((true, true))),
            ("/sahm.changes.v1.ChangeLogService/PurgeTags", Some((false, false))),
            ("/grpc.health.v1.Health/Watch", None),
        ];
        for (path, declared) in cases {
            let found = method(path).map(|m| (m.no_side_effects, m.server_streaming));
            assert_eq!(found, declared, "{path}");
        }
    }
}
