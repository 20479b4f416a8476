//! The subset of `grpcurl` that the README uses: it reads a service by reflection, encodes a request from JSON, and
//! prints the response as JSON. Debian has no package of `grpcurl`.

use std::{collections::HashSet, net::SocketAddr, time::Duration};

use bytes::{Buf, BufMut, Bytes};
use http::uri::PathAndQuery;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor};
use prost_types::FileDescriptorProto;
use serde_json::Value;
use tokio_stream::StreamExt;
use tonic::{
    Request, Status,
    codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder},
    metadata::{MetadataKey, MetadataValue},
    transport::{Channel, Endpoint},
};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
};

/// `grpcurl -plaintext [-d JSON] [-H 'name: value'] [-max-time SECONDS] ADDRESS list|SERVICE/METHOD`.
#[derive(Debug, Default)]
pub(crate) struct Command {
    pub(crate) address: String,
    /// `list`, or a service and its method.
    verb: String,
    data: Option<String>,
    headers: Vec<(String, String)>,
    seconds: Option<f64>,
}

impl Command {
    pub(crate) fn parse(line: &str) -> Self {
        let mut command = Self::default();
        let mut words = words(line).into_iter();
        assert_eq!(words.next().as_deref(), Some("grpcurl"), "{line}");
        let (mut plain, mut places) = (false, Vec::new());
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| panic!("{word} without a value"));
            match word.as_str() {
                "-plaintext" => plain = true,
                "-d" => command.data = Some(value()),
                "-max-time" => command.seconds = Some(value().parse().unwrap()),
                "-H" => {
                    let header = value();
                    let (name, value) = header.split_once(": ").unwrap();
                    command.headers.push((name.to_lowercase(), value.to_owned()));
                }
                option if option.starts_with('-') => panic!("{option} is not known here"),
                _ => places.push(word),
            }
        }
        assert!(plain, "grpcurl uses TLS without -plaintext: {line}");
        let [address, verb] = places.try_into().unwrap();
        (command.address, command.verb) = (address, verb);
        command
    }

    /// Runs the command on a service at this address. Responses of a stream, and of `list`, are returned as a list.
    pub(crate) async fn run(&self, address: SocketAddr) -> Value {
        let endpoint = Endpoint::try_from(format!("http://{address}")).unwrap();
        let channel = endpoint.connect().await.unwrap();
        if self.verb == "list" {
            return services(channel).await.into();
        }
        let (service, method) = self.verb.split_once('/').unwrap();
        let pool = descriptors(channel.clone(), service).await;
        let service = pool.get_service_by_name(service).unwrap();
        let method = service.methods().find(|known| known.name() == method).unwrap();
        self.call(channel, &method).await
    }

    async fn call(&self, channel: Channel, method: &MethodDescriptor) -> Value {
        let mut json = serde_json::Deserializer::from_str(self.data.as_deref().unwrap_or("{}"));
        let message = DynamicMessage::deserialize(method.input(), &mut json).unwrap();
        let mut request = Request::new(Bytes::from(message.encode_to_vec()));
        for (name, value) in &self.headers {
            let name: MetadataKey<_> = name.parse().unwrap();
            request.metadata_mut().insert(name, value.parse::<MetadataValue<_>>().unwrap());
        }
        if let Some(seconds) = self.seconds {
            request.set_timeout(Duration::from_secs_f64(seconds));
        }
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let mut client = tonic::client::Grpc::new(channel);
        client.ready().await.unwrap();
        let path: PathAndQuery = path.parse().unwrap();
        let responses = client.server_streaming(request, path, Raw).await;
        let mut responses =
            responses.unwrap_or_else(|status| panic!("{self:?}: {status}")).into_inner();
        let mut all = Vec::new();
        while let Some(response) = responses.next().await {
            let response = response.unwrap_or_else(|status| panic!("{self:?}: {status}"));
            let response = DynamicMessage::decode(method.output(), response).unwrap();
            all.push(serde_json::to_value(&response).unwrap());
            if method.is_server_streaming() && all.len() == 2 {
                return all.into();
            }
        }
        assert_eq!(all.len(), 1, "one response");
        all.remove(0)
    }
}

/// Splits a command line as a shell does, with quotes and continued lines.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => match letters.next() {
                Some('\n') | None => {}
                Some(other) => word.get_or_insert_default().push(other),
            },
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    assert!(quote.is_none(), "an open quote: {line}");
    words.extend(word);
    words
}

async fn reflected(channel: Channel, request: MessageRequest) -> MessageResponse {
    let mut client = ServerReflectionClient::new(channel);
    let message =
        ServerReflectionRequest { host: String::new(), message_request: Some(request.clone()) };
    let mut responses =
        client.server_reflection_info(tokio_stream::once(message)).await.unwrap().into_inner();
    responses.message().await.unwrap().unwrap().message_response.unwrap()
}

/// The names of a server's services.
async fn services(channel: Channel) -> Vec<String> {
    match reflected(channel, MessageRequest::ListServices(String::new())).await {
        MessageResponse::ListServicesResponse(list) => {
            list.service.into_iter().map(|service| service.name).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// The file of a service, with its dependencies.
async fn descriptors(channel: Channel, service: &str) -> DescriptorPool {
    let mut requests = vec![MessageRequest::FileContainingSymbol(service.to_owned())];
    let (mut files, mut known) = (Vec::new(), HashSet::new());
    while let Some(request) = requests.pop() {
        let found = match reflected(channel.clone(), request).await {
            MessageResponse::FileDescriptorResponse(found) => found.file_descriptor_proto,
            other => panic!("{other:?}"),
        };
        for file in found {
            let file = FileDescriptorProto::decode(file.as_slice()).unwrap();
            if known.insert(file.name().to_owned()) {
                let needed = file.dependency.iter().filter(|name| !known.contains(*name));
                requests.extend(needed.cloned().map(MessageRequest::FileByFilename));
                files.push(file);
            }
        }
    }
    let mut pool = DescriptorPool::new();
    pool.add_file_descriptor_protos(files).unwrap();
    pool
}

/// A codec of raw bytes; the caller decodes messages.
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}

#[test]
fn words_are_split_like_a_shell() {
    let line = "grpcurl -d '{\"a\": \"b c\"}' \\\n  -H \"x: y\" host:1 a.b\\ c ''\n";
    assert_eq!(
        words(line),
        ["grpcurl", "-d", "{\"a\": \"b c\"}", "-H", "x: y", "host:1", "a.b c", ""]
    );
}
