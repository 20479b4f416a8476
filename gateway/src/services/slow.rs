//! A fake service that responds to each call after a fixed time.

#![allow(clippy::unwrap_used)]

use std::{convert::Infallible, time::Duration};

use axum::{Router, body::Body};
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use http::{Request, Response, header};
use prost::Message;
use sahm_chassis::rpc::Transport;
use sahm_proto::changes::v1::WatchChangesResponse;

/// Length of the compression flag and the message length before a message.
const FRAME_HEAD_BYTES: usize = 5;

/// A fake of any service: `response` maps a method's name and its encoded request to an encoded response. The change
/// log stays empty.
pub(crate) fn slow_service(
    call: Duration,
    response: impl Fn(&str, &[u8]) -> Vec<u8> + Clone + Send + Sync + 'static,
) -> Transport {
    let respond = move |request: Request<Body>| respond(request, call, response.clone());
    Transport::local(Router::new().fallback(respond).into())
}

async fn respond(
    request: Request<Body>,
    call: Duration,
    response: impl Fn(&str, &[u8]) -> Vec<u8>,
) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = match head.uri.path().rsplit('/').next().unwrap() {
        "WatchChanges" => {
            let head = WatchChangesResponse { log_id: "a".to_owned(), ..Default::default() };
            let head = stream::iter([Ok::<_, Infallible>(frame(&head.encode_to_vec()))]);
            Body::from_stream(head.chain(stream::pending()))
        }
        method => {
            tokio::time::sleep(call).await;
            let request = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            Body::from(frame(&response(method, &request[FRAME_HEAD_BYTES..])))
        }
    };
    Response::builder()
        .header(header::CONTENT_TYPE, "application/grpc")
        .header("grpc-status", "0")
        .body(body)
        .unwrap()
}

/// A length-prefixed gRPC message.
fn frame(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.len().try_into().unwrap());
    frame.put_slice(message);
    frame.freeze()
}
