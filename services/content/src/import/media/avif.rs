//! Size of an AVIF picture: that of its primary item, not of a thumbnail (ISO/IEC 23008-12).

/// Width and height in pixels as shown, after rotation; `None` if the file does not contain them.
pub(super) fn size(file: &[u8]) -> Option<(u32, u32)> {
    // `meta` begins with version and flags, 4 bytes.
    let meta = child(file, b"meta")?.get(4..)?;
    let primary = primary_item(child(meta, b"pitm")?)?;
    let iprp = child(meta, b"iprp")?;
    let properties: Vec<_> = boxes(child(iprp, b"ipco")?).collect();
    let mut associations = boxes(iprp).filter(|(kind, _)| kind == b"ipma");
    let indices = associations.find_map(|(_, ipma)| property_indices(ipma, primary))?;
    let (mut size, mut is_turned) = (None, false);
    for index in indices {
        // Index 0 means no property.
        let Some((kind, body)) = index.checked_sub(1).and_then(|at| properties.get(at)) else {
            continue;
        };
        let mut numbers = Numbers(body);
        match kind {
            b"ispe" => size = Some((numbers.skip(4)?.take(4)?, numbers.take(4)?)),
            // Rotation in quarter turns.
            b"irot" => is_turned = numbers.take(1)? % 2 == 1,
            _ => {}
        }
    }
    size.map(|(width, height)| if is_turned { (height, width) } else { (width, height) })
}

/// Iterates over the boxes (type and content); stops at a truncated box.
fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (kind, rest) = rest.split_first_chunk()?;
        let (start, end) = match u32::from_be_bytes(*length) {
            // Size 0: the box extends to the end of the file.
            0 => (8, bytes.len()),
            1 => (16, usize::try_from(u64::from_be_bytes(*rest.first_chunk()?)).ok()?),
            length => (8, usize::try_from(length).ok()?),
        };
        let content = bytes.get(start..end)?;
        bytes = &bytes[end..];
        Some((*kind, content))
    })
}

fn child<'a>(bytes: &'a [u8], kind: &[u8; 4]) -> Option<&'a [u8]> {
    boxes(bytes).find(|(found, _)| found == kind).map(|(_, content)| content)
}

/// Reader of consecutive big-endian numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take(&mut self, length: usize) -> Option<u32> {
        let (number, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(number.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
    }

    fn skip(&mut self, length: usize) -> Option<&mut Self> {
        self.0 = self.0.get(length..)?;
        Some(self)
    }
}

fn primary_item(pitm: &[u8]) -> Option<u32> {
    let mut numbers = Numbers(pitm);
    let version = numbers.take(1)?;
    numbers.skip(3)?.take(if version == 0 { 2 } else { 4 })
}

/// The properties of an item as positions in `ipco`, from 1; `None` if the item is not in this box.
fn property_indices(ipma: &[u8], item: u32) -> Option<Vec<usize>> {
    let mut numbers = Numbers(ipma);
    let (version, flags) = (numbers.take(1)?, numbers.take(3)?);
    let id_length = if version == 0 { 2 } else { 4 };
    // The first bit says whether the property is essential.
    let (index_length, mask) = if flags & 1 == 1 { (2, 0x7fff) } else { (1, 0x7f) };
    for _ in 0..numbers.take(4)? {
        let id = numbers.take(id_length)?;
        let count = numbers.take(1)?;
        let indices: Vec<usize> = (0..count)
            .map(|_| usize::try_from(numbers.take(index_length)? & mask).ok())
            .collect::<Option<_>>()?;
        if id == item {
            return Some(indices);
        }
    }
    None
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(8 + content.len()).unwrap();
        [&length.to_be_bytes()[..], kind, content].concat()
    }

    fn ispe(width: u32, height: u32) -> Vec<u8> {
        boxed(b"ispe", &[&[0; 4][..], &width.to_be_bytes(), &height.to_be_bytes()].concat())
    }

    fn irot(quarters: u8) -> Vec<u8> {
        boxed(b"irot", &[quarters])
    }

    /// `pitm`, `ipco` and `ipma` with 16-bit ids, or with 32-bit ids and 15-bit indices.
    struct Picture<'a> {
        is_wide: bool,
        primary: u16,
        properties: &'a [Vec<u8>],
        /// Each item's properties; the first bit marks one as essential.
        items: &'a [(u16, &'a [u8])],
    }

    impl Picture<'_> {
        fn file(&self) -> Vec<u8> {
            let id = |id: u16| match self.is_wide {
                true => u32::from(id).to_be_bytes().to_vec(),
                false => id.to_be_bytes().to_vec(),
            };
            let version = u8::from(self.is_wide);
            let pitm = boxed(b"pitm", &[&[version, 0, 0, 0][..], &id(self.primary)].concat());
            let count = u32::try_from(self.items.len()).unwrap();
            let mut ipma = [&[version, 0, 0, version][..], &count.to_be_bytes()].concat();
            for (item, indices) in self.items {
                ipma.extend(id(*item));
                ipma.push(u8::try_from(indices.len()).unwrap());
                for index in *indices {
                    match self.is_wide {
                        true => ipma.extend([index & 0x80, index & 0x7f]),
                        false => ipma.push(*index),
                    }
                }
            }
            let ipco = boxed(b"ipco", &self.properties.concat());
            let iprp = boxed(b"iprp", &[ipco, boxed(b"ipma", &ipma)].concat());
            let handler = boxed(b"hdlr", &[0; 24]);
            let meta = boxed(b"meta", &[vec![0; 4], handler, pitm, iprp].concat());
            [boxed(b"ftyp", b"avif\0\0\0\0avifmif1"), meta].concat()
        }
    }

    /// A file with one item of 320 x 240 pixels.
    pub(crate) fn plain() -> Vec<u8> {
        let properties = &[ispe(320, 240)];
        Picture { is_wide: false, primary: 1, properties, items: &[(1, &[0x81])] }.file()
    }

    #[test]
    fn size_is_that_of_the_primary_item_after_rotation() {
        let properties =
            &[ispe(160, 120), boxed(b"pixi", &[0; 8]), ispe(640, 480), irot(1), irot(2), irot(3)];
        struct Case<'a> {
            name: &'a str,
            primary: u16,
            items: &'a [(u16, &'a [u8])],
            size: Option<(u32, u32)>,
        }
        let cases = [
            Case {
                name: "thumbnail before the picture",
                primary: 2,
                items: &[(1, &[0x81, 2]), (2, &[2, 0x83])],
                size: Some((640, 480)),
            },
            Case {
                name: "thumbnail larger than the picture",
                primary: 1,
                items: &[(1, &[1]), (2, &[3])],
                size: Some((160, 120)),
            },
            Case {
                name: "thumbnail turned, picture not",
                primary: 2,
                items: &[(1, &[1, 0x84]), (2, &[3])],
                size: Some((640, 480)),
            },
            Case {
                name: "a quarter turn",
                primary: 2,
                items: &[(1, &[1]), (2, &[3, 0x84])],
                size: Some((480, 640)),
            },
            Case {
                name: "half a turn",
                primary: 2,
                items: &[(2, &[3, 0x85])],
                size: Some((640, 480)),
            },
            Case {
                name: "three quarters, before the size",
                primary: 2,
                items: &[(2, &[0x86, 0, 3])],
                size: Some((480, 640)),
            },
            Case { name: "no such item", primary: 3, items: &[(2, &[3])], size: None },
            Case { name: "no size", primary: 2, items: &[(1, &[1]), (2, &[2, 9])], size: None },
        ];
        for Case { name, primary, items, size: expected } in cases {
            for is_wide in [false, true] {
                let file = Picture { is_wide, primary, properties, items }.file();
                assert_eq!(size(&file), expected, "{name}, wide: {is_wide}");
            }
        }
    }

    #[test]
    fn long_and_open_ended_boxes_are_read() {
        let content = [&[0; 4][..], &7u32.to_be_bytes(), &9u32.to_be_bytes()].concat();
        let long = [&1u32.to_be_bytes()[..], b"ispe", &28u64.to_be_bytes(), &content].concat();
        let open = [&0u32.to_be_bytes()[..], b"ispe", &content].concat();
        for bytes in [long, open] {
            assert_eq!(child(&bytes, b"ispe"), Some(&content[..]));
        }
        for broken in [&b"\0\0\0\x07ispe"[..], b"\0\0\0\x09ispe", b"\0\0\0\x01ispe\0", b"\0\0"] {
            assert_eq!(boxes(broken).count(), 0, "{broken:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(at in 0usize..200, byte: u8) {
            let mut file = plain();
            let at = at % file.len();
            file[at] = byte;
            let _ = size(&file);
        }
    }
}
