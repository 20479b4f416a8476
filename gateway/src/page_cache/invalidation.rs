//! Invalidation by surrogate tags: what the services' change logs have purged ([`index`]), how a log is
//! followed ([`subscriber`]), and its copy in Redis for gateways that start while a service is unavailable ([`replica`]).
//! [`cdn_purges`] tells the CDN.

pub(super) mod cdn_purges;
pub(super) mod index;
pub(super) mod replica;
pub(super) mod subscriber;
