//! Files (docs/redirects.md): `file_path` classifies a path, one module per kind finds the file, and `response` builds
//! the response: content coding, `ETag`, ranges, HEAD.
//!
//! tower-http's `ServeDir` does not fit: it reads a directory, but assets of other builds are in Redis and media files
//! behind gRPC, and its `ETag` differs between replicas.

mod asset_signer;
mod file_cache;
mod file_path;
mod media;
mod range;
mod response;
mod shared_assets;
mod sitemap;
mod static_assets;
mod well_known;

use std::sync::Arc;

use axum::body::Body;
use http::{Method, Response, request::Parts};
use sahm_chassis::{clock, lifecycle::Context, session_keys};
use serde_json::json;

use self::{
    file_path::FilePath,
    media::Media,
    response::{IMMUTABLE, complete, status},
    shared_assets::SharedAssets,
    sitemap::Sitemap,
    static_assets::FileMap,
    well_known::WellKnownFiles,
};
use crate::{
    http::error_response::{method_not_allowed, not_found, too_many_requests},
    limits::{Limits, REDIS_TIMEOUT_PAGE_RATE_LIMIT},
    redis_connection::Redis,
    routes::RouteTable,
    services::Services,
};

/// `Cache-Control` of icons and similar files, whose names do not change with their contents.
const ROOT_CACHE: &str = "public, max-age=3600";

/// `project` in `/metrics`.
const PROJECT: &str = "sahm";

/// The files of the site.
pub(crate) struct Files {
    assets: Arc<FileMap>,
    root: FileMap,
    shared: Option<SharedAssets>,
    media: Media,
    well_known: WellKnownFiles,
    sitemap: Sitemap,
    limits: Limits,
    environment: &'static str,
}

impl Files {
    /// Reads the build into memory and publishes its assets in Redis, if configured.
    ///
    /// # Errors
    /// The build is missing, or in `dev` the session keys can neither be read nor created.
    pub(crate) async fn load(
        context: &Context,
        services: &Services,
        routes: &RouteTable,
        redis: Option<Arc<Redis>>,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let settings = &context.settings;
        let client = settings.site_dir.join("client");
        let assets = Arc::new(static_assets::read(&client.join("assets"))?);
        let root = static_assets::read_root(&client)?;
        let shared = match redis {
            Some(redis) => Some(SharedAssets::new(redis, session_keys(settings)?)),
            None => None,
        };
        if let Some(shared) = &shared {
            shared.publish(assets.clone(), &context.lifecycle).await;
        }
        Ok(Self {
            assets,
            root,
            shared,
            media: Media::new(services, limits.clone()),
            well_known: WellKnownFiles::new(settings),
            sitemap: Sitemap::new(services, routes, &settings.public_url, limits.clone()),
            limits,
            environment: settings.environment.as_str(),
        })
    }

    /// Whether a path is that of a file, which need not exist.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).is_some()
    }

    /// The response to a request for a file; `None` for the path of a page.
    pub(crate) async fn handle(&self, parts: &Parts) -> Option<Response<Body>> {
        let path = self.path(parts.uri.path())?;
        let response = match parts.method {
            Method::GET | Method::HEAD => self.respond(parts, path).await,
            _ => method_not_allowed("GET, HEAD", "method not allowed\n"),
        };
        Some(complete(parts, response))
    }

    fn path<'a>(&self, path: &'a str) -> Option<FilePath<'a>> {
        let is_file = |path: &FilePath<'_>| match path {
            FilePath::Root(name) => self.root.contains_key(*name),
            _ => true,
        };
        FilePath::of(path).filter(is_file)
    }

    async fn respond(&self, parts: &Parts, path: FilePath<'_>) -> Response<Body> {
        match path {
            FilePath::Asset(name) => self.asset(parts, name).await,
            FilePath::Media(name) => self.media.respond(parts, name).await,
            FilePath::WellKnown(_) | FilePath::Robots(_) | FilePath::Verification(_) => {
                let file = self.well_known.find(path).await;
                file.map_or_else(not_found, |file| file.response(parts, well_known::CACHE))
            }
            FilePath::Sitemap(name) => self.sitemap.respond(parts, name).await,
            FilePath::Metrics => status(&json!({
                "status": "success",
                "project": PROJECT,
                "env": self.environment,
                "time": clock::now(),
            })),
            FilePath::Status => status(&json!({ "status": "success" })),
            FilePath::Root(name) => {
                self.root.get(name).map_or_else(not_found, |file| file.response(parts, ROOT_CACHE))
            }
        }
    }

    /// An asset of this build, otherwise one of another build from Redis.
    async fn asset(&self, parts: &Parts, name: &str) -> Response<Body> {
        if let Some(file) = self.assets.get(name) {
            return file.response(parts, IMMUTABLE);
        }
        let Some(shared) = self.shared.as_ref().filter(|_| file_path::is_asset(name)) else {
            return not_found();
        };
        if let Some(file) = shared.known(name) {
            return file.response(parts, IMMUTABLE);
        }
        if let Err(wait) = self.limits.check_miss(parts, REDIS_TIMEOUT_PAGE_RATE_LIMIT).await {
            return too_many_requests(wait);
        }
        shared.find(name).await.map_or_else(not_found, |file| file.response(parts, IMMUTABLE))
    }
}

#[cfg(test)]
mod tests;
