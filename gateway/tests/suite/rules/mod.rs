//! The gateway's rules over the wire: redirects, cookies, limits, the apps beside the site
//! (docs/redirects.md), and what browsers report.

mod cdn;
mod cookies;
mod kit;
mod limits;
mod protection;
mod proxy;
mod redirects;
mod reports;
