//! Compressed bodies to which a short tail can be appended without compressing again.
//!
//! Each stream ends at a flush boundary, where it is aligned to a byte (RFC 1951 §3.2.4, RFC 7932 §9.2). The tail
//! follows uncompressed: in a stored block of deflate, or in an uncompressed meta-block of brotli. Nothing in the tail
//! influences the bytes before it.

use std::io::Write;

use bytes::{BufMut, Bytes, BytesMut};
use flate2::{Compression, Crc, write::DeflateEncoder};

use super::compress::{self, MEMOISED, brotli_parameters, gunzip};
use crate::content_encoding::ContentEncoding;

/// A gzip header without name and time (RFC 1952 §2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// Maximum size of a stored block of deflate, bytes.
const MAX_STORED_BLOCK: usize = 0xffff;
/// Maximum size of a meta-block whose length has four nibbles, bytes.
const MAX_META_BLOCK: usize = 1 << 16;
/// Brotli's last, empty meta-block.
const BROTLI_END: u8 = 0b11;

/// A body in both encodings, each stream unfinished.
#[derive(Debug)]
pub(crate) struct AppendableBody {
    brotli: Bytes,
    gzip: Bytes,
    /// Checksum and length of the uncompressed body.
    crc: Crc,
}

impl AppendableBody {
    /// Compresses a body to which different tails will be appended; `None` while the process shuts down.
    pub(crate) async fn compress(body: Bytes) -> Option<Self> {
        compress::run(move || Self::new(&body)).await.flatten()
    }

    fn new(body: &[u8]) -> Option<Self> {
        let mut crc = Crc::new();
        crc.update(body);
        let mut gzip = Vec::with_capacity(body.len() / 4 + 64);
        gzip.extend_from_slice(&GZIP_HEADER);
        let mut deflate = DeflateEncoder::new(gzip, Compression::new(MEMOISED));
        deflate.write_all(body).and_then(|()| deflate.flush()).ok()?;
        let out = Vec::with_capacity(body.len() / 4 + 64);
        let parameters = brotli_parameters(body.len(), MEMOISED);
        let mut brotli = brotli::CompressorWriter::with_params(out, 4096, &parameters);
        brotli.write_all(body).and_then(|()| brotli.flush()).ok()?;
        // Without `finish` or `into_inner`: the streams stay open.
        Some(Self {
            brotli: Bytes::copy_from_slice(brotli.get_ref()),
            gzip: Bytes::copy_from_slice(deflate.get_ref()),
            crc,
        })
    }

    /// Its size in memory, bytes.
    pub(crate) fn weight(&self) -> u64 {
        (size_of::<Self>() + self.brotli.len() + self.gzip.len()) as u64
    }

    /// The complete body in an encoding.
    pub(crate) fn with_tail(&self, coding: ContentEncoding, tail: &[u8]) -> Bytes {
        match coding {
            ContentEncoding::Brotli => self.brotli_with(tail),
            ContentEncoding::Gzip => self.gzip_with(tail),
            // Our own gzip always decompresses.
            ContentEncoding::Identity => gunzip(&self.gzip_with(tail)).unwrap_or_default(),
        }
    }

    fn gzip_with(&self, tail: &[u8]) -> Bytes {
        let mut crc = Crc::new();
        crc.combine(&self.crc);
        crc.update(tail);
        let mut out = BytesMut::with_capacity(self.gzip.len() + tail.len() + 64);
        out.put_slice(&self.gzip);
        for block in tail.chunks(MAX_STORED_BLOCK) {
            let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
            out.put_u8(0);
            out.put_u16_le(length);
            out.put_u16_le(!length);
            out.put_slice(block);
        }
        // A final, empty block.
        out.put_slice(&[1, 0, 0, 0xff, 0xff]);
        out.put_u32_le(crc.sum());
        out.put_u32_le(crc.amount());
        out.freeze()
    }

    fn brotli_with(&self, tail: &[u8]) -> Bytes {
        let mut out = BytesMut::with_capacity(self.brotli.len() + tail.len() + 64);
        out.put_slice(&self.brotli);
        for block in tail.chunks(MAX_META_BLOCK) {
            // From the lowest bit: not the last block, four nibbles of length, the length minus one, uncompressed.
            let header = ((block.len() - 1) << 3) | (1 << 19);
            out.put_uint_le(header as u64, 3);
            out.put_slice(block);
        }
        out.put_u8(BROTLI_END);
        out.freeze()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn unbrotli(coded: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        brotli::BrotliDecompress(&mut &coded[..], &mut out).unwrap();
        out
    }

    fn assert_completes(body: &[u8], tail: &[u8]) {
        let shared = AppendableBody::new(body).unwrap();
        let whole = [body, tail].concat();
        assert_eq!(unbrotli(&shared.with_tail(ContentEncoding::Brotli, tail)), whole);
        assert_eq!(gunzip(&shared.with_tail(ContentEncoding::Gzip, tail)).unwrap(), whole);
        assert_eq!(shared.with_tail(ContentEncoding::Identity, tail), whole);
    }

    #[test]
    fn tails_of_every_size_complete_bodies_of_every_size() {
        let page = (0..9000).map(|n| format!("<li>{}</li>", n * 7919 % 1000)).collect::<String>();
        let tail = vec![b'x'; 2 * MAX_META_BLOCK + 1];
        let bodies = [0, 1, 4095, 4096, 4097, 65_536, page.len()];
        for body in bodies {
            let tails = [0, 1, 100, MAX_STORED_BLOCK, MAX_META_BLOCK, MAX_META_BLOCK + 1];
            for length in tails.into_iter().chain([tail.len()]) {
                assert_completes(&page.as_bytes()[..body], &tail[..length]);
            }
        }
    }

    #[test]
    fn weight_is_that_of_both_streams_and_little_more() {
        let body = AppendableBody::new(&[b'x'; 1 << 16]).unwrap();
        let streams = (body.brotli.len() + body.gzip.len()) as u64;
        assert!((streams..streams + 256).contains(&body.weight()), "{} {streams}", body.weight());
    }

    proptest! {
        #[test]
        fn any_tail_completes_any_body(body: Vec<u8>, first: Vec<u8>, second: Vec<u8>) {
            assert_completes(&body, &first);
            assert_completes(&body, &second);
        }
    }
}
