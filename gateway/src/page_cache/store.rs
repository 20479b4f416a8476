//! Stores of entries: in this process ([`local`]), and in Redis for all gateways ([`remote`]).

mod codec;
pub(super) mod local;
pub(super) mod remote;
