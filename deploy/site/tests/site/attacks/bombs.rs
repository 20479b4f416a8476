//! Decompression bombs: calls that are small while compressed and megabytes afterwards.

use std::io::{Read, Write};

use flate2::{
    Compression,
    write::{DeflateEncoder, GzEncoder, ZlibEncoder},
};

use super::{Attack, first, wire};

/// Size of the padding in a call.
const PADDING: usize = 4 << 20;

/// Maximum size of a body (docs/limits-and-timeouts.md); each compressed call is smaller.
const BODY: usize = 64 << 10;

/// Content types with a call: prefix, repeated byte and suffix.
const CALLS: [(&str, &str, u8, &str); 2] = [
    ("application/json", "{\"keys\":\"AC_OPEN\"", b' ', "}"),
    ("application/x-www-form-urlencoded", "keys=AC_OPEN", b'&', "x=1"),
];

const CODINGS: [&str; 12] = [
    "gzip",
    "x-gzip",
    "GZip",
    "br",
    "deflate",
    "zstd",
    "gzip, gzip",
    "br, gzip",
    "deflate, br",
    "zstd, zstd",
    "identity, gzip",
    "gzip, identity",
];

/// Applies the codings of a header to a body, in their order.
fn coded(codings: &str, body: Vec<u8>) -> Vec<u8> {
    codings.split(", ").fold(body, |body, coding| match coding {
        "gzip" | "x-gzip" | "GZip" => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&body).unwrap();
            encoder.finish().unwrap()
        }
        "deflate" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&body).unwrap();
            encoder.finish().unwrap()
        }
        "br" => {
            let quick = brotli::enc::BrotliEncoderParams { quality: 1, ..Default::default() };
            let mut out = Vec::new();
            brotli::BrotliCompress(&mut &*body, &mut out, &quick).unwrap();
            out
        }
        "zstd" => zstd(&body),
        _ => body,
    })
}

/// Raw deflate, without the zlib header.
fn bare_deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// One frame with run-length blocks (RFC 8878 §3.1.1).
fn zstd(body: &[u8]) -> Vec<u8> {
    /// Maximum size of a block, and of the window: 128 KiB.
    const BLOCK: usize = 128 << 10;
    const RUN: usize = 1;
    // Magic number; no size, no checksum; window.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
    let mut last = 0;
    for run in body.chunk_by(|one, next| one == next).flat_map(|run| run.chunks(BLOCK)) {
        last = frame.len();
        let header = u32::try_from(run.len() << 3 | RUN << 1).unwrap().to_le_bytes();
        frame.extend([header[0], header[1], header[2], run[0]]);
    }
    frame[last] |= 1;
    frame
}

fn bomb(name: &str, kind: &str, codings: &str, body: &[u8]) -> Attack {
    assert!(body.len() < BODY, "{name}: {} bytes", body.len());
    let headers = [("content-type", kind), ("content-encoding", codings)];
    let sends = vec![wire::request("POST", "/api/config/rest/common", &headers, body)];
    Attack::new(format!("bomb {name} of {kind}"), sends, |conversations| {
        match first(conversations, 0)?.status {
            415 => Ok(()),
            status => Err(format!("{status}: it was unpacked or taken as it is")),
        }
    })
}

pub(super) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for (kind, begin, byte, end) in CALLS {
        let padding = std::io::repeat(byte).take(PADDING as u64);
        let mut call = Vec::with_capacity(PADDING + 64);
        begin.as_bytes().chain(padding).chain(end.as_bytes()).read_to_end(&mut call).unwrap();
        for codings in CODINGS {
            attacks.push(bomb(codings, kind, codings, &coded(codings, call.clone())));
        }
        attacks.push(bomb("bare deflate", kind, "deflate", &bare_deflate(&call)));
    }
    attacks
}
