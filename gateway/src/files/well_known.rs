//! Files of the operator (`SAHM_FILES_DIR`): app association, robots, verification, security contact; each with the
//! response where there is none.

use std::path::PathBuf;

use axum::body::Body;
use bytes::Bytes;
use http::{Response, StatusCode, request::Parts};
use sahm_chassis::{clock::Clock, settings::Settings};

use super::{
    answer::{self, File},
    file_path::Known,
};

/// Operators change these in place.
const CACHE: &str = "public, max-age=300";

/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// What a missing verification page is: constant, so that it can never hold the asked name.
const PLACEHOLDER: &[u8] = b"<!-- no verification is configured here -->\n";

/// What everything but production says to robots.
const NO_ROBOTS: &[u8] = b"User-agent: *\nDisallow: /\n";

/// How long a built-in security contact holds, in seconds, from the day it is asked for.
const SECURITY_HOLDS: u32 = 180 * 24 * 3600;

pub(super) struct WellKnownFiles {
    folder: Option<PathBuf>,
    public_url: String,
    may_be_indexed: bool,
    clock: Clock,
}

impl WellKnownFiles {
    pub(super) fn new(settings: &Settings, clock: Clock) -> Self {
        Self {
            folder: settings.files_dir.clone(),
            public_url: settings.public_url.clone(),
            may_be_indexed: settings.environment.is_prod(),
            clock,
        }
    }

    /// App association, asset links, security contact.
    pub(super) async fn known(&self, parts: &Parts, known: Known) -> Response<Body> {
        let (name, kind) = match known {
            Known::AppleAppSiteAssociation => ("apple-app-site-association", "x.json"),
            Known::AssetLinks => ("assetlinks.json", "x.json"),
            Known::SecurityTxt => ("security.txt", "x.txt"),
        };
        let laid_down = match self.read(&format!(".well-known/{name}")).await {
            Some(body) => Some(body),
            None => self.read(name).await,
        };
        let body = laid_down.unwrap_or_else(|| match known {
            Known::AppleAppSiteAssociation => {
                Bytes::from_static(include_bytes!("builtin/apple-app-site-association.json"))
            }
            Known::AssetLinks => Bytes::from_static(include_bytes!("builtin/assetlinks.json")),
            Known::SecurityTxt => self.security_txt().into(),
        });
        File::new(kind, body).answer(parts, CACHE)
    }

    /// Only production may be indexed, whatever the files say.
    pub(super) async fn robots(&self, parts: &Parts, name: &str) -> Response<Body> {
        let laid_down = self.read(name).await;
        if laid_down.is_none() && name != "robots.txt" {
            return answer::plain(parts, StatusCode::NOT_FOUND, "not found\n");
        }
        let body = match laid_down {
            _ if !self.may_be_indexed => Bytes::from_static(NO_ROBOTS),
            Some(body) => body,
            None => format!(
                "User-agent: *\nDisallow: /api/\nDisallow: /_data/\n\nSitemap: {}/sitemap.xml\n",
                self.public_url
            )
            .into(),
        };
        File::new(name, body).answer(parts, CACHE)
    }

    /// A verification file; a missing page is a constant placeholder.
    pub(super) async fn verification(&self, parts: &Parts, name: &str) -> Response<Body> {
        let body = match self.read(name).await {
            Some(body) => body,
            None if name.ends_with(".html") => Bytes::from_static(PLACEHOLDER),
            None => return answer::plain(parts, StatusCode::NOT_FOUND, "not found\n"),
        };
        File::new(name, body).answer(parts, CACHE)
    }

    fn security_txt(&self) -> String {
        const DAY: u32 = 24 * 3600;
        let today = self.clock.now() / DAY * DAY;
        let expires = super::timestamp(today.saturating_add(SECURITY_HOLDS));
        let url = &self.public_url;
        format!(
            "Contact: {url}/en-us/support\nExpires: {expires}\nPreferred-Languages: en, ar\n\
             Canonical: {url}/.well-known/security.txt\n"
        )
    }

    /// A file of the folder; `name` is one of our own or of a strict form, never a way out.
    async fn read(&self, name: &str) -> Option<Bytes> {
        let path = self.folder.as_ref()?.join(name);
        let data = tokio::fs::metadata(&path).await.ok()?;
        if !data.is_file() || data.len() > LARGEST {
            return None;
        }
        match tokio::fs::read(&path).await {
            Ok(body) => Some(body.into()),
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "file not readable");
                None
            }
        }
    }
}
