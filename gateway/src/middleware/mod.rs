//! The layers around the router, one file each; [`crate::app`] puts them in order.

mod admission;
mod catch_panic;
mod fast_path;
mod observe;

pub(crate) use self::{
    admission::admission, catch_panic::catch_panic, fast_path::FastPath, observe::observe,
};
