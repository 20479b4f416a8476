//! Validates videos and captions by content, never by file name.
use super::picture::MAX_PICTURE;
use crate::domain::{Media, MediaName, MediaType};
use crate::import::Refusal;

/// Length of the head of a WebM file that contains its doctype.
const MAX_WEBM_HEAD_BYTES: usize = 64;
/// The brands of MP4 files that browsers play.
const MP4_BRANDS: [&[u8]; 6] = [b"isom", b"iso2", b"iso5", b"iso6", b"mp41", b"mp42"];

/// Validates a video.
pub(crate) fn inspect_video(body: Vec<u8>) -> Result<Media, Refusal> {
    let head = &body[..body.len().min(MAX_WEBM_HEAD_BYTES)];
    let webm = body.starts_with(b"\x1a\x45\xdf\xa3") && head.windows(4).any(|part| part == b"webm");
    let mp4 = body.get(4..8) == Some(b"ftyp".as_slice())
        && body.get(8..12).is_some_and(|brand| MP4_BRANDS.contains(&brand));
    match (webm, mp4) {
        (true, _) => media(body, MediaType::Webm),
        (_, true) => media(body, MediaType::Mp4),
        _ => Err(Refusal::new("is neither WebM nor MP4")),
    }
}

/// Validates captions: WebVTT with at least one cue.
pub(crate) fn inspect_captions(body: Vec<u8>) -> Result<Media, Refusal> {
    let text = std::str::from_utf8(&body).map_err(|_| Refusal::new("is not UTF-8 text"))?;
    let text = text.trim_start_matches('\u{feff}');
    let signed = text
        .strip_prefix("WEBVTT")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']));
    if !signed {
        return Err(Refusal::new("is not WebVTT: does not begin with WEBVTT"));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Refusal::new("holds control characters"));
    }
    if !text.contains(" --> ") {
        return Err(Refusal::new("holds no cue"));
    }
    media(body, MediaType::Vtt)
}

fn media(body: Vec<u8>, kind: MediaType) -> Result<Media, Refusal> {
    if body.len() > MAX_PICTURE {
        return Err(Refusal::new("is larger than 2 MB: give an address instead"));
    }
    Ok(Media { name: MediaName::of(&body, kind), kind, width: 0, height: 0, body })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn media_types_are_detected() {
        let webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm....".to_vec();
        let mp4 = b"\0\0\0\x20ftypisom\0\0\x02\0".to_vec();
        assert_eq!(inspect_video(webm.clone()).unwrap().kind, MediaType::Webm);
        assert_eq!(inspect_video(mp4.clone()).unwrap().kind, MediaType::Mp4);
        let vtt = "WEBVTT\n\n00:00.000 --> 00:02.000\nOne\n".as_bytes().to_vec();
        let media = inspect_captions(vtt.clone()).unwrap();
        assert!(media.name.as_str().ends_with(".vtt"));
        let avif = b"\0\0\0\x1cftypavif\0\0\0\0".to_vec();
        let matroska = b"\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska".to_vec();
        for other in [Vec::new(), avif, matroska, vtt, b"<svg/>".to_vec()] {
            assert!(inspect_video(other).is_err());
        }
        for other in
            ["", "WEBVTTX\n\na --> b", "WEBVTT\n\nno cue", "webvtt\n\na --> b", "WEBVTT\n\0 --> "]
        {
            assert!(inspect_captions(other.as_bytes().to_vec()).is_err(), "{other:?}");
        }
        assert!(inspect_captions(webm).is_err());
        let large = [mp4, vec![0; MAX_PICTURE]].concat();
        assert!(inspect_video(large).unwrap_err().reason.starts_with("is larger"));
    }

    proptest! {
        #[test]
        fn inspect_video_accepts_any_bytes(body: Vec<u8>) {
            let _ = (inspect_video(body.clone()), inspect_captions(body));
        }
    }
}
