//! The binary form of entries in Redis.
//!
//! Layout, integers big-endian: `SP`, version, fill id (16), CRC-32 of all that follows and the
//! fill id, status (2), created at, fresh until, stale until (4 each), body hash (16), flags (1),
//! content type (2 + n), positions (1 × (1 + n service, 1 + n log id, 8)), tags (2 × (1 + n)),
//! brotli (4 + n), gzip (4 + n). Scripts in Redis read the fill id at bytes 4 to 19 (one-based).

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, StatusCode};

use crate::page_cache::entry::{Bodies, Entry, EntryData, EntryKind, LogPosition, Times};

const MAGIC: &[u8; 2] = b"SP";
const VERSION: u8 = 1;
const CHECK: std::ops::Range<usize> = 19..23;
const BROTLI_BEST: u8 = 1;

/// The bytes of a complete page; `None` for other kinds and for what is too large for the format.
pub(in crate::page_cache) fn encode(entry: &Entry) -> Option<Vec<u8>> {
    if entry.kind != EntryKind::Complete {
        return None;
    }
    let brotli = entry.bodies.brotli.as_ref()?;
    let gzip = entry.bodies.gzip.as_ref()?;
    let mut out = Vec::with_capacity(brotli.len() + gzip.len() + 1024);
    out.extend_from_slice(MAGIC);
    out.push(VERSION);
    out.extend_from_slice(&entry.fill_id);
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&entry.status.as_u16().to_be_bytes());
    for moment in [entry.times.created_at, entry.times.fresh_until, entry.times.stale_until] {
        out.extend_from_slice(&moment.to_be_bytes());
    }
    out.extend_from_slice(&entry.hash);
    out.push(if entry.bodies.brotli_best { BROTLI_BEST } else { 0 });
    out.extend_from_slice(&u16::try_from(entry.content_type.len()).ok()?.to_be_bytes());
    out.extend_from_slice(entry.content_type.as_bytes());
    out.push(u8::try_from(entry.positions.len()).ok()?);
    for position in &entry.positions {
        short(&mut out, &position.service)?;
        short(&mut out, &position.log_id)?;
        out.extend_from_slice(&position.sequence.to_be_bytes());
    }
    out.extend_from_slice(&u16::try_from(entry.tags.len()).ok()?.to_be_bytes());
    for tag in &entry.tags {
        short(&mut out, tag)?;
    }
    for body in [brotli, gzip] {
        out.extend_from_slice(&u32::try_from(body.len()).ok()?.to_be_bytes());
        out.extend_from_slice(body);
    }
    let check = check_of(&out);
    out[CHECK].copy_from_slice(&check);
    Some(out)
}

/// The entry in these bytes; `None` if they are damaged or of another version.
pub(in crate::page_cache) fn decode(bytes: Bytes) -> Option<Entry> {
    if bytes.get(CHECK)? != check_of(&bytes) {
        return None;
    }
    let mut reader = Reader { bytes };
    if reader.take(2)?.as_ref() != MAGIC || reader.byte()? != VERSION {
        return None;
    }
    let fill_id = reader.array::<16>()?;
    reader.take(4)?;
    let status = StatusCode::from_u16(u16::from_be_bytes(reader.array()?)).ok()?;
    let times = Times {
        created_at: reader.moment()?,
        fresh_until: reader.moment()?,
        stale_until: reader.moment()?,
    };
    let hash = reader.array::<16>()?;
    let flags = reader.byte()?;
    let content_type = usize::from(u16::from_be_bytes(reader.array()?));
    let content_type = HeaderValue::from_maybe_shared(reader.take(content_type)?).ok()?;
    let count = reader.byte()?;
    let mut positions = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        positions.push(LogPosition {
            service: Arc::from(reader.short()?.as_str()),
            log_id: Arc::from(reader.short()?.as_str()),
            sequence: u64::from_be_bytes(reader.array()?),
        });
    }
    let count = u16::from_be_bytes(reader.array()?);
    let mut tags = Vec::with_capacity(usize::from(count).min(reader.bytes.len()));
    for _ in 0..count {
        tags.push(reader.short()?.into_boxed_str());
    }
    let brotli = reader.body()?;
    let gzip = reader.body()?;
    if !reader.bytes.is_empty() {
        return None;
    }
    Some(Entry::new(EntryData {
        status,
        content_type,
        bodies: Bodies {
            brotli: Some(brotli),
            brotli_best: flags & BROTLI_BEST != 0,
            gzip: Some(gzip),
            identity: None,
        },
        hash,
        fill_id,
        kind: EntryKind::Complete,
        own: false,
        times,
        tags: tags.into(),
        positions: positions.into(),
    }))
}

fn check_of(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes.get(..CHECK.start).unwrap_or_default());
    crc.update(bytes.get(CHECK.end..).unwrap_or_default());
    crc.sum().to_be_bytes()
}

fn short(out: &mut Vec<u8>, text: &str) -> Option<()> {
    out.push(u8::try_from(text.len()).ok()?);
    out.extend_from_slice(text.as_bytes());
    Some(())
}

struct Reader {
    bytes: Bytes,
}

impl Reader {
    fn take(&mut self, length: usize) -> Option<Bytes> {
        (length <= self.bytes.len()).then(|| self.bytes.split_to(length))
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.as_ref().try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn moment(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    fn short(&mut self) -> Option<String> {
        let length = usize::from(self.byte()?);
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    fn body(&mut self) -> Option<Bytes> {
        let length = usize::try_from(u32::from_be_bytes(self.array()?)).ok()?;
        // Copied, so that neither body keeps the whole message in memory uncounted.
        self.take(length).map(|body| Bytes::copy_from_slice(&body))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn entries()(
            fill_id in any::<[u8; 16]>(),
            hash in any::<[u8; 16]>(),
            created_at in any::<u32>(),
            best in any::<bool>(),
            tags in prop::collection::vec("[a-z0-9:_-]{1,120}", 0..40),
            positions in prop::collection::vec(("[a-z]{1,12}", "[0-9a-f]{32}", any::<u64>()), 0..6),
            brotli in prop::collection::vec(any::<u8>(), 0..200),
            gzip in prop::collection::vec(any::<u8>(), 0..200),
        ) -> Entry {
            Entry::new(EntryData {
                status: StatusCode::OK,
                content_type: HeaderValue::from_static("text/html; charset=utf-8"),
                bodies: Bodies {
                    brotli: Some(brotli.into()),
                    brotli_best: best,
                    gzip: Some(gzip.into()),
                    identity: None,
                },
                hash,
                fill_id,
                kind: EntryKind::Complete,
                own: true,
                times: Times {
                    created_at,
                    fresh_until: created_at.saturating_add(300),
                    stale_until: created_at.saturating_add(86_400),
                },
                tags: tags.into_iter().map(String::into_boxed_str).collect(),
                positions: positions.into_iter().map(|(service, log_id, sequence)| LogPosition {
                    service: service.into(),
                    log_id: log_id.into(),
                    sequence,
                }).collect(),
            })
        }
    }

    proptest! {
        #[test]
        fn an_entry_comes_back_as_it_was(entry in entries()) {
            let bytes = encode(&entry).unwrap();
            // Where the scripts in Redis look for it.
            prop_assert_eq!(&bytes[3..19], &entry.fill_id);
            let back = decode(bytes.into()).unwrap();
            prop_assert_eq!(&back.bodies, &entry.bodies);
            prop_assert_eq!(&back.tags, &entry.tags);
            prop_assert_eq!(&back.positions, &entry.positions);
            prop_assert_eq!(back.times, entry.times);
            prop_assert_eq!((back.status, back.hash, back.fill_id), (entry.status, entry.hash, entry.fill_id));
            prop_assert_eq!(&back.content_type, &entry.content_type);
            prop_assert!(!back.own);
        }

        #[test]
        fn a_changed_byte_is_no_entry(entry in entries(), at in any::<prop::sample::Index>(), by in 1u8..) {
            let mut bytes = encode(&entry).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= by;
            prop_assert!(decode(bytes.into()).is_none());
        }

        #[test]
        fn a_cut_is_no_entry(entry in entries(), at in any::<prop::sample::Index>()) {
            let bytes = encode(&entry).unwrap();
            let at = at.index(bytes.len());
            prop_assert!(decode(Bytes::from(bytes).slice(..at)).is_none());
        }

        // With a right checksum over anything at all, the reader's own bounds are what is tested.
        #[test]
        fn nothing_panics(mut bytes in prop::collection::vec(any::<u8>(), 23..300)) {
            bytes[..2].copy_from_slice(MAGIC);
            bytes[2] = VERSION;
            let check = check_of(&bytes);
            bytes[CHECK].copy_from_slice(&check);
            let _ = decode(bytes.into());
        }
    }
}
