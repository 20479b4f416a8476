//! The frontend's build, as `site.json` describes it: build id, texts of heads, assets of pages.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

use crate::{routes::PageId, visitor::Locale};

/// `{site_dir}/site.json`, read strictly.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Identifies the build.
    pub build: String,
    heads: BTreeMap<String, BTreeMap<String, HeadText>>,
    shell: BTreeMap<String, ShellText>,
    site_name: BTreeMap<String, String>,
    /// URLs of scripts, styles and fonts.
    pub assets: Assets,
}

/// Title and description of a page, with `{name}` placeholders, and its image.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct HeadText {
    pub title: String,
    pub description: String,
    /// Path of the preview image if the page's content has none.
    pub image: String,
}

/// Texts of a page that could not be rendered.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShellText {
    /// Shown by a shell if scripts are disabled.
    pub noscript: String,
    /// Heading of the static error page.
    pub unavailable_title: String,
    pub unavailable_text: String,
    pub home: String,
}

/// Addresses of built files, all `/assets/…`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assets {
    /// Scripts that every page loads.
    pub scripts: Scripts,
    pages: BTreeMap<String, PageAssets>,
    fonts: BTreeMap<String, Vec<String>>,
}

/// Scripts that every page loads.
#[derive(Debug, Deserialize)]
pub struct Scripts {
    /// The module that hydrates.
    pub entry: String,
    /// Small and blocking: sets the presentation that depends on a cookie before the first paint.
    pub boot: String,
}

/// The assets of a page's first load.
#[derive(Debug, Deserialize)]
pub struct PageAssets {
    pub preload: Vec<String>,
    /// Message chunks by locale.
    pub messages: BTreeMap<String, Vec<String>>,
    /// Modules of parts out of view and of navigations.
    pub prefetch: Vec<String>,
    /// Style sheets, in order.
    pub styles: Vec<String>,
}

/// Why a build cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The file is missing or cannot be read.
    #[error("{path}: {source} (is the frontend built?)")]
    Read { path: String, source: std::io::Error },
    /// The file does not have the expected form.
    #[error("site.json: {0}")]
    Json(#[from] serde_json::Error),
    /// An asset or text that a page needs is missing.
    #[error("site.json: page `{page}` lacks its {what}")]
    Incomplete { page: String, what: String },
}

pub const ERROR_PAGE: &str = "error";

impl Site {
    /// Reads the build in `site_dir` and checks that every page of the route table is in it.
    pub fn load(site_dir: &Path) -> Result<Self, SiteError> {
        let path = site_dir.join("site.json");
        let json = fs::read_to_string(&path)
            .map_err(|source| SiteError::Read { path: path.display().to_string(), source })?;
        let site = serde_json::from_str::<Self>(&json)?;
        site.check()?;
        Ok(site)
    }

    fn check(&self) -> Result<(), SiteError> {
        let pages = PageId::ALL.iter().map(|page| page.as_str()).chain([ERROR_PAGE]);
        for page in pages {
            let missing = |what: String| SiteError::Incomplete { page: page.to_owned(), what };
            let assets = self.assets.pages.get(page).ok_or_else(|| missing("assets".to_owned()))?;
            for locale in Locale::ALL {
                let key = locale.as_str();
                if !self.heads.get(page).is_some_and(|texts| texts.contains_key(key)) {
                    return Err(missing(format!("{key} title")));
                }
                if !assets.messages.contains_key(key) {
                    return Err(missing(format!("{key} messages")));
                }
                if !(self.shell.contains_key(key) && self.site_name.contains_key(key)) {
                    return Err(missing(format!("{key} shell texts")));
                }
            }
        }
        Ok(())
    }

    /// Title, description and image of a page.
    pub fn head(&self, page: &str, locale: Locale) -> HeadText {
        self.heads
            .get(page)
            .and_then(|texts| texts.get(locale.as_str()))
            .cloned()
            .unwrap_or_default()
    }

    pub fn page_assets(&self, page: &str) -> Option<&PageAssets> {
        self.assets.pages.get(page)
    }

    /// Fonts to preload.
    pub fn fonts(&self, locale: Locale) -> &[String] {
        self.assets.fonts.get(locale.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Texts of shells and of the static error page.
    pub fn shell(&self, locale: Locale) -> Option<&ShellText> {
        self.shell.get(locale.as_str())
    }

    pub fn name(&self, locale: Locale) -> &str {
        self.site_name.get(locale.as_str()).map_or("", String::as_str)
    }
}
