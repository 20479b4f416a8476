//! Files (docs/redirects.md): assets, images, files at the root of the site, app association, robots, verification,
//! sitemaps, status.

mod answer;
mod file_cache;
mod file_path;
mod media;
mod miss_limit;
mod range;
mod shared_assets;
mod sitemap;
mod static_assets;
mod well_known;

use std::sync::Arc;

use anyhow::Context as _;
use axum::body::Body;
use http::{HeaderValue, Method, Response, StatusCode, header, request::Parts};
use sahm_chassis::{clock::Clock, lifecycle::Context};

use self::{
    answer::IMMUTABLE, file_path::Name, media::Media, miss_limit::MissLimit,
    shared_assets::SharedAssets, sitemap::Sitemap, static_assets::FileMap,
    well_known::WellKnownFiles,
};
use crate::{
    limits::{Limits, REDIS_TIME_PAGE_LIMIT},
    redis_connection::Redis,
    routes::RouteTable,
    services::Services,
};

/// For icons and the like: their names do not change with their content.
const ROOT_CACHE: &str = "public, max-age=3600";

/// `project` in `/metrics`.
const PROJECT: &str = "sahm";

/// The served files of this process.
#[derive(Clone)]
pub struct Files(Arc<Inner>);

struct Inner {
    assets: Arc<FileMap>,
    root: FileMap,
    shared: Option<SharedAssets>,
    media: Media,
    operator: WellKnownFiles,
    sitemap: Sitemap,
    uncached: MissLimit,
    environment: &'static str,
    clock: Clock,
}

impl Files {
    /// Reads the build into memory and puts its assets into Redis where there is one.
    ///
    /// Errors: the build is not there; the Redis address is not one.
    pub async fn load(
        context: &Context,
        services: &Services,
        routes: &RouteTable,
    ) -> anyhow::Result<Self> {
        let url = context.settings.redis_url.as_ref();
        let redis = url.map(|url| Redis::new(url.expose())).transpose();
        let redis = redis.context("SAHM_REDIS_URL")?.map(Arc::new);
        if let Some(redis) = &redis {
            context.lifecycle.spawn_until_drain("redis connection", redis.clone().run());
        }
        Self::limited(context, services, routes, redis, Limits::off()).await
    }

    /// The same with budgets for those who ask.
    pub(crate) async fn limited(
        context: &Context,
        services: &Services,
        routes: &RouteTable,
        redis: Option<Arc<Redis>>,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let uncached = MissLimit::new(limits);
        let settings = &context.settings;
        let client = settings.site_dir.join("client");
        let assets = Arc::new(static_assets::read(&client.join("assets"))?);
        let root = static_assets::read_root(&client)?;
        let shared = redis.map(SharedAssets::new);
        if let Some(shared) = &shared {
            shared.publish(assets.clone(), &context.lifecycle).await;
        }
        Ok(Self(Arc::new(Inner {
            assets,
            root,
            shared,
            media: Media::new(services, uncached.clone()),
            operator: WellKnownFiles::new(settings, Clock::system()),
            sitemap: Sitemap::new(services, routes, &settings.public_url, uncached.clone()),
            uncached,
            environment: settings.environment.as_str(),
            clock: Clock::system(),
        })))
    }

    /// Whether a path is a file's, there or not.
    pub(crate) fn has(&self, path: &str) -> bool {
        match Name::of(path) {
            Some(Name::Root(name)) => self.0.root.contains_key(name),
            name => name.is_some(),
        }
    }

    /// Answers a request for a file; `None` when the path is no file's, so that it may be a page.
    pub async fn handle(&self, parts: &Parts) -> Option<Response<Body>> {
        self.0.handle(parts).await
    }
}

impl Inner {
    async fn handle(&self, parts: &Parts) -> Option<Response<Body>> {
        let name = Name::of(parts.uri.path())?;
        let root = match name {
            Name::Root(name) => Some(self.root.get(name)?),
            _ => None,
        };
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            let mut response =
                answer::plain(parts, StatusCode::METHOD_NOT_ALLOWED, "method not allowed\n");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return Some(response);
        }
        Some(match name {
            Name::Asset(name) => self.asset(parts, name).await,
            Name::Media(name) => self.media.answer(parts, name).await,
            Name::Known(known) => self.operator.known(parts, known).await,
            Name::Robots(name) => self.operator.robots(parts, name).await,
            Name::Verification(name) => self.operator.verification(parts, name).await,
            Name::Sitemap(name) => self.sitemap.answer(parts, name).await,
            Name::Metrics => status(
                parts,
                &serde_json::json!({
                    "status": "success",
                    "project": PROJECT,
                    "env": self.environment,
                    "time": self.clock.now(),
                }),
            ),
            Name::Status => status(parts, &serde_json::json!({ "status": "success" })),
            Name::Root(_) => root?.answer(parts, ROOT_CACHE),
        })
    }

    /// An asset of this build, else one of another build that Redis knows.
    async fn asset(&self, parts: &Parts, name: &str) -> Response<Body> {
        if let Some(file) = self.assets.get(name) {
            return file.answer(parts, IMMUTABLE);
        }
        if let Some(shared) = self.shared.as_ref().filter(|_| file_path::is_asset(name)) {
            if let Some(file) = shared.known(name) {
                return file.answer(parts, IMMUTABLE);
            }
            if let Some(refusal) = self.uncached.refusal(parts, REDIS_TIME_PAGE_LIMIT).await {
                return refusal;
            }
            if let Some(file) = shared.find(name).await {
                return file.answer(parts, IMMUTABLE);
            }
        }
        answer::plain(parts, StatusCode::NOT_FOUND, "not found\n")
    }
}

fn status(parts: &Parts, value: &serde_json::Value) -> Response<Body> {
    let mut response = answer::whole(parts, "application/json", value.to_string().into());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Epoch seconds in the form of RFC 3339.
fn timestamp(seconds: u32) -> String {
    jiff::Timestamp::from_second(i64::from(seconds)).unwrap_or_default().to_string()
}
