//! Request smuggling: two parsers disagree where a request ends. Bytes after one of the ends must never be treated as a
//! request.

use super::{Attack, wire::RawResponse};

/// The smuggled request.
const SMUGGLED: &str = "GET /robots.txt?smuggled HTTP/1.1\r\nhost: www.sahm.test\r\n\r\n";

/// Asserts at most one response.
fn at_most_one_response(conversations: &[Vec<RawResponse>]) -> Result<(), String> {
    let responses = conversations.first().map_or(&[][..], Vec::as_slice);
    if responses.len() > 1 {
        let statuses = responses.iter().map(|response| response.status).collect::<Vec<_>>();
        return Err(format!("the smuggled request received a response: {statuses:?}"));
    }
    match responses.first() {
        Some(response) if response.status >= 500 && response.status != 501 => {
            Err(format!("{}", response.status))
        }
        _ => Ok(()),
    }
}

/// An attack; `{}` stands for the smuggled request, `{n}` for its length.
fn smuggle(name: &str, bytes: &str) -> Attack {
    let bytes = bytes.replace("{n}", &SMUGGLED.len().to_string()).replace("{}", SMUGGLED);
    Attack::new(format!("desync {name}"), vec![bytes.into_bytes()], at_most_one_response)
}

const POST: &str = "POST /api/config/rest/common HTTP/1.1\r\nhost: www.sahm.test\r\n\
                    content-type: application/x-www-form-urlencoded\r\n";

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    // `Content-Length` and `Transfer-Encoding`: the parser that uses the other one finds a second request.
    for (name, coding) in [
        ("length, then chunks", "content-length: 5\r\ntransfer-encoding: chunked\r\n"),
        ("chunks, then length", "transfer-encoding: chunked\r\ncontent-length: 5\r\n"),
        ("length of all, and chunks", "content-length: 999\r\ntransfer-encoding: chunked\r\n"),
        ("no length at all, and chunks", "content-length: 0\r\ntransfer-encoding: chunked\r\n"),
        ("chunked in capitals", "content-length: 5\r\nTransfer-Encoding: CHUNKED\r\n"),
        ("chunked twice", "content-length: 5\r\ntransfer-encoding: chunked, chunked\r\n"),
        ("chunked, identity", "content-length: 5\r\ntransfer-encoding: chunked, identity\r\n"),
        ("identity, chunked", "content-length: 5\r\ntransfer-encoding: identity, chunked\r\n"),
        ("gzip, chunked", "content-length: 5\r\ntransfer-encoding: gzip, chunked\r\n"),
        ("xchunked", "content-length: 5\r\ntransfer-encoding: xchunked\r\n"),
        ("quoted", "content-length: 5\r\ntransfer-encoding: \"chunked\"\r\n"),
        ("a tab before", "content-length: 5\r\ntransfer-encoding:\tchunked\r\n"),
        ("a tab behind", "content-length: 5\r\ntransfer-encoding: chunked\t\r\n"),
        ("a blank in the name", "content-length: 5\r\ntransfer-encoding : chunked\r\n"),
        ("a folded line", "content-length: 5\r\ntransfer-encoding:\r\n chunked\r\n"),
        (
            "two codings",
            "content-length: 5\r\ntransfer-encoding: x\r\ntransfer-encoding: chunked\r\n",
        ),
        ("a bare newline", "content-length: 5\r\nx: y\ntransfer-encoding: chunked\r\n"),
        ("a null", "content-length: 5\r\ntransfer-encoding: chunked\0\r\n"),
    ] {
        attacks.push(smuggle(name, &format!("{POST}{coding}\r\n0\r\n\r\n{{}}")));
    }
    // Ambiguous lengths.
    for (name, length) in [
        ("two lengths", "content-length: 0\r\ncontent-length: {n}\r\n"),
        ("two lengths, turned", "content-length: {n}\r\ncontent-length: 0\r\n"),
        ("a list of lengths", "content-length: {n}, 0\r\n"),
        ("a plus", "content-length: +0\r\n"),
        ("a minus", "content-length: -1\r\n"),
        ("hexadecimal", "content-length: 0x0\r\n"),
        ("a fraction", "content-length: 0.0\r\n"),
        ("an exponent", "content-length: 0e1\r\n"),
        ("a blank inside", "content-length: 0 0\r\n"),
        ("a quote", "content-length: \"0\"\r\n"),
        ("too large a number", "content-length: 18446744073709551616\r\n"),
        ("a blank before the colon", "content-length : 0\r\n"),
        ("a tab before the colon", "content-length\t: 0\r\n"),
        ("a folded length", "content-length:\r\n 0\r\n"),
        ("a null in the name", "content-length\0: 0\r\n"),
        ("a return in the value", "content-length: 0\rx: y\r\n"),
        ("Arabic digits", "content-length: ٠\r\n"),
    ] {
        attacks.push(smuggle(name, &format!("{POST}{length}\r\n{{}}")));
    }
    // Invalid chunks.
    for (name, body) in [
        ("a negative chunk", "-1\r\n\r\n0\r\n\r\n"),
        ("a chunk with a plus", "+0\r\n\r\n"),
        ("a chunk in 0x", "0x0\r\n\r\n"),
        ("an overlong chunk", "10000000000000000\r\n\r\n"),
        ("a chunk that ends elsewhere", "2\r\nabc\r\n0\r\n\r\n"),
        ("bare newlines", "0\n\n"),
        ("a return alone", "0\r\r"),
        ("no last chunk's end", "0\r\nX"),
        ("an extension with a newline", "0;a=\"\n\"\r\n\r\n"),
    ] {
        let head =
            format!("{POST}content-length: {}\r\ntransfer-encoding: chunked\r\n", body.len());
        attacks.push(smuggle(name, &format!("{head}\r\n{body}{{}}")));
    }
    // Request lines and heads that some parsers repair.
    for (name, head) in [
        ("a newline in the target", "GET /en-us\nx: HTTP/1.1\r\nhost: a\r\n\r\n"),
        ("two blanks", "GET  /en-us HTTP/1.1\r\nhost: a\r\n\nX"),
        ("a version that is none", "GET /en-us HTTP/9.9\r\nhost: a\r\n\r\n"),
        ("HTTP/0.9", "GET /en-us\r\n\r\n"),
        ("a header without a name", "GET /en-us HTTP/1.1\r\nhost: a\r\n: x\r\n\r\n"),
        ("a header without a colon", "GET /en-us HTTP/1.1\r\nhost: a\r\nx\r\n\r\n"),
        ("a first line that is folded", "GET /en-us HTTP/1.1\r\n host: a\r\n\r\n"),
        ("a null in a header", "GET /en-us HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n"),
    ] {
        attacks.push(smuggle(name, &format!("{head}{{}}")));
    }
    attacks
}
