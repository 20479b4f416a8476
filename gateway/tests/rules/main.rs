//! The gateway's rules over the wire: redirects, cookies, limits, the apps beside the site
//! (contract §4, §7, §8), and what browsers report.
#![allow(clippy::unwrap_used)]

mod cookies;
mod kit;
mod limits;
mod protection;
mod proxy;
mod redirects;
mod reports;
