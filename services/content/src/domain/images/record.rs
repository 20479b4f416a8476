//! The record of a banner as authors write it.
use serde::Deserialize;

use crate::domain::{
    Banner, Bilingual, DisplayPeriod, Entry, EntryData, FieldError, RecordFiles,
    record_fields::{
        MAX_NAME, MAX_TITLE, address, bilingual, code, field_error, id, line, optional, picture,
    },
    written_time::WrittenTime,
};

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BannerRecord {
    id: u64,
    /// Upper-case letters, digits and `_`.
    position_code: String,
    position_name: String,
    #[serde(default)]
    position_name_sa: String,
    #[serde(default)]
    position: u32,
    title: String,
    #[serde(default)]
    title_sa: String,
    /// Paths of pictures, relative to the record's file.
    image: String,
    image_sa: Option<String>,
    /// A path of the site or an https URL.
    url: String,
    begin_time: WrittenTime,
    end_time: WrittenTime,
    #[serde(default)]
    sample: bool,
}

impl BannerRecord {
    pub(crate) fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        let display_period = DisplayPeriod {
            begin: self.begin_time.second("beginTime")?,
            end: self.end_time.second("endTime")?,
        };
        if display_period.end <= display_period.begin {
            return Err(field_error("endTime", "is not after beginTime"));
        }
        let id = id(self.id)?;
        let banner = Banner {
            position_code: code("positionCode", &self.position_code, |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
            })?,
            position_name: Bilingual {
                en: line("positionName", &self.position_name, MAX_NAME)?,
                sa: optional("positionNameSa", &self.position_name_sa, MAX_NAME)?,
            },
            position: self.position,
            title: Bilingual {
                en: line("title", &self.title, MAX_TITLE)?,
                sa: optional("titleSa", &self.title_sa, MAX_TITLE)?,
            },
            url: address("url", &self.url)?,
            display_period,
            sample: self.sample,
            picture: Some(picture("image", &self.image, files)?),
            picture_sa: self
                .image_sa
                .as_deref()
                .map(|path| picture("imageSa", path, files))
                .transpose()?,
        };
        Ok(bilingual(id, "", 0, EntryData::ImageBanner(banner)))
    }
}
