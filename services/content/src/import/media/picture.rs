//! Validates pictures by content, never by file name.
use super::{avif, svg};
use crate::domain::{Media, MediaName, MediaType};
use crate::import::Refusal;

/// Maximum size of a picture in bytes.
pub(crate) const MAX_PICTURE: usize = 2 * 1024 * 1024;

/// Validates a picture file.
pub(crate) fn inspect(body: Vec<u8>) -> Result<Media, Refusal> {
    if body.len() > MAX_PICTURE {
        return Err(Refusal::new("is larger than 2 MB"));
    }
    let (kind, (width, height)) = match kind(&body) {
        Some(kind) => {
            let is_cut = || Refusal::new("is cut short: it does not tell its size");
            (kind, size(kind, &body).ok_or_else(is_cut)?)
        }
        None => (MediaType::Svg, svg::inspect(&body).map_err(Refusal::new)?),
    };
    Ok(Media { name: MediaName::of(&body, kind), kind, width, height, body })
}

fn kind(body: &[u8]) -> Option<MediaType> {
    let at = |start: usize, mark: &[u8]| body.get(start..start + mark.len()) == Some(mark);
    if at(0, b"\x89PNG\r\n\x1a\n") {
        Some(MediaType::Png)
    } else if at(0, b"\xff\xd8\xff") {
        Some(MediaType::Jpeg)
    } else if at(0, b"GIF87a") || at(0, b"GIF89a") {
        Some(MediaType::Gif)
    } else if at(0, b"RIFF") && at(8, b"WEBP") {
        Some(MediaType::Webp)
    } else if at(4, b"ftypavif") || at(4, b"ftypavis") {
        Some(MediaType::Avif)
    } else {
        None
    }
}

/// Width and height in pixels; `None` if the file does not contain them.
fn size(kind: MediaType, body: &[u8]) -> Option<(u32, u32)> {
    let (width, height) = match kind {
        MediaType::Png => (big(body, 16, 4)?, big(body, 20, 4)?),
        MediaType::Gif => (little(body, 6, 2)?, little(body, 8, 2)?),
        MediaType::Jpeg => jpeg(body)?,
        MediaType::Webp => webp(body)?,
        MediaType::Avif => avif::size(body)?,
        MediaType::Svg | MediaType::Webm | MediaType::Mp4 | MediaType::Vtt => return None,
    };
    (width > 0 && height > 0).then_some((width, height))
}

fn big(body: &[u8], start: usize, length: usize) -> Option<u32> {
    let bytes = body.get(start..start.checked_add(length)?)?;
    Some(bytes.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
}

fn little(body: &[u8], start: usize, length: usize) -> Option<u32> {
    let bytes = body.get(start..start.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
}

/// Walks the segments up to the frame header (ITU T.81, B.2.2).
fn jpeg(body: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while big(body, at, 1)? == 0xff {
            at += 1;
        }
        let marker = big(body, at, 1)?;
        let length = usize::try_from(big(body, at + 1, 2)?).ok()?;
        match marker {
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => return Some((big(body, at + 6, 2)?, big(body, at + 4, 2)?)),
            // The scan starts before any frame header.
            0xda | 0xd9 => return None,
            _ => {}
        }
        if length < 2 {
            return None;
        }
        at += 1 + length;
        if big(body, at, 1)? != 0xff {
            return None;
        }
    }
}

/// The three kinds of WebP header (RFC 9649, section 2).
fn webp(body: &[u8]) -> Option<(u32, u32)> {
    match body.get(12..16)? {
        b"VP8X" => Some((little(body, 24, 3)? + 1, little(body, 27, 3)? + 1)),
        b"VP8L" => {
            let bits = little(body, 21, 4)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => Some((little(body, 26, 2)? & 0x3fff, little(body, 28, 2)? & 0x3fff)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn bytes(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    #[test]
    fn type_and_size_are_detected() {
        let png = bytes(&[b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &[0, 0, 4, 176, 0, 0, 2, 163]]);
        let gif = bytes(&[b"GIF89a", &[0x40, 1, 0xf0, 0]]);
        let jpeg = bytes(&[
            &[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
            &[0xff, 0xff, 0xc4, 0, 3, 0],
            &[0xff, 0xc2, 0, 11, 8, 0, 100, 0, 200],
        ]);
        let vp8x = bytes(&[b"RIFF\0\0\0\0WEBPVP8X", &[0; 8], &[0x3f, 1, 0, 0xef, 0, 0]]);
        let vp8l = bytes(&[b"RIFF\0\0\0\0WEBPVP8L", &[0; 4], &[0x2f, 0x3f, 0xc1, 0x3b, 0]]);
        let vp8 = bytes(&[b"RIFF\0\0\0\0WEBPVP8 ", &[0; 7], &[0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0, 0]]);
        let table = [
            (png, MediaType::Png, (1200, 675)),
            (gif, MediaType::Gif, (320, 240)),
            (jpeg, MediaType::Jpeg, (200, 100)),
            (vp8x, MediaType::Webp, (320, 240)),
            (vp8l, MediaType::Webp, (320, 240)),
            (vp8, MediaType::Webp, (320, 240)),
            (avif::tests::plain(), MediaType::Avif, (320, 240)),
        ];
        for (body, kind, size) in table {
            let media = inspect(body.clone()).unwrap();
            assert_eq!((media.kind, (media.width, media.height)), (kind, size));
            for end in 0..body.len() - 1 {
                assert!(inspect(body[..end].to_vec()).is_err(), "{kind:?} cut at {end}");
            }
        }
    }

    #[test]
    fn other_files_are_refused_as_pictures() {
        let table: [&[u8]; 5] = [b"", b"%PDF-1.7", b"<html></html>", b"MZ\x90", b"#!/bin/sh"];
        for body in table {
            assert!(inspect(body.to_vec()).is_err(), "{body:?}");
        }
        let large = bytes(&[b"\x89PNG\r\n\x1a\n", &vec![1; MAX_PICTURE]]);
        assert_eq!(inspect(large), Err(Refusal::new("is larger than 2 MB")));
    }

    proptest! {
        #[test]
        fn inspect_accepts_any_bytes(start in 0usize..6, rest: Vec<u8>) {
            let marks: [&[u8]; 6] =
                [b"", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8L", b"<svg ", b"\0\0\0 ftypavif"];
            let _ = inspect([marks[start], &rest].concat());
        }
    }
}
