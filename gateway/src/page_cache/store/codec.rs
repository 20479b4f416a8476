//! The binary form of entries in Redis: a head of fixed size, then a protobuf message.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–2 | `SP` and the version of the format |
//! | 3–18 | fill id; the Lua scripts read it at bytes 4 to 19, one-based |
//! | 19–22 | CRC-32 of all other bytes, big-endian |
//! | 23– | [`Record`] |
//!
//! A field can be added to [`Record`] without a new version. An entry of another version is a miss.

use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use prost::Message;

use crate::page_cache::entry::{Bodies, Entry, EntryData, EntryKind, FillId, LogPosition, Times};

const MAGIC: &[u8; 3] = b"SP\x02";
const FILL_ID: std::ops::Range<usize> = 3..19;
const CHECKSUM: std::ops::Range<usize> = 19..23;

#[derive(Clone, PartialEq, Message)]
struct Record {
    #[prost(uint32, tag = "1")]
    status: u32,
    #[prost(bytes = "bytes", tag = "2")]
    content_type: Bytes,
    #[prost(fixed32, tag = "3")]
    created_at: u32,
    #[prost(fixed32, tag = "4")]
    fresh_until: u32,
    #[prost(fixed32, tag = "5")]
    stale_until: u32,
    #[prost(bytes = "bytes", tag = "6")]
    hash: Bytes,
    #[prost(string, repeated, tag = "7")]
    tags: Vec<String>,
    #[prost(message, repeated, tag = "8")]
    positions: Vec<LogPosition>,
    #[prost(bytes = "bytes", tag = "9")]
    brotli: Bytes,
    #[prost(bool, tag = "10")]
    brotli_best: bool,
    #[prost(bytes = "bytes", tag = "11")]
    gzip: Bytes,
}

/// The bytes of a complete page with both compressed bodies; `None` for anything else.
pub(crate) fn encode(entry: &Entry) -> Option<Vec<u8>> {
    let (EntryKind::Complete, Bodies { brotli: Some(brotli), brotli_best, gzip: Some(gzip), .. }) =
        (entry.kind, &entry.bodies)
    else {
        return None;
    };
    let record = Record {
        status: entry.status.as_u16().into(),
        content_type: Bytes::copy_from_slice(entry.content_type.as_bytes()),
        created_at: entry.times.created_at,
        fresh_until: entry.times.fresh_until,
        stale_until: entry.times.stale_until,
        hash: Bytes::copy_from_slice(&entry.hash),
        tags: entry.tags.iter().map(|tag| tag.to_string()).collect(),
        positions: entry.positions.to_vec(),
        brotli: brotli.clone(),
        brotli_best: *brotli_best,
        gzip: gzip.clone(),
    };
    let mut bytes = Vec::with_capacity(CHECKSUM.end + record.encoded_len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&entry.fill_id);
    bytes.extend_from_slice(&[0; 4]);
    record.encode(&mut bytes).ok()?;
    let checksum = checksum(&bytes);
    bytes[CHECKSUM].copy_from_slice(&checksum);
    Some(bytes)
}

/// The entry in these bytes; `None` if they are damaged or of another version.
pub(crate) fn decode(bytes: Bytes) -> Option<Entry> {
    if !bytes.starts_with(MAGIC) || bytes.get(CHECKSUM)? != checksum(&bytes) {
        return None;
    }
    let fill_id = FillId::try_from(bytes.get(FILL_ID)?).ok()?;
    let record = Record::decode(bytes.slice(CHECKSUM.end..)).ok()?;
    // Copied, so that neither body keeps the whole message in memory uncounted.
    let body = |body: &Bytes| Some(Bytes::copy_from_slice(body));
    Some(Entry::new(EntryData {
        status: StatusCode::from_u16(u16::try_from(record.status).ok()?).ok()?,
        content_type: HeaderValue::from_bytes(&record.content_type).ok()?,
        bodies: Bodies {
            brotli: body(&record.brotli),
            brotli_best: record.brotli_best,
            gzip: body(&record.gzip),
            identity: None,
        },
        hash: record.hash.as_ref().try_into().ok()?,
        fill_id,
        kind: EntryKind::Complete,
        own: false,
        times: Times {
            created_at: record.created_at,
            fresh_until: record.fresh_until,
            stale_until: record.stale_until,
        },
        tags: record.tags.into_iter().map(String::into_boxed_str).collect(),
        positions: record.positions.into(),
    }))
}

/// The fill id in the bytes of an entry, also of a damaged one; less than 16 bytes if they are truncated.
pub(crate) fn fill_id(bytes: &Bytes) -> Bytes {
    bytes.slice(FILL_ID.start.min(bytes.len())..FILL_ID.end.min(bytes.len()))
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes.get(..CHECKSUM.start).unwrap_or_default());
    crc.update(bytes.get(CHECKSUM.end..).unwrap_or_default());
    crc.sum().to_be_bytes()
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
                    service,
                    log_id,
                    sequence,
                }).collect(),
            })
        }
    }

    proptest! {
        #[test]
        fn decode_returns_what_was_encoded(entry in entries()) {
            let bytes = Bytes::from(encode(&entry).unwrap());
            // The position at which the Redis scripts read it.
            prop_assert_eq!(&bytes[3..19], &entry.fill_id);
            prop_assert_eq!(&fill_id(&bytes)[..], &entry.fill_id);
            let back = decode(bytes).unwrap();
            prop_assert_eq!(&back.bodies, &entry.bodies);
            prop_assert_eq!(&back.tags, &entry.tags);
            prop_assert_eq!(&back.positions, &entry.positions);
            prop_assert_eq!(back.times, entry.times);
            prop_assert_eq!((back.status, back.hash, back.fill_id), (entry.status, entry.hash, entry.fill_id));
            prop_assert_eq!(&back.content_type, &entry.content_type);
            prop_assert!(!back.own);
        }

        #[test]
        fn decode_rejects_a_changed_byte(entry in entries(), at in any::<prop::sample::Index>(), by in 1u8..) {
            let mut bytes = encode(&entry).unwrap();
            let at = at.index(bytes.len());
            bytes[at] ^= by;
            prop_assert!(decode(bytes.into()).is_none());
        }

        #[test]
        fn decode_rejects_a_truncated_entry(entry in entries(), at in any::<prop::sample::Index>()) {
            let bytes = encode(&entry).unwrap();
            let at = at.index(bytes.len());
            let cut = Bytes::from(bytes).slice(..at);
            let _ = fill_id(&cut);
            prop_assert!(decode(cut).is_none());
        }

        #[test]
        fn decode_rejects_another_version(entry in entries(), version in any::<u8>()) {
            prop_assume!(version != MAGIC[2]);
            let mut bytes = encode(&entry).unwrap();
            bytes[2] = version;
            let checksum = checksum(&bytes);
            bytes[CHECKSUM].copy_from_slice(&checksum);
            prop_assert!(decode(bytes.into()).is_none());
        }

        // With a correct checksum over arbitrary bytes, this tests the decoder's own bounds checks.
        #[test]
        fn decode_does_not_panic_on_arbitrary_bytes(mut bytes in prop::collection::vec(any::<u8>(), 23..300)) {
            bytes[..3].copy_from_slice(MAGIC);
            let checksum = checksum(&bytes);
            bytes[CHECKSUM].copy_from_slice(&checksum);
            let _ = decode(bytes.into());
        }
    }
}
