//! What an empty database starts with: the files of `seed/`, which the binary holds.
use std::path::Path;

use anyhow::{Context as _, anyhow};
use sahm_chassis::clock::Clock;

use crate::{
    import::{self, Contents, Format, Pictures},
    store::{ContentStore, Tally},
};

/// Names, relative to `seed/`, and bytes of the files.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/seed.rs"));

/// Seeds what is empty.
pub(crate) async fn sow(store: &ContentStore, clock: &Clock) -> anyhow::Result<Tally> {
    if !store.wants_seed().await? {
        return Ok(Tally::default());
    }
    let contents = tokio::task::spawn_blocking(contents).await??;
    let tally = store.seed(&contents, clock.now()).await?;
    tracing::info!(items = tally.added, "seeded");
    Ok(tally)
}

/// All that the files hold.
fn contents() -> anyhow::Result<Contents> {
    let mut all = Contents::default();
    for (name, bytes) in FILES {
        let Some(format) = Format::of(Path::new(name)) else { continue };
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let contents = import::read(bytes, format, &Folder(folder))
            .map_err(|refusal| anyhow!("{refusal}"))
            .with_context(|| format!("seed/{name}"))?;
        all.items.extend(contents.items);
        all.media.extend(contents.media);
        all.notes.extend(contents.notes);
    }
    Ok(all)
}

/// A folder of `seed/`.
struct Folder<'a>(&'a str);

impl Pictures for Folder<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let inside = |name: &str| name.strip_prefix(self.0)?.strip_prefix('/').map(str::to_owned);
        let found = FILES.iter().find(|(name, _)| inside(name).as_deref() == Some(path));
        found.map(|(_, bytes)| bytes.to_vec()).ok_or_else(|| "there is no such file".to_owned())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;
    use crate::{domain::Locale, import::Item};

    #[test]
    fn the_seed_is_whole() {
        let contents = contents().unwrap();
        assert_eq!(contents.notes, Vec::<String>::new());
        let mut locales: BTreeMap<u64, Vec<Locale>> = BTreeMap::new();
        let mut tabs = Vec::new();
        for item in &contents.items {
            match item {
                Item::News(text) => {
                    assert!(text.sample, "{} is no sample", text.id);
                    assert!(text.image.is_some(), "{} has no image", text.id);
                    locales.entry(text.id).or_default().push(text.locale);
                }
                Item::Tab(tab) => tabs.push((tab.id, tab.market.as_str())),
            }
        }
        let both = locales.values().filter(|locales| locales.len() == 2).count();
        let english_only = locales.values().filter(|locales| ***locales == [Locale::EnUs]).count();
        assert!(both >= 24, "{both} articles in both languages");
        assert_eq!(english_only, 1);
        assert_eq!(tabs, [(1, "all"), (2, "us"), (3, "saudi")]);
    }
}
