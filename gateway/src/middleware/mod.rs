//! The layers around the router, one file each; [`crate::app`] puts them in order.

mod catch_panic;
mod concurrency_limit;
mod fast_path;
mod maintenance;
mod metrics;
mod trace;
mod validate_head;

pub(crate) use self::{
    catch_panic::catch_panic, concurrency_limit::concurrency_limit, fast_path::FastPath,
    maintenance::maintenance, metrics::metrics, trace::trace, validate_head::validate_head,
};
