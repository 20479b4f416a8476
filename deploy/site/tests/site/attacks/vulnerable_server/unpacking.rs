//! Decompresses bodies without a limit.

use std::io::Read;

use flate2::read::{DeflateDecoder, GzDecoder, ZlibDecoder};

/// Size from which a decompressed body is a bomb.
const LARGE: usize = 1 << 20;

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Decompressed size of a call; `None` if it is not a valid call or coding.
pub(super) fn unpacked(codings: &str, body: &[u8]) -> Option<usize> {
    let mut body = body.to_vec();
    for coding in codings.split(',').rev() {
        body = match coding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => read(GzDecoder::new(&*body))?,
            "deflate" => {
                read(ZlibDecoder::new(&*body)).or_else(|| read(DeflateDecoder::new(&*body)))?
            }
            "br" => {
                let mut out = Vec::new();
                brotli::BrotliDecompress(&mut &*body, &mut out).ok()?;
                out
            }
            "zstd" => zstd(&body)?,
            "identity" => body,
            _ => return None,
        };
    }
    let is_call = serde_json::from_slice::<serde_json::Value>(&body)
        .is_ok_and(|call| call["keys"].is_string())
        || body.starts_with(b"keys=");
    (is_call && body.len() >= LARGE).then_some(body.len())
}

fn read(mut decoder: impl Read) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    decoder.read_to_end(&mut out).ok()?;
    Some(out)
}

/// Decodes a frame without checksum, of run-length and raw blocks (RFC 8878 §3.1.1).
fn zstd(frame: &[u8]) -> Option<Vec<u8>> {
    let mut rest = frame.strip_prefix(&ZSTD_MAGIC)?.strip_prefix(&[0])?.get(1..)?;
    let mut out = Vec::new();
    loop {
        let (header, blocks) = rest.split_first_chunk::<3>()?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let size = (header >> 3) as usize;
        let used = match (header >> 1) & 3 {
            0 => {
                out.extend_from_slice(blocks.get(..size)?);
                size
            }
            1 => {
                out.resize(out.len() + size, *blocks.first()?);
                1
            }
            _ => return None,
        };
        rest = &blocks[used..];
        if header & 1 == 1 {
            return rest.is_empty().then_some(out);
        }
    }
}
