//! Validates pictures by their bytes (JPEG, PNG or BMP, 500 KB to 5 MB).

const MIN_FILE_BYTES: usize = 500 << 10;
pub const MAX_FILE_BYTES: usize = 5 << 20;

/// The type of a picture, detected from its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    Jpeg,
    Png,
    /// Windows bitmap.
    Bmp,
}

impl PictureKind {
    pub fn content_type(self) -> &'static str {
        match self {
            PictureKind::Jpeg => "image/jpeg",
            PictureKind::Png => "image/png",
            PictureKind::Bmp => "image/bmp",
        }
    }
}

type Check = fn(&[u8]) -> Option<()>;

/// Validates a file; the error is the reason for its rejection.
pub fn validate_picture(bytes: &[u8]) -> Result<PictureKind, &'static str> {
    let kinds: [(PictureKind, Check); 3] =
        [(PictureKind::Jpeg, jpeg), (PictureKind::Png, png), (PictureKind::Bmp, bmp)];
    let is_it = |(_, check): &(_, Check)| check(bytes).is_some();
    let Some((kind, _)) = kinds.into_iter().find(is_it) else {
        return Err("is no JPEG, PNG or BMP");
    };
    match bytes.len() {
        length if length < MIN_FILE_BYTES => Err("is smaller than 500 KB"),
        length if length > MAX_FILE_BYTES => Err("is larger than 5 MB"),
        _ => Ok(kind),
    }
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn be32(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn require(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// Requires segments from the start to the first scan, among them a frame with a size, and the end
/// of the image.
fn jpeg(bytes: &[u8]) -> Option<()> {
    require(bytes.starts_with(&[0xff, 0xd8]))?;
    let (mut at, mut has_frame) = (2, false);
    loop {
        require(*bytes.get(at)? == 0xff)?;
        let marker = *bytes.get(at + 1)?;
        match marker {
            // A marker may be padded, and some markers have no segment.
            0xff => {
                at += 1;
                continue;
            }
            0x01 | 0xd0..=0xd7 => {
                at += 2;
                continue;
            }
            0xd8 | 0xd9 | 0x00 => return None,
            _ => {}
        }
        let length = usize::from(be16(bytes, at + 2)?);
        require(length >= 2)?;
        let is_frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            require(be16(bytes, at + 7)? > 0 && length >= 8)?;
            has_frame = true;
        }
        at += 2 + length;
        if marker == 0xda {
            break;
        }
    }
    // Cameras append their own data after the end.
    let end = bytes.get(at..)?.windows(2).rposition(|pair| pair == [0xff, 0xd9]);
    require(has_frame && end.is_some())
}

/// Requires the signature and whole chunks: the header first, data, and the end last.
fn png(bytes: &[u8]) -> Option<()> {
    require(bytes.starts_with(b"\x89PNG\r\n\x1a\n"))?;
    let (mut at, mut has_data) = (8, false);
    loop {
        let (length, kind) = (be32(bytes, at)?, bytes.get(at + 4..at + 8)?);
        let end = at.checked_add(12)?.checked_add(length)?;
        require(end <= bytes.len() && kind.iter().all(u8::is_ascii_alphabetic))?;
        if at == 8 {
            require(kind == b"IHDR" && length == 13)?;
            require(be32(bytes, at + 8)? > 0 && be32(bytes, at + 12)? > 0)?;
        }
        has_data |= kind == b"IDAT";
        if kind == b"IEND" {
            return require(has_data && length == 0);
        }
        at = end;
    }
}

/// Requires both headers, the file's length in them, and a size.
fn bmp(bytes: &[u8]) -> Option<()> {
    require(bytes.starts_with(b"BM"))?;
    let length = u32::try_from(bytes.len()).ok()?;
    let (declared, pixels, header) = (le32(bytes, 2)?, le32(bytes, 10)?, le32(bytes, 14)?);
    // Some programs omit the length.
    require(declared == 0 || declared == length)?;
    require(matches!(header, 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124))?;
    require(pixels >= 14 + header && pixels < length)?;
    match header {
        12 => require(le32(bytes, 18)? & 0xffff != 0 && le32(bytes, 18)? >> 16 != 0),
        _ => require(le32(bytes, 18)? != 0 && le32(bytes, 22)? != 0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type MakePicture = fn(usize) -> Vec<u8>;

    fn jpeg_of(size: usize) -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2];
        bytes.extend([0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]);
        bytes.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
        bytes.resize(size - 2, 0x55);
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    fn png_of(size: usize) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        bytes.extend([0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0, 1, 2, 3, 4]);
        let data = u32::try_from(size - bytes.len() - 24).expect("small");
        bytes.extend(data.to_be_bytes());
        bytes.extend(b"IDAT");
        bytes.resize(size - 12, 7);
        bytes.extend(b"\0\0\0\0IEND\xae\x42\x60\x82");
        bytes
    }

    fn bmp_of(size: usize) -> Vec<u8> {
        let mut bytes = b"BM".to_vec();
        bytes.extend(u32::try_from(size).expect("small").to_le_bytes());
        bytes.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
        bytes.resize(size, 0);
        bytes
    }

    #[test]
    fn three_types_within_their_sizes_are_accepted() {
        let kinds: [(PictureKind, MakePicture); 3] =
            [(PictureKind::Jpeg, jpeg_of), (PictureKind::Png, png_of), (PictureKind::Bmp, bmp_of)];
        for (kind, make) in kinds {
            assert_eq!(validate_picture(&make(MIN_FILE_BYTES)), Ok(kind));
            assert_eq!(validate_picture(&make(MAX_FILE_BYTES)), Ok(kind));
            assert_eq!(validate_picture(&make(MIN_FILE_BYTES - 1)), Err("is smaller than 500 KB"));
            assert_eq!(validate_picture(&make(MAX_FILE_BYTES + 1)), Err("is larger than 5 MB"));
        }
    }

    #[test]
    fn truncated_and_fake_pictures_are_rejected() {
        let cut = |mut bytes: Vec<u8>| {
            bytes.truncate(MIN_FILE_BYTES);
            bytes
        };
        let filled = |head: &[u8]| {
            let mut bytes = head.to_vec();
            bytes.resize(MIN_FILE_BYTES, b'a');
            bytes
        };
        for (name, bytes) in [
            ("nothing", Vec::new()),
            ("html", filled(b"<html><script>")),
            ("gif", filled(b"GIF89a")),
            ("pdf", filled(b"%PDF-1.7")),
            ("jpeg signature", filled(&[0xff, 0xd8, 0xff, 0xe0])),
            ("png signature", filled(b"\x89PNG\r\n\x1a\n")),
            ("bmp signature", filled(b"BM")),
            ("half a jpeg", cut(jpeg_of(MIN_FILE_BYTES + 9))),
            ("half a png", cut(png_of(MIN_FILE_BYTES + 9))),
            ("half a bmp", cut(bmp_of(MIN_FILE_BYTES + 9))),
        ] {
            assert_eq!(validate_picture(&bytes), Err("is no JPEG, PNG or BMP"), "{name}");
        }
    }

    /// A JPEG with these segments before its scan.
    fn jpeg_with(segments: &[u8]) -> Vec<u8> {
        let scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
        let mut bytes = [&[0xff, 0xd8], segments, &scan].concat();
        bytes.resize(MIN_FILE_BYTES, 0x55);
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    #[test]
    fn segments_of_a_jpeg_are_validated() {
        const FRAME: &[u8] = &[0xff, 0xc0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0];
        let frame = |marker: u8| [&[0xff, marker], &FRAME[2..]].concat();
        let before = |segment: &[u8]| [segment, FRAME].concat();
        struct Case {
            name: &'static str,
            segments: Vec<u8>,
            is_valid: bool,
        }
        for Case { name, segments, is_valid } in [
            Case { name: "frame", segments: FRAME.to_vec(), is_valid: true },
            Case { name: "progressive", segments: frame(0xc2), is_valid: true },
            Case { name: "last frame type", segments: frame(0xcf), is_valid: true },
            Case { name: "no frame", segments: Vec::new(), is_valid: false },
            Case { name: "Huffman table", segments: frame(0xc4), is_valid: false },
            Case { name: "reserved", segments: frame(0xc8), is_valid: false },
            Case { name: "arithmetic coding", segments: frame(0xcc), is_valid: false },
            Case { name: "comment", segments: frame(0xfe), is_valid: false },
            Case { name: "empty segment", segments: before(&[0xff, 0xe0, 0, 2]), is_valid: true },
            Case { name: "short segment", segments: before(&[0xff, 0xe0, 0, 1]), is_valid: false },
            Case { name: "twice padded", segments: before(&[0xff, 0xff]), is_valid: true },
            Case { name: "padded marker", segments: before(&[0xff]), is_valid: true },
            Case { name: "temporary", segments: before(&[0xff, 0x01]), is_valid: true },
            Case { name: "first restart", segments: before(&[0xff, 0xd0]), is_valid: true },
            Case { name: "last restart", segments: before(&[0xff, 0xd7]), is_valid: true },
            Case { name: "second start", segments: before(&[0xff, 0xd8]), is_valid: false },
            Case { name: "end before the scan", segments: before(&[0xff, 0xd9]), is_valid: false },
            Case { name: "stuffed byte", segments: before(&[0xff, 0x00]), is_valid: false },
            Case { name: "no marker", segments: before(&[0x00]), is_valid: false },
            Case {
                name: "no width",
                segments: vec![0xff, 0xc0, 0, 8, 8, 0, 16, 0, 0, 0],
                is_valid: false,
            },
            Case {
                name: "one pixel wide",
                segments: vec![0xff, 0xc0, 0, 8, 8, 0, 16, 0, 1, 0],
                is_valid: true,
            },
            Case {
                name: "short frame",
                segments: vec![0xff, 0xc0, 0, 7, 8, 0, 16, 0, 16],
                is_valid: false,
            },
        ] {
            assert_eq!(validate_picture(&jpeg_with(&segments)).is_ok(), is_valid, "{name}");
        }
        let mut bytes = jpeg_with(FRAME);
        bytes.extend(b"appended by the camera");
        assert_eq!(validate_picture(&bytes), Ok(PictureKind::Jpeg));
        let end = bytes.len() - 24;
        assert_eq!(bytes[end..end + 2], [0xff, 0xd9]);
        bytes[end] = 0;
        assert!(validate_picture(&bytes).is_err(), "without an end");
    }

    #[test]
    fn headers_of_png_and_bmp_are_validated() {
        const LAST: usize = MIN_FILE_BYTES - 12;
        struct Case {
            name: &'static str,
            make: MakePicture,
            at: usize,
            bytes: &'static [u8],
            is_valid: bool,
        }
        let png = |name, at, bytes, is_valid| Case { name, make: png_of, at, bytes, is_valid };
        let bmp = |name, at, bytes, is_valid| Case { name, make: bmp_of, at, bytes, is_valid };
        for Case { name, make, at, bytes, is_valid } in [
            png("as it is", 0, b"\x89PNG", true),
            png("other first chunk", 12, b"IHDX", false),
            png("long header", 8, &[0, 0, 0, 14], false),
            png("no width", 16, &[0; 4], false),
            png("no height", 20, &[0; 4], false),
            png("one by one", 16, &[0, 0, 0, 1, 0, 0, 0, 1], true),
            png("no data", 37, b"tEXt", false),
            png("no letters", 37, b"ID\0T", false),
            png("chunk beyond the end", 33, &[0x7f, 0xff, 0xff, 0xff], false),
            png("data in the end", LAST, &[0, 0, 0, 1], false),
            png("no end", LAST + 4, b"IENX", false),
            bmp("without its length", 2, &[0; 4], true),
            bmp("other length", 2, &[1, 0, 0, 0], false),
            bmp("pixels within the headers", 10, &[53, 0, 0, 0], false),
            bmp("pixels far behind", 10, &[0xff, 0xff, 0xff, 0], false),
            bmp("other header", 14, &[41, 0, 0, 0], false),
            bmp("no width", 18, &[0; 4], false),
            bmp("no height", 22, &[0; 4], false),
        ] {
            let mut picture = make(MIN_FILE_BYTES);
            picture[at..at + bytes.len()].copy_from_slice(bytes);
            assert_eq!(validate_picture(&picture).is_ok(), is_valid, "{name}");
        }
        let size = u32::try_from(MIN_FILE_BYTES).expect("small");
        for (pixels, is_valid) in [(size - 1, true), (size, false)] {
            let mut picture = bmp_of(MIN_FILE_BYTES);
            picture[10..14].copy_from_slice(&pixels.to_le_bytes());
            assert_eq!(validate_picture(&picture).is_ok(), is_valid, "pixels at {pixels}");
        }
        // The headers of all versions; the first has a size in 16-bit numbers.
        for header in [12_u8, 16, 40, 52, 56, 64, 108, 124] {
            let mut picture = bmp_of(MIN_FILE_BYTES);
            (picture[10], picture[14]) = (14 + header, header);
            if header == 12 {
                picture[18..22].copy_from_slice(&[9, 0, 9, 0]);
            }
            assert_eq!(validate_picture(&picture), Ok(PictureKind::Bmp), "header of {header}");
        }
        for size in [[9, 0, 0, 0], [0, 0, 9, 0]] {
            let mut picture = bmp_of(MIN_FILE_BYTES);
            (picture[10], picture[14]) = (26, 12);
            picture[18..22].copy_from_slice(&size);
            assert!(validate_picture(&picture).is_err(), "{size:?}");
        }
    }

    proptest! {
        #[test]
        fn validate_picture_never_panics(head in 0_usize..3, bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let heads: [&[u8]; 3] = [&[0xff, 0xd8, 0xff], b"\x89PNG\r\n\x1a\n", b"BM"];
            prop_assert!(validate_picture(&[heads[head], &bytes].concat()).is_err());
        }
    }
}
