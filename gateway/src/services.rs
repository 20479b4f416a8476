//! Typed clients of the services that the gateway calls.

#[cfg(test)]
pub(crate) mod slow;

use std::{collections::HashMap, future::Future, time::Duration};

use sahm_chassis::{
    error::{Error, Result},
    lifecycle::Context,
    rpc::{self, Policy, Transport},
    settings::ServiceName,
};
use sahm_proto::{
    activity::v1::{
        campaign_service_client::CampaignServiceClient, draw_service_client::DrawServiceClient,
    },
    config::v1::config_service_client::ConfigServiceClient,
    content::v1::{
        college_service_client::CollegeServiceClient, draft_service_client::DraftServiceClient,
        flash_news_service_client::FlashNewsServiceClient, help_service_client::HelpServiceClient,
        image_service_client::ImageServiceClient, media_service_client::MediaServiceClient,
        news_service_client::NewsServiceClient, news_video_service_client::NewsVideoServiceClient,
    },
    privacy::v1::member_data_service_client::MemberDataServiceClient,
    quotes::v1::{
        announcement_service_client::AnnouncementServiceClient,
        market_service_client::MarketServiceClient, quote_service_client::QuoteServiceClient,
    },
};

/// Timeout of a call that reads data for a page (docs/limits-and-timeouts.md).
const READING_TIMEOUT: Duration = Duration::from_millis(800);

/// Maximum size of a response with a media file; content allows files of 2 MiB.
const MAX_MEDIA_BYTES: usize = 4 << 20;

/// Maximum size of a record about a member, which may contain feedback files: 16 MiB in base64.
const MAX_MEMBER_RECORD_BYTES: usize = 24 << 20;

/// Transports to the services of this site, in this process or remote.
#[derive(Clone)]
pub struct Services {
    transports: HashMap<ServiceName, Transport>,
}

impl Services {
    /// Services with these transports.
    pub fn new(transports: impl IntoIterator<Item = (ServiceName, Transport)>) -> Self {
        Self { transports: transports.into_iter().collect() }
    }

    /// Connects to all services at the addresses in the settings.
    pub fn connect(context: &Context) -> Self {
        let transports = ServiceName::ALL.map(|name| {
            let url = context.settings.service_url(name);
            (name, Transport::connect_by(Self::balancing(name), url, context))
        });
        Self::new(transports)
    }

    /// How calls are balanced over the replicas of a service. Each replica of quotes that is called
    /// calls the market-data provider once a second, so all gateways call the same one.
    pub fn balancing(name: ServiceName) -> Policy {
        match name {
            ServiceName::Quotes => Policy::PickFirst,
            _ => Policy::LeastLoaded,
        }
    }

    /// The transport to a service; `None` if this site is built without it.
    pub fn transport(&self, name: ServiceName) -> Option<Transport> {
        self.transports.get(&name).cloned()
    }

    /// The services whose change logs page caches follow.
    pub fn with_change_logs(&self) -> Vec<(ServiceName, Transport)> {
        [ServiceName::Content, ServiceName::Config, ServiceName::Activity]
            .into_iter()
            .filter_map(|name| Some((name, self.transport(name)?)))
            .collect()
    }

    /// # Errors
    /// `Unavailable`: this site is built without the service.
    pub(crate) fn required(&self, name: ServiceName) -> Result<Transport> {
        self.transport(name)
            .ok_or_else(|| Error::unavailable(format!("no {} service", name.as_str())))
    }

    /// Pictures, videos and captions.
    pub(crate) fn media(&self) -> Result<MediaServiceClient<Transport>> {
        let transport = self.required(ServiceName::Content)?;
        Ok(MediaServiceClient::new(transport).max_decoding_message_size(MAX_MEDIA_BYTES))
    }

    /// The services that store data about members, in the order of erasure: identity first, so that the member is
    /// logged out before other data is erased.
    pub(crate) fn member_data(&self) -> Vec<(ServiceName, MemberDataServiceClient<Transport>)> {
        let client = |transport| {
            MemberDataServiceClient::new(transport)
                .max_decoding_message_size(MAX_MEMBER_RECORD_BYTES)
        };
        [
            ServiceName::Identity,
            ServiceName::Activity,
            ServiceName::Attribution,
            ServiceName::Content,
        ]
        .into_iter()
        .filter_map(|name| Some((name, client(self.transport(name)?))))
        .collect()
    }
}

/// Defines a method that returns the client of an rpc service, for each row.
macro_rules! clients {
    ($($method:ident: $client:ident => $service:ident;)*) => {
        impl Services {
            $(pub(crate) fn $method(&self) -> Result<$client<Transport>> {
                Ok($client::new(self.required(ServiceName::$service)?))
            })*
        }
    };
}

clients! {
    news: NewsServiceClient => Content;
    flash_news: FlashNewsServiceClient => Content;
    news_videos: NewsVideoServiceClient => Content;
    images: ImageServiceClient => Content;
    college: CollegeServiceClient => Content;
    help: HelpServiceClient => Content;
    drafts: DraftServiceClient => Content;
    quotes: QuoteServiceClient => Quotes;
    markets: MarketServiceClient => Quotes;
    announcements: AnnouncementServiceClient => Quotes;
    campaigns: CampaignServiceClient => Activity;
    draws: DrawServiceClient => Activity;
    config: ConfigServiceClient => Config;
}

/// Awaits a call that reads data for a page, within [`READING_TIMEOUT`].
///
/// # Errors
/// The service's status, or `Timeout`.
pub(crate) async fn reading<T>(
    call: impl Future<Output = std::result::Result<tonic::Response<T>, tonic::Status>>,
) -> Result<T> {
    rpc::with_deadline(READING_TIMEOUT, call)
        .await?
        .map(tonic::Response::into_inner)
        .map_err(|status| Error::from(&status))
}
