//! Attaches the files that a record references to its entry.
use super::resolver::MediaResolver;
use crate::domain::{
    EntryData, Image, Media, Picture, Playback, PlaybackFiles, RecordFiles, VideoSource,
};
use crate::import::Refusal;

/// `line_of` returns the line of a key, for refusals.
pub(crate) fn files(
    data: &mut EntryData,
    requested: RecordFiles,
    resolver: &mut MediaResolver<'_>,
    line_of: &impl Fn(&str) -> usize,
) -> Result<(), Refusal> {
    let refused = |key: &str, why: Refusal| Refusal::at(line_of(key), format!("{key}: {why}"));
    match (data, requested) {
        (EntryData::News(article), RecordFiles::Image { path, alt }) => {
            let picture = picture(resolver, &path).map_err(|why| refused("image", why))?;
            article.image = Some(Image { picture, alt });
        }
        (EntryData::CollegeCourse(course), RecordFiles::Picture(path)) => {
            let found = picture(resolver, &path).map_err(|why| refused("image", why))?;
            course.picture = Some(found);
        }
        (EntryData::ImageBanner(banner), RecordFiles::Banner(en, sa)) => {
            let found = picture(resolver, &en).map_err(|why| refused("image", why))?;
            banner.picture = Some(found);
            if let Some(path) = sa {
                let found = picture(resolver, &path).map_err(|why| refused("imageSa", why))?;
                banner.picture_sa = Some(found);
            }
        }
        (EntryData::CollegeVideo(video), RecordFiles::Playback(requested)) => {
            playback(&mut video.playback, requested, resolver)
                .map_err(|why| refused("clip", why))?;
        }
        (EntryData::NewsVideo(video), RecordFiles::Playback(requested)) => {
            playback(&mut video.playback, requested, resolver)
                .map_err(|why| refused("clip", why))?;
        }
        _ => {}
    }
    Ok(())
}

fn playback(
    playback: &mut Playback,
    requested: PlaybackFiles,
    resolver: &mut MediaResolver<'_>,
) -> Result<(), Refusal> {
    for path in &requested.files {
        let media = resolver.take_video(path)?;
        playback.sources.push(VideoSource {
            address: media.name.path(),
            content_type: media.kind.content_type().to_owned(),
        });
    }
    if let Some(path) = &requested.poster {
        playback.poster = Some(picture(resolver, path)?);
    }
    for (locale, path) in &requested.captions {
        playback.caption(*locale, resolver.take_captions(path)?.name.to_string());
    }
    Ok(())
}

fn picture(resolver: &mut MediaResolver<'_>, path: &str) -> Result<Picture, Refusal> {
    let larger = resolver.take_larger(path)?;
    let Media { name, width, height, .. } = resolver.take(path)?;
    Ok(Picture { name: name.to_string(), width: *width, height: *height, larger })
}
