//! The seed of an empty database: the files of `seed/`, embedded in the binary.
use std::path::PathBuf;

use anyhow::Context as _;
use sahm_chassis::clock::Clock;

use crate::{
    domain::Contents,
    import,
    store::{ContentStore, ImportSummary},
};

/// Paths relative to `seed/`, and file contents.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/seed.rs"));

pub(crate) async fn seed(store: &ContentStore, clock: &Clock) -> anyhow::Result<ImportSummary> {
    if !store.wants_seed().await? {
        return Ok(ImportSummary::default());
    }
    let contents = tokio::task::spawn_blocking(contents).await??;
    let summary = store.seed(&contents, clock.now()).await?;
    tracing::info!(items = summary.added, "seeded");
    Ok(summary)
}

fn contents() -> anyhow::Result<Contents> {
    let files = FILES.iter().map(|(name, bytes)| (PathBuf::from(name), bytes.to_vec())).collect();
    let mut all = Contents::default();
    for (path, contents) in import::read_all(&files) {
        let contents = contents.with_context(|| format!("seed/{}", path.display()))?;
        all.entries.extend(contents.entries);
        all.media.extend(contents.media);
        all.notes.extend(contents.notes);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{collections::BTreeMap, sync::LazyLock};

    use sahm_chassis::settings::{Process, Settings};

    use super::*;
    use crate::domain::{Entry, EntryData, EntryKind, Locale, Playback};

    static CONTENTS: LazyLock<Contents> = LazyLock::new(|| contents().unwrap());

    #[test]
    fn every_seed_file_is_valid() {
        let contents = &*CONTENTS;
        assert_eq!(contents.notes, Vec::<String>::new());
        let mut locales: BTreeMap<u64, Vec<Locale>> = BTreeMap::new();
        let mut tabs = Vec::new();
        for entry in &contents.entries {
            match &entry.data {
                EntryData::News(article) => {
                    assert!(article.text.sample, "{} is no sample", entry.id);
                    assert!(article.image.is_some(), "{} has no image", entry.id);
                    locales.entry(entry.id).or_default().extend(entry.locale);
                }
                EntryData::NewsTab(tab) => tabs.push((entry.id, tab.market.as_str())),
                _ => {}
            }
        }
        let only = |wanted: &[Locale]| {
            locales.values().filter(|locales| locales.as_slice() == wanted).count()
        };
        let both = locales.values().filter(|locales| locales.len() == 2).count();
        assert!(both >= 41, "{both} articles in both languages");
        assert_eq!((only(&[Locale::EnUs]), only(&[Locale::ArSa])), (1, 1));
        assert_eq!(tabs, [(1, "all"), (2, "us"), (3, "saudi")]);
    }

    /// Every item of a collection with its locales.
    fn collection(kind: EntryKind) -> BTreeMap<u64, Vec<&'static Entry>> {
        let mut entries: BTreeMap<u64, Vec<&Entry>> = BTreeMap::new();
        let is_of_kind = |entry: &&Entry| entry.kind().collection() == kind.collection();
        for entry in CONTENTS.entries.iter().filter(is_of_kind) {
            entries.entry(entry.id).or_default().push(entry);
        }
        entries
    }

    #[test]
    fn seed_of_college_and_help_centre_is_complete() {
        let of = collection;
        let (categories, courses) = (of(EntryKind::CollegeCategory), of(EntryKind::CollegeCourse));
        let (articles, channels) = (of(EntryKind::CollegeArticle), of(EntryKind::HelpChannel));
        let documents = of(EntryKind::HelpDocument);
        assert!(categories.len() >= 6 && courses.len() >= 12, "{} courses", courses.len());
        assert!(articles.len() >= 48 + 4, "{} articles", articles.len());
        assert!(channels.len() >= 8 && documents.len() >= 40 + 4);
        for id in [19, 25, 26, 27, 142] {
            assert!(documents.contains_key(&id), "document {id}");
        }
        for course in courses.values() {
            let held = course[0].course().unwrap();
            assert!(categories.contains_key(&held.category), "course {}", course[0].id);
            assert!(held.picture.is_some() && !held.name.sa.is_empty());
        }
        let mut slugs = BTreeMap::new();
        for (items, parents) in [(&articles, &courses), (&documents, &channels)] {
            for (id, texts) in items {
                assert_eq!(texts.len(), 2, "{id} is not in both languages");
                assert_eq!(texts[0].slug, texts[1].slug, "{id}");
                let parent = texts[0].text().unwrap().parent;
                assert_eq!(parent, texts[1].text().unwrap().parent, "{id}");
                assert!(parent == 0 || parents.contains_key(&parent), "{id} in {parent}");
                let other =
                    slugs.insert((texts[0].kind().collection(), texts[0].slug.clone()), *id);
                assert_eq!(other, None, "{id} has another's slug");
            }
        }
        for channel in channels.values() {
            let parent = channel[0].group().unwrap().parent;
            assert!(parent == 0 || channels.contains_key(&parent));
        }
        assert!(slugs.contains_key(&(
            EntryKind::HelpDocument.collection(),
            "how-to-contact-support".to_owned()
        )));
        assert!(courses.values().any(|course| course[0].slug == "sahm-research-center"));
        assert!(!of(EntryKind::SeoInfo).is_empty() && of(EntryKind::SearchSynonyms).len() >= 60);
    }

    /// The privacy policies state the default retention of feedback (identity) and of events
    /// (attribution).
    #[test]
    fn privacy_policies_state_the_default_retention_of_feedback_and_events() {
        let settings = Settings::from_pairs(Process::Site, []).unwrap();
        assert_eq!(settings.attribution.retention.as_secs() / 86_400, 90);
        let days = settings.identity.feedback_retention.as_secs() / 86_400;
        // Ten years have two or three leap days.
        assert!((3_652..=3_653).contains(&days), "{days} days are not ten years");
        let documents = collection(EntryKind::HelpDocument);
        for (locale, texts) in [
            (Locale::EnUs, ["ten years after we receive them", "90 days after we receive them"]),
            (Locale::ArSa, ["بعد عشر سنوات من استلامها", "بعد 90 يومًا من استلامها"]),
        ] {
            for id in [19, 26] {
                let mut policies = documents[&id].iter();
                let policy = policies.find(|entry| entry.locale == Some(locale)).unwrap();
                for text in texts {
                    assert!(policy.body_html.contains(text), "document {id} in {locale:?}: {text}");
                }
            }
        }
    }

    #[test]
    fn seed_of_the_news_page_is_complete() {
        let of = collection;
        let (flash, videos, banners) =
            (of(EntryKind::NewsFlash), of(EntryKind::NewsVideo), of(EntryKind::ImageBanner));
        assert!(flash.len() >= 12 && flash.values().all(|texts| texts.len() == 2));
        let clip_is_whole = |clip: &Playback| {
            let kinds: Vec<_> = clip.sources.iter().map(|source| &*source.content_type).collect();
            assert_eq!(kinds, ["video/webm", "video/mp4"]);
            assert!(clip.poster.is_some() && clip.captions.len() == 2);
        };
        assert!(videos.len() >= 4);
        for video in videos.values() {
            let EntryData::NewsVideo(video) = &video[0].data else { panic!("no video") };
            clip_is_whole(&video.playback);
        }
        let (lessons, articles) = (of(EntryKind::CollegeVideo), of(EntryKind::CollegeArticle));
        assert!(lessons.len() >= 3);
        for video in lessons.values() {
            let EntryData::CollegeVideo(video) = &video[0].data else { panic!("no video") };
            clip_is_whole(&video.playback);
            assert_eq!(articles[&video.article][0].text().unwrap().parent, video.course);
        }
        let news: Vec<u64> = of(EntryKind::News).into_keys().collect();
        for position in ["SA_TOP_NEWS", "US_TOP_NEWS"] {
            let here = banners.values().filter_map(|entries| match &entries[0].data {
                EntryData::ImageBanner(banner) if banner.position_code == position => Some(banner),
                _ => None,
            });
            let here: Vec<_> = here.collect();
            assert!(!here.is_empty() && here.iter().all(|banner| banner.picture_sa.is_some()));
            assert!(
                here.iter().any(|banner| banner.article().is_some_and(|id| news.contains(&id)))
            );
        }
    }

    /// The quotes service has prices of the securities that texts link to.
    #[test]
    fn seeded_securities_are_quoted() {
        let quoted = include_str!("../../quotes/seed/securities.jsonl");
        let quoted: BTreeMap<String, u64> = quoted
            .lines()
            .map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                (row["code"].as_str().unwrap().to_owned(), row["dataType"].as_u64().unwrap())
            })
            .collect();
        let stocks = collection(EntryKind::Stock);
        assert!(stocks.len() >= 200);
        for stock in stocks.values() {
            let EntryData::Stock(stock) = &stock[0].data else { panic!("no security") };
            assert_eq!(
                quoted.get(&stock.code),
                Some(&u64::from(stock.data_type)),
                "{}",
                stock.code
            );
        }
    }
}
