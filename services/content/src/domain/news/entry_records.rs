//! Records of flash news, videos of the news page and securities as authors write them.
use serde::Deserialize;

use crate::domain::{
    Bilingual, Entry, EntryData, FieldError, FlashNews, NewsVideo, RecordFiles, Stock,
    media::PlaybackRecord,
    record_fields::{
        MAX_SUMMARY, NAME, TITLE, bilingual, code, either, id, id_for, line, locale, market, named,
        optional,
    },
    written_time::WrittenTime,
};

/// The record of flash news in one locale.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FlashRecord {
    id: u64,
    locale: String,
    #[serde(default)]
    market: String,
    /// At most 600 characters.
    content: String,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// The record of a video of the news page.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewsVideoRecord {
    id: u64,
    #[serde(default)]
    market: String,
    title: String,
    #[serde(default)]
    title_en: String,
    #[serde(default)]
    title_sa: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    summary_en: String,
    #[serde(default)]
    summary_sa: String,
    clip: PlaybackRecord,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// The record of a security whose names are detected in texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockRecord {
    code: String,
    data_type: u32,
    name: String,
    #[serde(default)]
    name_sa: String,
}

impl FlashRecord {
    pub(crate) fn entry(&self) -> Result<Entry, FieldError> {
        let flash = FlashNews {
            market: market(&self.market)?,
            content: line("content", &self.content, MAX_SUMMARY)?,
            sample: self.sample,
        };
        let published_at = self.published_at.second("publishedAt")?;
        let entry = bilingual(id(self.id)?, "", published_at, EntryData::NewsFlash(flash));
        Ok(Entry { locale: Some(locale(&self.locale)?), ..entry })
    }
}

impl NewsVideoRecord {
    pub(crate) fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        let (id, published_at) = (id(self.id)?, self.published_at.second("publishedAt")?);
        let video = NewsVideo {
            market: market(&self.market)?,
            title: named(TITLE, [&self.title, &self.title_en, &self.title_sa])?,
            summary: Bilingual {
                en: either("summary", &self.summary_en, &self.summary)?,
                sa: optional("summarySa", &self.summary_sa, MAX_SUMMARY)?,
            },
            playback: self.clip.playback(files)?,
            sample: self.sample,
        };
        Ok(bilingual(id, "", published_at, EntryData::NewsVideo(video)))
    }
}

impl StockRecord {
    pub(crate) fn entry(&self) -> Result<Entry, FieldError> {
        let stock = Stock {
            code: code("code", &self.code, |byte| {
                byte.is_ascii_alphanumeric() || b".-_".contains(&byte)
            })?,
            data_type: self.data_type,
            name: named(NAME, [&self.name, "", &self.name_sa])?,
        };
        let id = id_for(&format!("{} {}", stock.data_type, stock.code));
        Ok(bilingual(id, "", 0, EntryData::Stock(stock)))
    }
}
