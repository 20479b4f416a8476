//! Countries, telephone codes, and locations of IP addresses.

use sahm_chassis::{caller, error::Result};
use sahm_proto::{
    Locale,
    config::v1::{Country, GetIpInfoResponse, ListTelCodesResponse, TelCode},
};

use super::ConfigRpc;
use crate::{
    bundle::CountryRow,
    domain::{address_of, telephone},
};

/// The country of an unknown address.
const DEFAULT_COUNTRY: (&str, u32) = ("SAU", 74);

impl ConfigRpc {
    pub(super) async fn tel_codes(&self, locale: Locale) -> Result<ListTelCodesResponse> {
        let mut rows = self.store.countries().await?;
        rows.retain(|row| !row.tel_code.is_empty());
        let all = rows.iter().map(|row| tel_code(row, locale)).collect();
        rows.retain(|row| row.general_rank > 0);
        rows.sort_by_key(|row| row.general_rank);
        let general = rows.iter().map(|row| tel_code(row, locale)).collect();
        Ok(ListTelCodesResponse { all, general })
    }

    pub(super) async fn countries(&self, with_tel: bool) -> Result<Vec<Country>> {
        let rows = self.store.countries().await?;
        Ok(rows.into_iter().map(|row| country(row, with_tel)).collect())
    }

    /// The location of an address in text form, or of the caller's if it is empty.
    pub(super) async fn ip_info(&self, text: &str) -> Result<GetIpInfoResponse> {
        let address = match text {
            "" => caller::current().address.map(|address| address.to_canonical()),
            text => Some(address_of(text)?),
        };
        let country = match address.and_then(|address| self.geoip.country(address)) {
            Some(id) => self.store.country(&id).await?,
            None => None,
        };
        let (code, area_code) = match country {
            Some(row) => (row.code, u32::try_from(row.area_code).unwrap_or(0)),
            None => (DEFAULT_COUNTRY.0.to_owned(), DEFAULT_COUNTRY.1),
        };
        let ip = address.map(|address| address.to_string()).unwrap_or_default();
        Ok(GetIpInfoResponse { id: ip.clone(), ip, country_code: code, area_code })
    }
}

fn tel_code(row: &CountryRow, locale: Locale) -> TelCode {
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

fn country(row: CountryRow, with_tel: bool) -> Country {
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
