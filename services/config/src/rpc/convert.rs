//! Conversion to wire messages.

use sahm_proto::{
    Locale,
    config::v1::{ConfigItem, Country, TelCode},
};

use crate::{bundle::CountryRow, domain::telephone};

pub(super) fn config_item(key: String, value: String) -> ConfigItem {
    ConfigItem { id: key.clone(), key, value }
}

pub(super) fn tel_code(row: &CountryRow, locale: Locale) -> TelCode {
    let in_arabic = locale == Locale::ArSa && !row.name_ar.is_empty();
    TelCode {
        id: row.id.clone(),
        name: row.name.clone(),
        name_ar: row.name_ar.clone(),
        tel_code: row.tel_code.clone(),
        label: if in_arabic { &row.name_ar } else { &row.name }.clone(),
        value: row.tel_code.clone(),
        value_show: telephone::format_tel_code(&row.tel_code, locale),
    }
}

pub(super) fn country(row: CountryRow, with_tel: bool) -> Country {
    let name_sa = if row.name_ar.is_empty() { row.name.clone() } else { row.name_ar };
    Country {
        id: row.code.clone(),
        country_code: row.code,
        name_en: row.name.clone(),
        name: row.name,
        name_sa,
        tel_code: if with_tel { row.tel_code } else { String::new() },
    }
}
