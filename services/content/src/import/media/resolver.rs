//! Reads the pictures and other files that texts and records reference.
use std::collections::BTreeMap;

use super::{picture, video};
use crate::domain::{Larger, Media, MediaType, Picture, RecordFiles, VideoSource};
use crate::import::Refusal;

/// The source of the files that an imported file references.
pub trait FileSource {
    /// Reads the file at this path, relative to the file that references it; `None` if there is no
    /// such file.
    ///
    /// # Errors
    /// The file must not or cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal>;
}

/// The media files that one file references, each read and validated once.
pub(crate) struct MediaResolver<'a> {
    pictures: &'a dyn FileSource,
    taken: BTreeMap<String, Media>,
}

impl<'a> MediaResolver<'a> {
    pub(crate) fn new(pictures: &'a dyn FileSource) -> Self {
        Self { pictures, taken: BTreeMap::new() }
    }

    /// The picture at a path; the error contains the path and the reason.
    pub(crate) fn take(&mut self, path: &str) -> Result<&Media, Refusal> {
        self.take_as("picture", path, picture::inspect)
    }

    /// Larger versions of the picture at a path: `a@2x.png` and `a@3x.png` beside `a.png`. SVG
    /// pictures have none.
    fn take_larger(&mut self, path: &str) -> Result<Larger, Refusal> {
        let picture = self.take(path)?;
        if picture.kind == MediaType::Svg {
            return Ok(Larger::default());
        }
        let width = picture.width;
        let mut beside = |scale: &str| {
            let Some((stem, extension)) = path.rsplit_once('.') else { return Ok(None) };
            let at = format!("{stem}@{scale}.{extension}");
            let Some(bytes) = self.pictures.read(&at).transpose() else { return Ok(None) };
            let larger = self.keep("picture", &at, bytes.and_then(picture::inspect))?;
            if larger.width <= width {
                return Err(Refusal::new(format!("picture {at}: is not larger than {path}")));
            }
            Ok(Some(larger.name.to_string()))
        };
        Ok(Larger { x2: beside("2x")?, x3: beside("3x")? })
    }

    fn take_as(
        &mut self,
        what: &str,
        path: &str,
        inspect: fn(Vec<u8>) -> Result<Media, Refusal>,
    ) -> Result<&Media, Refusal> {
        if !self.taken.contains_key(path) {
            let missing = || Err(Refusal::new("there is no such file"));
            let bytes = self.pictures.read(path).transpose().unwrap_or_else(missing);
            self.keep(what, path, bytes.and_then(inspect))?;
        }
        Ok(&self.taken[path])
    }

    fn keep(
        &mut self,
        what: &str,
        path: &str,
        judged: Result<Media, Refusal>,
    ) -> Result<&Media, Refusal> {
        let media = judged.map_err(|why| Refusal::new(format!("{what} {path}: {why}")))?;
        self.taken.insert(path.to_owned(), media);
        Ok(&self.taken[path])
    }

    pub(crate) fn into_media(self) -> impl Iterator<Item = Media> {
        self.taken.into_values()
    }
}

impl RecordFiles for MediaResolver<'_> {
    fn picture(&mut self, path: &str) -> Result<Picture, String> {
        let larger = self.take_larger(path).map_err(|refusal| refusal.reason)?;
        let Media { name, width, height, .. } =
            self.take(path).map_err(|refusal| refusal.reason)?;
        Ok(Picture { name: name.to_string(), width: *width, height: *height, larger })
    }

    fn video(&mut self, path: &str) -> Result<VideoSource, String> {
        let media = self.take_as("video", path, video::inspect_video);
        let Media { name, kind, .. } = media.map_err(|refusal| refusal.reason)?;
        Ok(VideoSource { address: name.path(), content_type: kind.content_type().to_owned() })
    }

    fn captions(&mut self, path: &str) -> Result<String, String> {
        let media = self.take_as("captions", path, video::inspect_captions);
        Ok(media.map_err(|refusal| refusal.reason)?.name.to_string())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct Folder;

    impl FileSource for Folder {
        fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Refusal> {
            Ok(Some(match path {
                "a.svg" | "a@2x.svg" => {
                    br#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>"#.into()
                }
                "a.png" | "b.png" | "b@3x.png" | "c.png" => png(300),
                "a@2x.png" => png(600),
                "a@3x.png" => png(900),
                "c@2x.png" => return Err(Refusal::new("is larger than 2 MB")),
                _ => return Ok(None),
            }))
        }
    }

    /// The header of a PNG of this width.
    fn png(width: u16) -> Vec<u8> {
        let [high, low] = width.to_be_bytes();
        [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", [0, 0, high, low, 0, 0, 0, 9].as_slice()].concat()
    }

    #[test]
    fn larger_versions_of_a_picture_are_found() {
        let mut resolver = MediaResolver::new(&Folder);
        let name = |width| Some(picture::inspect(png(width)).unwrap().name.to_string());
        let found = resolver.take_larger("a.png");
        assert_eq!(found, Ok(Larger { x2: name(600), x3: name(900) }));
        assert_eq!(resolver.into_media().count(), 3);
        let mut resolver = MediaResolver::new(&Folder);
        assert_eq!(resolver.take_larger("a.svg"), Ok(Larger::default()));
        let refused = resolver.take_larger("b.png").unwrap_err();
        assert_eq!(refused.reason, "picture b@3x.png: is not larger than b.png");
        let refused = resolver.take_larger("c.png").unwrap_err();
        assert_eq!(refused.reason, "picture c@2x.png: is larger than 2 MB");
        assert!(resolver.take_larger("none.png").is_err());
    }
}
