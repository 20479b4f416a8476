//! Writes small files in the MaxMind DB format that map networks to countries.

use std::net::IpAddr;

/// Bits of a record of the search tree.
const RECORD_BITS: u16 = 24;
/// Bytes between tree and data.
const SEPARATOR: usize = 16;

/// A file of networks (`81.2.69.0/24`) and ISO 3166-1 alpha-2 codes.
pub(crate) fn file(networks: &[(&str, &str)]) -> Vec<u8> {
    let mut nodes = vec![[None::<Child>; 2]];
    let mut data = Vec::new();
    for (network, country) in networks {
        let at = data.len();
        data.extend(map(&[("country", map(&[("iso_code", text(country))]))]));
        insert(&mut nodes, network, at);
    }
    let count = nodes.len();
    let mut file = Vec::new();
    for record in nodes.iter().flatten() {
        let value = match record {
            None => count,
            Some(Child::Node(at)) => *at,
            Some(Child::Data(at)) => count + SEPARATOR + at,
        };
        file.extend(&u32::try_from(value).unwrap().to_be_bytes()[1..]);
    }
    file.extend([0; SEPARATOR]);
    file.extend(data);
    file.extend(b"\xab\xcd\xefMaxMind.com");
    file.extend(map(&[
        ("node_count", number(6, u32::try_from(count).unwrap())),
        ("record_size", number(5, u32::from(RECORD_BITS))),
        ("ip_version", number(5, 6)),
        ("database_type", text("Test-Country")),
        ("languages", vec![0, 4]),
        ("binary_format_major_version", number(5, 2)),
        ("binary_format_minor_version", number(5, 0)),
        ("build_epoch", vec![0x01, 2, 1]),
        ("description", map(&[])),
    ]));
    file
}

#[derive(Clone, Copy)]
enum Child {
    Node(usize),
    Data(usize),
}

fn insert(nodes: &mut Vec<[Option<Child>; 2]>, network: &str, data: usize) {
    let (address, prefix) = network.split_once('/').unwrap();
    let prefix: u32 = prefix.parse().unwrap();
    // IPv4 is stored below ::/96.
    let (bits, prefix) = match address.parse().unwrap() {
        IpAddr::V4(address) => (u128::from(u32::from(address)), prefix + 96),
        IpAddr::V6(address) => (u128::from(address), prefix),
    };
    let mut node = 0;
    for depth in 0..prefix {
        let side = usize::from(bits >> (127 - depth) & 1 == 1);
        if depth + 1 == prefix {
            nodes[node][side] = Some(Child::Data(data));
            return;
        }
        node = match nodes[node][side] {
            Some(Child::Node(next)) => next,
            _ => {
                nodes.push([None; 2]);
                nodes[node][side] = Some(Child::Node(nodes.len() - 1));
                nodes.len() - 1
            }
        };
    }
}

fn text(text: &str) -> Vec<u8> {
    let mut out = vec![2 << 5 | u8::try_from(text.len()).unwrap()];
    // Lengths of 29 and more have another encoding, which is not needed here.
    assert!(text.len() < 29, "{text}");
    out.extend(text.as_bytes());
    out
}

/// An unsigned number of type 5 (16 bits) or 6 (32 bits).
fn number(kind: u8, value: u32) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let bytes = if kind == 5 { &bytes[2..] } else { &bytes[..] };
    let mut out = vec![kind << 5 | u8::try_from(bytes.len()).unwrap()];
    out.extend(bytes);
    out
}

fn map(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![7 << 5 | u8::try_from(pairs.len()).unwrap()];
    for (key, value) in pairs {
        out.extend(text(key));
        out.extend(value);
    }
    out
}
