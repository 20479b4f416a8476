//! Data sources other than the service's store.

mod geoip;

pub use geoip::Geoip;
