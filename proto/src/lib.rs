//! Code generated from the protos in `proto/sahm`: messages, clients, servers, canonical JSON ([`serde`] for every
//! message except those with a field mask), and the descriptor set for reflection and REST.
#![allow(missing_docs, unreachable_pub, clippy::all, clippy::unwrap_used)]

mod locale;
mod localize;
pub mod tags;

pub use locale::Locale;
pub use localize::Localize;
pub use prost_types::FieldMask;

/// The encoded `google.protobuf.FileDescriptorSet` of all packages, comments and options included.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// A generated server that accepts gzip-compressed requests and compresses its responses for callers that accept gzip.
pub trait Gzip {
    /// The server with gzip both ways.
    fn with_gzip(self) -> Self;
}

/// The request of a unary rpc; each rpc has its own.
pub trait UnaryRequest: prost::Message + 'static {
    /// The response of the rpc.
    type Response: prost::Message + Default + 'static;

    /// The path of the rpc: `/sahm.content.v1.NewsService/GetArticle`.
    const PATH: &'static str;

    /// When time changes the response next (epoch seconds, 0: never).
    fn next_change_at(_: &Self::Response) -> u32 {
        0
    }
}
