//! Calls of the services.

#[cfg(test)]
pub(crate) mod slow;

use std::{collections::HashMap, time::Duration};

use http::uri::PathAndQuery;
use sahm_chassis::{
    error::Error,
    lifecycle::Context,
    rpc::{self, Policy, Transport},
    settings::ServiceName,
};
use sahm_proto::{UnaryRequest, privacy::v1::member_data_service_client::MemberDataServiceClient};
use tonic::{Request, Response, Status, client::Grpc};
use tonic_prost::ProstCodec;

/// Timeout of a call that reads data for a page (docs/limits-and-timeouts.md).
const READING_TIMEOUT: Duration = Duration::from_millis(800);

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
    pub(crate) fn required(&self, name: ServiceName) -> Result<Transport, Error> {
        self.transport(name).ok_or_else(|| Error::unavailable(format!("no {name} service")))
    }

    /// Calls a unary rpc.
    ///
    /// # Errors
    /// The service's status, or `Unavailable`.
    pub(crate) async fn call<R: UnaryRequest>(&self, request: R) -> Result<R::Response, Status> {
        let mut client = Grpc::new(self.required(service_of::<R>()?)?);
        client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let path = PathAndQuery::from_static(R::PATH);
        let response = client.unary(Request::new(request), path, ProstCodec::default()).await;
        response.map(Response::into_inner)
    }

    /// Calls an rpc that reads data for a page, within [`READING_TIMEOUT`].
    ///
    /// # Errors
    /// As [`Self::call`], and `Timeout`.
    pub(crate) async fn read<R: UnaryRequest>(&self, request: R) -> Result<R::Response, Error> {
        Ok(rpc::with_deadline(READING_TIMEOUT, self.call(request)).await??)
    }

    /// As [`Self::read`]; `None` if what the request names does not exist.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) async fn find<R: UnaryRequest>(
        &self,
        request: R,
    ) -> Result<Option<R::Response>, Error> {
        match self.read(request).await {
            Err(error) if error.code().http_status() == 404 => Ok(None),
            response => response.map(Some),
        }
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

/// The service that serves an rpc.
///
/// # Errors
/// Its package belongs to no service.
pub(crate) fn service_of<R: UnaryRequest>() -> Result<ServiceName, Status> {
    let unknown = || Status::unimplemented(format!("no service serves {}", R::PATH));
    owner(R::PATH.trim_start_matches('/')).ok_or_else(unknown)
}

/// The service of a package: `sahm.content.v1` → content.
pub(crate) fn owner(package: &str) -> Option<ServiceName> {
    let name = package.strip_prefix("sahm.")?.split('.').next()?;
    ServiceName::ALL.into_iter().find(|service| service.as_str() == name)
}
