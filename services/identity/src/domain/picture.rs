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
pub fn judge(bytes: &[u8]) -> Result<PictureKind, &'static str> {
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

    type Make = fn(usize) -> Vec<u8>;

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
        let kinds: [(PictureKind, Make); 3] =
            [(PictureKind::Jpeg, jpeg_of), (PictureKind::Png, png_of), (PictureKind::Bmp, bmp_of)];
        for (kind, make) in kinds {
            assert_eq!(judge(&make(MIN_FILE_BYTES)), Ok(kind));
            assert_eq!(judge(&make(MAX_FILE_BYTES)), Ok(kind));
            assert_eq!(judge(&make(MIN_FILE_BYTES - 1)), Err("is smaller than 500 KB"));
            assert_eq!(judge(&make(MAX_FILE_BYTES + 1)), Err("is larger than 5 MB"));
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
            assert_eq!(judge(&bytes), Err("is no JPEG, PNG or BMP"), "{name}");
        }
    }

    proptest! {
        #[test]
        fn judge_never_panics(head in 0_usize..3, bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let heads: [&[u8]; 3] = [&[0xff, 0xd8, 0xff], b"\x89PNG\r\n\x1a\n", b"BM"];
            prop_assert!(judge(&[heads[head], &bytes].concat()).is_err());
        }
    }
}
