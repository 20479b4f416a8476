//! Invalidation by surrogate tags: the purges of the services' change logs ([`index`]), how a log is followed
//! ([`subscriber`]), and its copy in Redis for gateways that start while a service is unavailable ([`replica`]).
//! [`cdn_purges`] purges the CDN.

pub(super) mod cdn_purges;
pub(super) mod index;
pub(super) mod replica;
pub(super) mod subscriber;
