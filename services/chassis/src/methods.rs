//! Properties of rpcs that the protos declare.
use std::{collections::HashMap, sync::LazyLock};

use prost::Message;
use prost_types::method_options::IdempotencyLevel;
use sahm_proto::options::v1::Session;

/// An rpc as the protos declare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The path: `/sahm.content.v1.NewsService/GetArticle`.
    pub path: String,
    /// Marked `SESSION_REQUIRED`: it acts for the member that the metadata names.
    pub needs_member: bool,
    /// Marked `NO_SIDE_EFFECTS`: it may be retried.
    pub no_side_effects: bool,
    /// Whether the client streams its requests.
    pub client_streaming: bool,
    /// Whether the server streams its responses.
    pub server_streaming: bool,
}

static METHODS: LazyLock<HashMap<String, Method>> = LazyLock::new(read);

/// The parts of `google.protobuf.FileDescriptorSet` that declare rpcs. The types of `prost_types`
/// drop our method options.
#[derive(Clone, PartialEq, Message)]
struct Files {
    #[prost(message, repeated, tag = "1")]
    file: Vec<File>,
}

#[derive(Clone, PartialEq, Message)]
struct File {
    #[prost(string, tag = "2")]
    package: String,
    #[prost(message, repeated, tag = "6")]
    service: Vec<Service>,
}

#[derive(Clone, PartialEq, Message)]
struct Service {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    method: Vec<MethodDescriptor>,
}

#[derive(Clone, PartialEq, Message)]
struct MethodDescriptor {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, tag = "4")]
    options: Option<Options>,
    #[prost(bool, tag = "5")]
    client_streaming: bool,
    #[prost(bool, tag = "6")]
    server_streaming: bool,
}

#[derive(Clone, PartialEq, Message)]
struct Options {
    #[prost(enumeration = "IdempotencyLevel", tag = "34")]
    idempotency_level: i32,
    #[prost(enumeration = "Session", tag = "50001")]
    session: i32,
}

fn read() -> HashMap<String, Method> {
    let files = match Files::decode(sahm_proto::DESCRIPTORS) {
        Ok(files) => files.file,
        Err(error) => {
            // The descriptors are compiled in. Without them nothing is retried; everything else
            // works.
            tracing::error!(error = %error, "descriptors cannot be read");
            return HashMap::new();
        }
    };
    let mut methods = HashMap::new();
    for File { package, service } in files {
        for Service { name, method } in service {
            for declared in method {
                let path = format!("/{package}.{name}/{}", declared.name);
                let options = declared.options.unwrap_or_default();
                let declared = Method {
                    path: path.clone(),
                    needs_member: options.session() == Session::Required,
                    no_side_effects: options.idempotency_level() == IdempotencyLevel::NoSideEffects,
                    client_streaming: declared.client_streaming,
                    server_streaming: declared.server_streaming,
                };
                methods.insert(path, declared);
            }
        }
    }
    methods
}

/// The paths of all rpcs.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    METHODS.keys().map(String::as_str)
}

/// The rpc at this path; `None` for rpcs of other protos, such as health and reflection.
pub fn method(path: &str) -> Option<&'static Method> {
    METHODS.get(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_have_their_declared_properties() {
        let cases = [
            ("/sahm.content.v1.NewsService/GetArticle", Some((true, false, false))),
            ("/sahm.content.v1.NewsService/WithdrawArticles", Some((false, false, false))),
            ("/sahm.content.v1.MediaService/GetMedia", Some((true, false, false))),
            ("/sahm.changes.v1.ChangeLogService/WatchChanges", Some((true, true, false))),
            ("/sahm.changes.v1.ChangeLogService/PurgeTags", Some((false, false, false))),
            ("/sahm.activity.v1.ParticipantService/JoinCampaign", Some((false, false, true))),
            ("/grpc.health.v1.Health/Watch", None),
        ];
        for (path, declared) in cases {
            let found =
                method(path).map(|m| (m.no_side_effects, m.server_streaming, m.needs_member));
            assert_eq!(found, declared, "{path}");
        }
    }
}
