//! Files of the operator (`SAHM_FILES_DIR`), each with a built-in default: app association, robots, verification,
//! security contact.

use std::path::PathBuf;

use bytes::Bytes;
use sahm_chassis::{clock, settings::Settings};

use super::{
    file_path::{APPLE_APP_SITE_ASSOCIATION, ASSET_LINKS, FilePath, SECURITY_TXT},
    response::File,
};
use crate::timestamps::rfc3339;

/// `Cache-Control`; operators replace these files in place.
pub(super) const CACHE: &str = "public, max-age=300";

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
}

impl WellKnownFiles {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            folder: settings.files_dir.clone(),
            public_url: settings.public_url.clone(),
            may_be_indexed: settings.environment.is_prod(),
        }
    }

    /// The file at the path of one of the operator's files.
    pub(super) async fn find(&self, path: FilePath<'_>) -> Option<File> {
        match path {
            FilePath::WellKnown(name) => Some(self.well_known(name).await),
            FilePath::Robots(name) => self.robots(name).await,
            FilePath::Verification(name) => match self.read(name).await {
                None if name.ends_with(".html") => Some(File::new(name, PLACEHOLDER.into())),
                body => Some(File::new(name, body?)),
            },
            _ => None,
        }
    }

    async fn well_known(&self, name: &str) -> File {
        let configured = match self.read(&format!(".well-known/{name}")).await {
            Some(body) => Some(body),
            None => self.read(name).await,
        };
        let default = || match name {
            APPLE_APP_SITE_ASSOCIATION => {
                include_bytes!("builtin/apple-app-site-association.json").as_slice().into()
            }
            ASSET_LINKS => include_bytes!("builtin/assetlinks.json").as_slice().into(),
            _ => self.security_txt().into(),
        };
        let kind = if name == SECURITY_TXT { "x.txt" } else { "x.json" };
        File::new(kind, configured.unwrap_or_else(default))
    }

    /// Robots files. Outside production, indexing is always disallowed.
    async fn robots(&self, name: &str) -> Option<File> {
        let configured = self.read(name).await;
        let body = match configured {
            None if name != "robots.txt" => return None,
            _ if !self.may_be_indexed => NO_ROBOTS.into(),
            Some(body) => body,
            None => format!(
                "User-agent: *\nDisallow: /api/\nDisallow: /_data/\n\nSitemap: {}/sitemap.xml\n",
                self.public_url
            )
            .into(),
        };
        Some(File::new(name, body))
    }

    fn security_txt(&self) -> String {
        const DAY: u32 = 24 * 3600;
        let today = clock::now() / DAY * DAY;
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
