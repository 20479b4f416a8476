//! `StreamQuotes` with messages that are already encoded: the generated server would encode each
//! message once per caller.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use bytes::{BufMut, Bytes};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use http::Request;
use sahm_proto::{
    Gzip,
    quotes::v1::{
        StreamQuotesRequest, StreamQuotesResponse, quote_service_server::QuoteServiceServer,
    },
};
use tonic::{
    Response, Status,
    body::Body,
    codec::{BufferSettings, Codec, CompressionEncoding, EncodeBuf, Encoder},
    server::{Grpc, NamedService, ServerStreamingService},
};
use tonic_prost::{ProstCodec, ProstDecoder};
use tower::Service;

use super::QuoteRpc;

const STREAM_QUOTES: &str = "/sahm.quotes.v1.QuoteService/StreamQuotes";

/// The generated server, except for the stream.
#[derive(Clone)]
pub struct QuoteServer {
    rpc: QuoteRpc,
    generated: QuoteServiceServer<QuoteRpc>,
}

impl QuoteServer {
    /// Serves `rpc`; the stream does not pass through the generated server.
    pub fn new(rpc: QuoteRpc) -> Self {
        Self { generated: QuoteServiceServer::new(rpc.clone()), rpc }
    }
}

impl NamedService for QuoteServer {
    const NAME: &'static str = <QuoteServiceServer<QuoteRpc> as NamedService>::NAME;
}

impl Gzip for QuoteServer {
    fn with_gzip(self) -> Self {
        Self { generated: self.generated.with_gzip(), ..self }
    }
}

impl Service<Request<Body>> for QuoteServer {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<Body>>::poll_ready(&mut self.generated, context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if request.uri().path() != STREAM_QUOTES {
            return self.generated.call(request);
        }
        let rpc = self.rpc.clone();
        // Messages are encoded once for all callers and therefore not compressed per caller.
        let mut grpc = Grpc::new(Encoded).accept_compressed(CompressionEncoding::Gzip);
        async move { Ok(grpc.server_streaming(Stream(rpc), request).await) }.boxed()
    }
}

struct Stream(QuoteRpc);

impl ServerStreamingService<StreamQuotesRequest> for Stream {
    type Response = Bytes;
    type ResponseStream = BoxStream<'static, Result<Bytes, Status>>;
    type Future = BoxFuture<'static, Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: tonic::Request<StreamQuotesRequest>) -> Self::Future {
        let rpc = self.0.clone();
        async move {
            let messages = rpc.subscribe(&request.into_inner()).await?;
            Ok(Response::new(messages.map(Ok).boxed()))
        }
        .boxed()
    }
}

/// Decodes requests and passes encoded responses through.
struct Encoded;

impl Codec for Encoded {
    type Encode = Bytes;
    type Decode = StreamQuotesRequest;
    type Encoder = Encoded;
    type Decoder = ProstDecoder<StreamQuotesRequest>;

    fn encoder(&mut self) -> Encoded {
        Encoded
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstCodec::<StreamQuotesResponse, StreamQuotesRequest>::raw_decoder(
            BufferSettings::default(),
        )
    }
}

impl Encoder for Encoded {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}
