//! Attaches to an entry the files that its record names.
use super::{Refusal, body::Gallery};
use crate::domain::{Clip, ClipAsk, ClipSource, FilesAsk, Head, Media, Picture};

/// Refusals about a key name the line that `line_of` gives.
pub(super) fn files(
    head: &mut Head,
    asked: FilesAsk,
    gallery: &mut Gallery<'_>,
    line_of: &impl Fn(&str) -> usize,
) -> Result<(), Refusal> {
    let refused = |key: &str, why: String| Refusal::at(line_of(key), format!("{key}: {why}"));
    match (head, asked) {
        (Head::CollegeCourse(course), FilesAsk::Picture(path)) => {
            let media = gallery.take(&path).map_err(|why| refused("image", why))?;
            course.picture = Some(picture(media));
        }
        (Head::ImageBanner(banner), FilesAsk::Banner(en, sa)) => {
            let media = gallery.take(&en).map_err(|why| refused("image", why))?;
            banner.picture = Some(picture(media));
            if let Some(path) = sa {
                let media = gallery.take(&path).map_err(|why| refused("imageSa", why))?;
                banner.picture_sa = Some(picture(media));
            }
        }
        (Head::CollegeVideo(video), FilesAsk::Clip(asked)) => {
            clip(&mut video.clip, asked, gallery).map_err(|why| refused("clip", why))?;
        }
        (Head::NewsVideo(video), FilesAsk::Clip(asked)) => {
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
        clip.poster = Some(picture(gallery.take(path)?));
    }
    for (locale, path) in &asked.captions {
        clip.caption(*locale, gallery.take_captions(path)?.name.to_string());
    }
    Ok(())
}

fn picture(media: &Media) -> Picture {
    Picture { name: media.name.to_string(), width: media.width, height: media.height }
}
