//! The frontend's build, as `site.json` describes it: build id, texts of heads, assets of pages.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::{routes::PageId, visitor::Locale};

/// `{site_dir}/site.json`, read strictly.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Identifies the build.
    pub build: String,
    heads: BTreeMap<String, PerLocale<HeadText>>,
    shell: PerLocale<ShellText>,
    site_name: PerLocale<String>,
    /// URLs of scripts, styles and fonts.
    pub assets: Assets,
}

/// A value for each locale.
#[derive(Debug, Deserialize)]
struct PerLocale<T> {
    #[serde(rename = "en-us")]
    en_us: T,
    #[serde(rename = "ar-sa")]
    ar_sa: T,
}

impl<T> PerLocale<T> {
    fn of(&self, locale: Locale) -> &T {
        match locale {
            Locale::EnUs => &self.en_us,
            Locale::ArSa => &self.ar_sa,
        }
    }
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
    fonts: PerLocale<Vec<String>>,
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

pub const ERROR_PAGE: &str = "error";

impl Site {
    /// Reads the build in `site_dir` and checks that every page of the route table is in it.
    ///
    /// # Errors
    /// The file cannot be read, or an asset or text that a page needs is missing.
    pub fn load(site_dir: &Path) -> anyhow::Result<Self> {
        let path = site_dir.join("site.json");
        let json = fs::read_to_string(&path)
            .with_context(|| format!("{} (is the frontend built?)", path.display()))?;
        let site = serde_json::from_str::<Self>(&json).context("site.json")?;
        for page in PageId::ALL.iter().map(|page| page.as_str()).chain([ERROR_PAGE]) {
            site.check(page).with_context(|| format!("site.json: page `{page}`"))?;
        }
        Ok(site)
    }

    fn check(&self, page: &str) -> anyhow::Result<()> {
        let assets = self.assets.pages.get(page).context("no assets")?;
        ensure!(self.heads.contains_key(page), "no title");
        for locale in Locale::ALL {
            let key = locale.as_str();
            ensure!(assets.messages.contains_key(key), "no {key} messages");
        }
        Ok(())
    }

    /// Title, description and image of a page.
    pub fn head(&self, page: &str, locale: Locale) -> HeadText {
        self.heads.get(page).map(|texts| texts.of(locale).clone()).unwrap_or_default()
    }

    pub fn page_assets(&self, page: &str) -> Option<&PageAssets> {
        self.assets.pages.get(page)
    }

    /// Fonts to preload.
    pub fn fonts(&self, locale: Locale) -> &[String] {
        self.assets.fonts.of(locale)
    }

    /// Texts of shells and of the static error page.
    pub fn shell(&self, locale: Locale) -> &ShellText {
        self.shell.of(locale)
    }

    pub fn name(&self, locale: Locale) -> &str {
        self.site_name.of(locale)
    }
}
