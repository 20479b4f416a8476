//! A service for tests that answers each call after a fixed time.

#![allow(clippy::unwrap_used)]

use std::{convert::Infallible, time::Duration};

use axum::{Router, body::Body};
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use http::{Request, Response, header};
use prost::Message;
use sahm_chassis::rpc::Transport;
use sahm_proto::changes::v1::WatchChangesResponse;

/// Any service: `answer` gives the message for a method's name. Its change log is empty and stays so.
pub(crate) fn slow_service(call: Duration, answer: fn(&str) -> Vec<u8>) -> Transport {
    let respond = async move |request: Request<Body>| {
        let body = match request.uri().path().rsplit('/').next().unwrap() {
            "WatchChanges" => {
                let head = WatchChangesResponse { log_id: "a".to_owned(), ..Default::default() };
                let head = stream::iter([Ok::<_, Infallible>(frame(&head.encode_to_vec()))]);
                Body::from_stream(head.chain(stream::pending()))
            }
            method => {
                tokio::time::sleep(call).await;
                Body::from(frame(&answer(method)))
            }
        };
        Response::builder()
            .header(header::CONTENT_TYPE, "application/grpc")
            .header("grpc-status", "0")
            .body(body)
            .unwrap()
    };
    Transport::local(Router::new().fallback(respond).into())
}

/// A message as gRPC frames it.
fn frame(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.len().try_into().unwrap());
    frame.put_slice(message);
    frame.freeze()
}
