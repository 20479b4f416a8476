//! Pictures, videos and captions.
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The media type of a file, detected from its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    Svg,
    Png,
    Jpeg,
    Webp,
    Avif,
    Gif,
    Webm,
    Mp4,
    Vtt,
}

impl MediaType {
    /// Each type with its file extension and its content type, in the order of the enum.
    const TABLE: [(Self, &'static str, &'static str); 9] = [
        (Self::Svg, "svg", "image/svg+xml"),
        (Self::Png, "png", "image/png"),
        (Self::Jpeg, "jpg", "image/jpeg"),
        (Self::Webp, "webp", "image/webp"),
        (Self::Avif, "avif", "image/avif"),
        (Self::Gif, "gif", "image/gif"),
        (Self::Webm, "webm", "video/webm"),
        (Self::Mp4, "mp4", "video/mp4"),
        (Self::Vtt, "vtt", "text/vtt; charset=utf-8"),
    ];

    /// The file extension, without the dot.
    pub fn extension(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// For instance `image/svg+xml`.
    pub fn content_type(self) -> &'static str {
        Self::TABLE[self as usize].2
    }
}

/// The name of a media file, `{16 hex digits}.{svg|png|jpg|webp|avif|gif|webm|mp4|vtt}`, derived
/// from its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaName(String);

impl MediaName {
    /// The name of a file with this content.
    pub fn of(body: &[u8], kind: MediaType) -> Self {
        let hash = Sha256::digest(body);
        Self(format!("{}.{}", hex::encode(&hash[..8]), kind.extension()))
    }

    /// Parses a name; `None` if it has another form.
    pub fn parse(name: &str) -> Option<Self> {
        let (hash, extension) = name.split_once('.')?;
        let hex = hash.len() == 16 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let known = MediaType::TABLE.iter().any(|(_, known, _)| *known == extension);
        (hex && known).then(|| Self(name.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path under which the site serves it: `/media/{name}`.
    pub fn path(&self) -> String {
        format!("/media/{}", self.0)
    }
}

impl fmt::Display for MediaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Media names of larger versions of a picture, for denser screens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Larger {
    /// For pixel ratios from 1 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x2: Option<String>,
    /// For pixel ratios above 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x3: Option<String>,
}

/// A picture without alternative text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its media name.
    pub name: String,
    /// Pixels; 0 where unknown.
    pub width: u32,
    /// Pixels; 0 where unknown.
    pub height: u32,
    #[serde(default, flatten)]
    pub larger: Larger,
}

/// A file that belongs to an entry: a picture, a video or captions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    pub name: MediaName,
    pub kind: MediaType,
    /// Pixels; 0 where unknown.
    pub width: u32,
    /// Pixels; 0 where unknown.
    pub height: u32,
    pub body: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoSource {
    /// A site path or an https URL.
    pub address: String,
    /// For instance `video/webm`.
    pub content_type: String,
}

/// The files that a record references, as paths relative to the record's file. Errors are reasons
/// for the author.
pub trait RecordFiles {
    fn picture(&mut self, path: &str) -> Result<Picture, String>;

    fn video(&mut self, path: &str) -> Result<VideoSource, String>;

    /// The media name of captions.
    fn captions(&mut self, path: &str) -> Result<String, String>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_depends_on_content_and_is_parsed() {
        let name = MediaName::of(b"picture", MediaType::Jpeg);
        assert_eq!(MediaName::parse(name.as_str()), Some(name.clone()));
        assert_ne!(name, MediaName::of(b"pictures", MediaType::Jpeg));
        let bad = [
            "",
            "0123456789abcdef",
            "0123456789abcdef.jpeg",
            "0123456789ABCDEF.png",
            "0123456789abcde.png",
            "0123456789abcdef.png/..",
            "../0123456789abcdef.png",
            "0123456789abcdef.PNG",
        ];
        for name in bad {
            assert_eq!(MediaName::parse(name), None, "{name:?}");
        }
    }
}

/// Files for tests of records: every path refers to a valid file, which is named after it.
#[cfg(test)]
pub(crate) mod any_files {
    use super::{Larger, Picture, RecordFiles, VideoSource};

    pub(crate) struct AnyFiles;

    impl RecordFiles for AnyFiles {
        fn picture(&mut self, path: &str) -> Result<Picture, String> {
            let (name, larger) = (path.to_owned(), Larger::default());
            Ok(Picture { name, width: 0, height: 0, larger })
        }

        fn video(&mut self, path: &str) -> Result<VideoSource, String> {
            Ok(VideoSource { address: path.to_owned(), content_type: "video/webm".into() })
        }

        fn captions(&mut self, path: &str) -> Result<String, String> {
            Ok(path.to_owned())
        }
    }
}
