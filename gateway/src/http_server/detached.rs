//! Event streams detached from hyper, which keeps two buffers of 8 KB for each HTTP/1.1 connection: here an idle
//! client needs none.

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::{Buf, Bytes};
use http::{HeaderValue, Method, Request, Response, Version, header, response::Parts};
use http_body::Body as _;
use hyper::body::Incoming;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::{CLOSE, date};

/// Marks a response to be detached, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detached;

/// Whether the response to a request can be detached: only a GET of HTTP/1.1.
pub(super) fn is_possible(request: &Request<Incoming>) -> bool {
    request.version() == Version::HTTP_11
        && *request.method() == Method::GET
        && request.body().is_end_stream()
}

/// Writes a response of HTTP/1.1 to its end and closes the connection.
///
/// # Errors
/// The client has disconnected or does not read.
pub(super) async fn write<S>(mut stream: S, answer: Response<Body>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut parts, mut body) = answer.into_parts();
    stream.write_all(&head(&mut parts)).await?;
    drop(parts);
    let mut hears = true;
    loop {
        let next = poll_fn(|context| {
            if hears {
                hears = match poll_heard(&mut stream, context) {
                    Poll::Ready(Heard::End) => return Poll::Ready(Next::Gone),
                    Poll::Ready(Heard::Bytes) => false,
                    Poll::Pending => true,
                };
            }
            Pin::new(&mut body).poll_frame(context).map(|frame| match frame {
                Some(Ok(frame)) => frame.into_data().map_or(Next::Nothing, Next::Data),
                Some(Err(_)) => Next::Gone,
                None => Next::End,
            })
        });
        match next.await {
            Next::Data(data) if data.is_empty() => {}
            Next::Data(data) => {
                let size = format!("{:x}\r\n", data.len());
                let mut chunk = size.as_bytes().chain(data).chain(&b"\r\n"[..]);
                stream.write_all_buf(&mut chunk).await?;
            }
            Next::Nothing => {}
            Next::End => {
                stream.write_all(b"0\r\n\r\n").await?;
                return stream.shutdown().await;
            }
            Next::Gone => return Ok(()),
        }
    }
}

enum Next {
    Data(Bytes),
    /// Trailers, which event streams do not have.
    Nothing,
    End,
    /// The client has disconnected, or the response failed.
    Gone,
}

enum Heard {
    End,
    /// Another request. It is not answered, as `connection: close` announced.
    Bytes,
}

fn poll_heard<S: AsyncRead + Unpin>(stream: &mut S, context: &mut Context<'_>) -> Poll<Heard> {
    let mut byte = [0];
    let mut buffer = ReadBuf::new(&mut byte);
    Pin::new(stream).poll_read(context, &mut buffer).map(|read| match read {
        Ok(()) if !buffer.filled().is_empty() => Heard::Bytes,
        _ => Heard::End,
    })
}

/// The status line and the headers.
fn head(parts: &mut Parts) -> Vec<u8> {
    let headers = &mut parts.headers;
    headers.insert(header::TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    headers.insert(header::CONNECTION, CLOSE);
    date::insert(headers);
    let mut head = format!("HTTP/1.1 {}\r\n", parts.status).into_bytes();
    for (name, value) in headers {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    head.extend_from_slice(b"\r\n");
    head
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::convert::Infallible;

    use futures_util::{FutureExt, StreamExt};
    use tokio::{
        io::{AsyncReadExt, duplex},
        sync::mpsc,
    };
    use tokio_stream::wrappers::UnboundedReceiverStream;

    use super::*;

    fn answer() -> (mpsc::UnboundedSender<&'static str>, Response<Body>) {
        let (send, receive) = mpsc::unbounded_channel();
        let texts = UnboundedReceiverStream::new(receive).map(Ok::<_, Infallible>);
        let answer = Response::builder()
            .header("x-one", "1")
            .header("x-two", "2")
            .header("x-two", "3")
            .header("connection", "keep-alive");
        (send, answer.body(Body::from_stream(texts)).unwrap())
    }

    #[tokio::test]
    async fn a_response_is_written_completely() {
        let (mut client, server) = duplex(16);
        let (send, answer) = answer();
        let writing = tokio::spawn(write(server, answer));
        for text in ["event", "", " of sixteen more"] {
            send.send(text).unwrap();
        }
        drop(send);
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        writing.await.unwrap().unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.split("\r\n").collect::<Vec<_>>();
        assert_eq!(lines.remove(0), "HTTP/1.1 200 OK");
        lines.sort_unstable();
        let date = lines.remove(1).strip_prefix("date: ").unwrap();
        assert!(date.len() == 29 && date.ends_with(" GMT"), "{date}");
        let others =
            ["connection: close", "transfer-encoding: chunked", "x-one: 1", "x-two: 2", "x-two: 3"];
        assert_eq!(lines, others);
        assert_eq!(body, "5\r\nevent\r\n10\r\n of sixteen more\r\n0\r\n\r\n");
    }

    #[tokio::test]
    async fn a_disconnected_client_is_noticed_and_a_pipelined_request_ignored() {
        let (mut client, server) = duplex(1 << 10);
        let (send, answer) = answer();
        let mut writing = tokio::spawn(write(server, answer));
        client.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let mut text = [0; 1 << 10];
        assert!(client.read(&mut text).await.unwrap() > 0);
        send.send("on").unwrap();
        assert_eq!(client.read(&mut text).await.unwrap(), 7);
        assert!((&mut writing).now_or_never().is_none());
        drop(client);
        send.send("too late").unwrap();
        assert!(writing.await.unwrap().is_err());

        let (client, server) = duplex(1 << 10);
        let (_send, answer) = self::answer();
        drop(client);
        assert!(write(server, answer).await.is_err());
        let (mut client, server) = duplex(1 << 10);
        let (_kept, answer) = self::answer();
        let writing = tokio::spawn(write(server, answer));
        assert!(client.read(&mut text).await.unwrap() > 0);
        drop(client);
        writing.await.unwrap().unwrap();
    }
}
