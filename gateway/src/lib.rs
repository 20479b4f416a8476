//! Routing, redirects, page cache, REST.
