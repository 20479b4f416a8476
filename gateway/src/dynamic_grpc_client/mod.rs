//! A gRPC client for rpcs that are known only by their descriptors.

mod codec;

use futures_util::Stream;
use http::uri::PathAndQuery;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, Value};
use sahm_chassis::{
    error::{Error, Result},
    rpc::Transport,
    settings::ServiceName,
};
use tonic::{Request, Status, Streaming, client::Grpc};

use crate::services::{Services, owner};

pub(crate) use self::codec::DynamicCodec;

/// The descriptors of all protos, with comments and options.
pub(crate) fn pool() -> Result<DescriptorPool, prost_reflect::DescriptorError> {
    DescriptorPool::decode(sahm_proto::DESCRIPTORS)
}

#[derive(Clone, Debug)]
pub(crate) struct Rpc {
    /// The service that serves it.
    pub(crate) service: ServiceName,
    pub(crate) method: MethodDescriptor,
    path: PathAndQuery,
}

impl Rpc {
    /// The rpc of a method; `None` if its package belongs to no service.
    pub(crate) fn of(method: &MethodDescriptor) -> Option<Self> {
        let parent = method.parent_service();
        let service = owner(parent.package_name())?;
        let path = format!("/{}/{}", parent.full_name(), method.name()).parse().ok()?;
        Some(Self { service, method: method.clone(), path })
    }

    pub(crate) fn input(&self) -> MessageDescriptor {
        self.method.input()
    }

    pub(crate) fn output(&self) -> MessageDescriptor {
        self.method.output()
    }

    /// Calls a unary rpc.
    ///
    /// # Errors
    /// The service's status, or `Unavailable`.
    pub(crate) async fn unary(
        &self,
        services: &Services,
        message: DynamicMessage,
    ) -> Result<DynamicMessage> {
        let (mut client, codec) = self.client(services).await?;
        let response = client.unary(Request::new(Ok(message)), self.path.clone(), codec).await;
        response.map(tonic::Response::into_inner).map_err(|status| Error::from(&status))
    }

    /// Calls a client-streaming rpc. An `Err` among the messages resets the stream.
    ///
    /// # Errors
    /// The service's status, or `Unavailable`.
    pub(crate) async fn client_streaming<M: prost::Message + 'static>(
        &self,
        services: &Services,
        messages: impl Stream<Item = Result<M, Status>> + Send + 'static,
    ) -> Result<DynamicMessage> {
        let (mut client, codec) = self.client(services).await?;
        let response =
            client.client_streaming(Request::new(messages), self.path.clone(), codec).await;
        response.map(tonic::Response::into_inner).map_err(|status| Error::from(&status))
    }

    /// Calls a server-streaming rpc; returns when the service has accepted the request.
    ///
    /// # Errors
    /// The service's status, or `Unavailable`.
    pub(crate) async fn server_streaming<M: prost::Message + 'static>(
        &self,
        services: &Services,
        message: M,
    ) -> Result<Streaming<DynamicMessage>> {
        let (mut client, codec) = self.client(services).await?;
        let request = Request::new(Ok(message));
        let response = client.server_streaming(request, self.path.clone(), codec).await;
        response.map(tonic::Response::into_inner).map_err(|status| Error::from(&status))
    }

    async fn client<M>(&self, services: &Services) -> Result<(Grpc<Transport>, DynamicCodec<M>)> {
        let mut client = Grpc::new(services.required(self.service)?);
        client.ready().await.map_err(|error| Error::unavailable(error.to_string()))?;
        Ok((client, DynamicCodec::new(self.output())))
    }
}

/// The text field with this name; empty if there is none.
pub(crate) fn text(message: &DynamicMessage, name: &str) -> String {
    let value = message.get_field_by_name(name);
    value.as_deref().and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The message field with this name, if it is set.
pub(crate) fn inner(message: &DynamicMessage, name: &str) -> Option<DynamicMessage> {
    if !message.has_field_by_name(name) {
        return None;
    }
    message.get_field_by_name(name)?.as_message().cloned()
}
