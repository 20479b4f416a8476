//! Records of categories, channels, help and legal documents, and page information as authors
//! write them.
use serde::Deserialize;

use crate::domain::{
    Bilingual, Entry, EntryData, FieldError, Group, Text,
    record_fields::{
        MAX_NAME, MAX_PATH, MAX_SUMMARY, MAX_TITLE, NAME, bilingual, either, field_error, id,
        id_for, line, locale, named, optional, slug,
    },
    written_time::WrittenTime,
};

const MAX_KEYWORDS: usize = 20;

/// The record of a category or channel.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupRecord {
    pub(crate) id: u64,
    /// Channels only; 0 for a top-level channel.
    #[serde(default)]
    pub(crate) parent_id: u64,
    /// Channels only.
    #[serde(default)]
    pub(crate) slug: String,
    #[serde(default)]
    position: u32,
    name: String,
    #[serde(default)]
    name_en: String,
    #[serde(default)]
    name_sa: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    description_en: String,
    #[serde(default)]
    description_sa: String,
}

/// The record of a help or legal document.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentRecord {
    pub(crate) id: u64,
    locale: String,
    pub(crate) slug: String,
    /// Help documents only.
    #[serde(default)]
    pub(crate) channel_id: u64,
    #[serde(default)]
    position: u32,
    #[serde(default)]
    common: bool,
    title: String,
    summary: String,
    updated_at: WrittenTime,
    /// Legal documents only.
    effective_at: Option<WrittenTime>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    sample: bool,
    pub(crate) body: Option<String>,
}

/// The record of a page's title and description.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeoRecord {
    path: String,
    title_en: String,
    #[serde(default)]
    title_sa: String,
    #[serde(default)]
    description_en: String,
    #[serde(default)]
    description_sa: String,
}

impl GroupRecord {
    pub(crate) fn group(&self) -> Result<Group, FieldError> {
        Ok(Group {
            parent: self.parent_id,
            position: self.position,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            description: Bilingual {
                en: either("description", &self.description_en, &self.description)?,
                sa: optional("descriptionSa", &self.description_sa, MAX_SUMMARY)?,
            },
        })
    }
}

impl DocumentRecord {
    pub(crate) fn entry(
        &self,
        parent: u64,
        data: fn(Text) -> EntryData,
    ) -> Result<Entry, FieldError> {
        if self.keywords.len() > MAX_KEYWORDS {
            return Err(field_error("keywords", format!("are more than {MAX_KEYWORDS}")));
        }
        let keywords = self.keywords.iter().map(|word| line("keywords", word, MAX_NAME));
        let effective_at = match &self.effective_at {
            Some(time) => time.second("effectiveAt")?,
            None => 0,
        };
        let text = Text {
            parent,
            position: self.position,
            title: line("title", &self.title, MAX_TITLE)?,
            summary: line("summary", &self.summary, MAX_SUMMARY)?,
            sample: self.sample,
            common: self.common,
            keywords: keywords.collect::<Result<_, _>>()?,
            updated_at: self.updated_at.second("updatedAt")?,
            effective_at,
            ..Text::default()
        };
        Ok(Entry {
            id: id(self.id)?,
            locale: Some(locale(&self.locale)?),
            slug: slug(&self.slug)?,
            published_at: 0,
            body_html: String::new(),
            data: data(text),
        })
    }
}

impl SeoRecord {
    pub(crate) fn entry(&self) -> Result<Entry, FieldError> {
        let path = line("path", &self.path, MAX_PATH)?;
        if !path.starts_with('/') || path.contains(['?', '#', '\\']) || path.contains("//") {
            return Err(field_error("path", "is no path of the site"));
        }
        let group = Group {
            name: Bilingual {
                en: line("titleEn", &self.title_en, MAX_TITLE)?,
                sa: optional("titleSa", &self.title_sa, MAX_TITLE)?,
            },
            description: Bilingual {
                en: optional("descriptionEn", &self.description_en, MAX_SUMMARY)?,
                sa: optional("descriptionSa", &self.description_sa, MAX_SUMMARY)?,
            },
            ..Group::default()
        };
        Ok(bilingual(id_for(&path), &path, 0, EntryData::SeoInfo(group)))
    }
}
