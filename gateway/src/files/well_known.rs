//! Files of the operator (`SAHM_FILES_DIR`), each with a built-in default: app association, robots, verification,
//! security contact.

use std::path::PathBuf;

use bytes::Bytes;
use sahm_chassis::{clock::Clock, settings::Settings};

use super::{
    file_path::WellKnown,
    response::{File, FileError, Resource},
};
use crate::timestamps::rfc3339;

/// `Cache-Control`; operators replace these files in place.
const CACHE: &str = "public, max-age=300";

const MAX_FILE_BYTES: u64 = 256 * 1024;

/// Default verification file; constant, so that it never reflects the requested name.
const PLACEHOLDER: &[u8] = b"<!-- no verification is configured here -->\n";

/// `robots.txt` outside production.
const NO_ROBOTS: &[u8] = b"User-agent: *\nDisallow: /\n";

/// Validity of the built-in `security.txt`, from the start of the day.
const SECURITY_TXT_VALIDITY_SECONDS: u32 = 180 * 24 * 3600;

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

    pub(super) async fn file(&self, file: WellKnown) -> Resource {
        let (name, kind) = match file {
            WellKnown::AppleAppSiteAssociation => ("apple-app-site-association", "x.json"),
            WellKnown::AssetLinks => ("assetlinks.json", "x.json"),
            WellKnown::SecurityTxt => ("security.txt", "x.txt"),
        };
        let configured = match self.read(&format!(".well-known/{name}")).await {
            Some(body) => Some(body),
            None => self.read(name).await,
        };
        let body = configured.unwrap_or_else(|| match file {
            WellKnown::AppleAppSiteAssociation => {
                Bytes::from_static(include_bytes!("builtin/apple-app-site-association.json"))
            }
            WellKnown::AssetLinks => Bytes::from_static(include_bytes!("builtin/assetlinks.json")),
            WellKnown::SecurityTxt => self.security_txt().into(),
        });
        File::new(kind, body).cached(CACHE)
    }

    /// Robots files. Outside production, indexing is always disallowed.
    pub(super) async fn robots(&self, name: &str) -> Result<Resource, FileError> {
        let configured = self.read(name).await;
        if configured.is_none() && name != "robots.txt" {
            return Err(FileError::NotFound);
        }
        let body = match configured {
            _ if !self.may_be_indexed => Bytes::from_static(NO_ROBOTS),
            Some(body) => body,
            None => format!(
                "User-agent: *\nDisallow: /api/\nDisallow: /_data/\n\nSitemap: {}/sitemap.xml\n",
                self.public_url
            )
            .into(),
        };
        Ok(File::new(name, body).cached(CACHE))
    }

    /// A verification file, by default [`PLACEHOLDER`].
    pub(super) async fn verification(&self, name: &str) -> Result<Resource, FileError> {
        let body = match self.read(name).await {
            Some(body) => body,
            None if name.ends_with(".html") => Bytes::from_static(PLACEHOLDER),
            None => return Err(FileError::NotFound),
        };
        Ok(File::new(name, body).cached(CACHE))
    }

    fn security_txt(&self) -> String {
        const DAY: u32 = 24 * 3600;
        let today = self.clock.now() / DAY * DAY;
        let expires = rfc3339(today.saturating_add(SECURITY_TXT_VALIDITY_SECONDS));
        let url = &self.public_url;
        format!(
            "Contact: {url}/en-us/support\nExpires: {expires}\nPreferred-Languages: en, ar\n\
             Canonical: {url}/.well-known/security.txt\n"
        )
    }

    /// Reads a file of the directory. `name` is a constant or has a strict form, so that it cannot escape the
    /// directory.
    async fn read(&self, name: &str) -> Option<Bytes> {
        let path = self.folder.as_ref()?.join(name);
        let data = tokio::fs::metadata(&path).await.ok()?;
        if !data.is_file() || data.len() > MAX_FILE_BYTES {
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
