//! What the service learns from outside its store.

mod geoip;

pub use geoip::Geoip;
