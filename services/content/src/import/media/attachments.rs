//! Attaches to an entry the files that its record names.
use super::resolver::Gallery;
use crate::domain::{Clip, ClipAsk, ClipSource, EntryData, FilesAsk, Media, Picture};
use crate::import::Refusal;

/// Refusals about a key name the line that `line_of` gives.
pub(crate) fn files(
    data: &mut EntryData,
    asked: FilesAsk,
    gallery: &mut Gallery<'_>,
    line_of: &impl Fn(&str) -> usize,
) -> Result<(), Refusal> {
    let refused = |key: &str, why: String| Refusal::at(line_of(key), format!("{key}: {why}"));
    match (data, asked) {
        (EntryData::CollegeCourse(course), FilesAsk::Picture(path)) => {
            let found = picture(gallery, &path).map_err(|why| refused("image", why))?;
            course.picture = Some(found);
        }
        (EntryData::ImageBanner(banner), FilesAsk::Banner(en, sa)) => {
            let found = picture(gallery, &en).map_err(|why| refused("image", why))?;
            banner.picture = Some(found);
            if let Some(path) = sa {
                let found = picture(gallery, &path).map_err(|why| refused("imageSa", why))?;
                banner.picture_sa = Some(found);
            }
        }
        (EntryData::CollegeVideo(video), FilesAsk::Clip(asked)) => {
            clip(&mut video.clip, asked, gallery).map_err(|why| refused("clip", why))?;
        }
        (EntryData::NewsVideo(video), FilesAsk::Clip(asked)) => {
            clip(&mut video.clip, asked, gallery).map_err(|why| refused("clip", why))?;
        }
        _ => {}
    }
    Ok(())
}

fn clip(clip: &mut Clip, asked: ClipAsk, gallery: &mut Gallery<'_>) -> Result<(), String> {
    for path in &asked.files {
        let media = gallery.take_video(path)?;
        clip.sources.push(ClipSource {
            address: media.name.path(),
            content_type: media.kind.content_type().to_owned(),
        });
    }
    if let Some(path) = &asked.poster {
        clip.poster = Some(picture(gallery, path)?);
    }
    for (locale, path) in &asked.captions {
        clip.caption(*locale, gallery.take_captions(path)?.name.to_string());
    }
    Ok(())
}

fn picture(gallery: &mut Gallery<'_>, path: &str) -> Result<Picture, String> {
    let larger = gallery.take_larger(path)?;
    let Media { name, width, height, .. } = gallery.take(path)?;
    Ok(Picture { name: name.to_string(), width: *width, height: *height, larger })
}
