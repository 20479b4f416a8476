//! Configuration: fees and the link to the app.

use sahm_chassis::error::Result;
use sahm_proto::{
    config::v1::{FeeSchedule, GetDownloadLinkInfoRequest, GetFeeScheduleRequest},
    tags,
};

use super::{LoadContext, never};

impl LoadContext<'_> {
    pub(crate) async fn fee_schedule(&self) -> Result<Option<FeeSchedule>> {
        let mut config = self.data.services.config()?;
        let call = config.get_fee_schedule(GetFeeScheduleRequest {});
        Ok(self.read([tags::CONFIG_FEES], never, call).await?.fee_schedule)
    }

    /// The link that opens the app or the platform's store; empty if unknown.
    pub(crate) async fn one_link(&self) -> Result<String> {
        let request = GetDownloadLinkInfoRequest { platform: String::new() };
        let mut config = self.data.services.config()?;
        let call = config.get_download_link_info(request);
        let link = self.read([tags::CONFIG_STORES], never, call).await?.link;
        Ok(link.map(|link| link.one_link).unwrap_or_default())
    }
}
