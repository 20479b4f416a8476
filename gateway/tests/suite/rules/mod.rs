//! The gateway over HTTP: redirects, cookies, limits, proxied apps (docs/redirects.md), and error reports of browsers.

mod cdn;
mod cookies;
mod kit;
mod limits;
mod proxy;
mod redirects;
mod reports;
mod security_headers;
