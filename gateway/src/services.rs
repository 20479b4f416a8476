//! The services that the gateway fans out to, and how long a call to one may take.

use std::{collections::HashMap, future::Future, time::Duration};

use sahm_chassis::{
    error::{Error, Result},
    lifecycle::Context,
    rpc::{self, Transport},
    settings::ServiceName,
};
use sahm_proto::{
    config::v1::config_service_client::ConfigServiceClient,
    content::v1::{
        media_service_client::MediaServiceClient, news_service_client::NewsServiceClient,
    },
};

/// A reading rpc for a page (contract §8).
const READING: Duration = Duration::from_millis(800);

/// A media picture is up to 2 MiB on the wire.
const MEDIA_BYTES: usize = 4 << 20;

/// Transports to every service that this site has, local or remote alike.
#[derive(Clone)]
pub struct Services {
    transports: HashMap<ServiceName, Transport>,
}

impl Services {
    /// Services in this process or elsewhere.
    pub fn new(transports: impl IntoIterator<Item = (ServiceName, Transport)>) -> Self {
        Self { transports: transports.into_iter().collect() }
    }

    /// All services where the settings say they are.
    pub fn connect(context: &Context) -> Result<Self> {
        let names = [
            ServiceName::Content,
            ServiceName::Config,
            ServiceName::Quotes,
            ServiceName::Identity,
            ServiceName::Attribution,
        ];
        let transports = names.map(|name| {
            let url = context.settings.service_url(name);
            (name, Transport::connect(url, context))
        });
        Ok(Self::new(transports))
    }

    /// How to reach a service; `None` for one that this site is built without.
    pub fn transport(&self, name: ServiceName) -> Option<Transport> {
        self.transports.get(&name).cloned()
    }

    /// The services whose data stands on pages, and that say when it changes.
    pub fn with_change_logs(&self) -> Vec<(ServiceName, Transport)> {
        [ServiceName::Content, ServiceName::Config]
            .into_iter()
            .filter_map(|name| Some((name, self.transport(name)?)))
            .collect()
    }

    fn required(&self, name: ServiceName) -> Result<Transport> {
        self.transport(name)
            .ok_or_else(|| Error::unavailable(anyhow::anyhow!("no {} service", name.as_str())))
    }

    /// News.
    pub fn news(&self) -> Result<NewsServiceClient<Transport>> {
        Ok(NewsServiceClient::new(self.required(ServiceName::Content)?))
    }

    /// Pictures.
    pub fn media(&self) -> Result<MediaServiceClient<Transport>> {
        let transport = self.required(ServiceName::Content)?;
        Ok(MediaServiceClient::new(transport).max_decoding_message_size(MEDIA_BYTES))
    }

    /// Configuration.
    pub fn config(&self) -> Result<ConfigServiceClient<Transport>> {
        Ok(ConfigServiceClient::new(self.required(ServiceName::Config)?))
    }
}

/// One reading call of a page, within its limit.
pub async fn reading<T>(
    call: impl Future<Output = std::result::Result<tonic::Response<T>, tonic::Status>>,
) -> Result<T> {
    rpc::with_deadline(READING, call)
        .await?
        .map(tonic::Response::into_inner)
        .map_err(|status| Error::from(&status))
}
