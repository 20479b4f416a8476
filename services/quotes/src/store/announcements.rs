//! Announcements.

use std::collections::BTreeMap;

use sahm_chassis::{
    error::{Error, Result},
    store::{delete, upsert},
};
use sahm_proto::Locale;
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Set,
};

use super::{
    QuotesStore,
    entities::{announcement, announcement_text as text},
};
use crate::domain::{Announcement, AnnouncementText, SecurityCode};

impl QuotesStore {
    /// Announcements by id, in the requested order; unknown ids are left out.
    pub async fn announcements(&self, ids: &[u64]) -> Result<Vec<Announcement>> {
        let keys = ids.iter().filter_map(|id| i64::try_from(*id).ok()).collect::<Vec<_>>();
        let db = self.store.reader();
        let rows = announcement::Entity::find()
            .filter(announcement::Column::Id.is_in(keys.clone()))
            .all(db)
            .await?;
        let texts =
            text::Entity::find().filter(text::Column::AnnouncementId.is_in(keys)).all(db).await?;
        let mut found = BTreeMap::new();
        for row in rows {
            let announcement = read(row)?;
            found.insert(announcement.id, announcement);
        }
        for row in texts {
            let id = u64::try_from(row.announcement_id).map_err(Error::internal)?;
            let Some(announcement) = found.get_mut(&id) else { continue };
            let locale = Locale::from_name(&row.locale);
            let locale = locale.ok_or_else(|| Error::internal("a locale"))?;
            let paragraphs = serde_json::from_str(&row.paragraphs).map_err(Error::internal)?;
            let (title, summary, source) = (row.title, row.summary, row.source);
            let text = AnnouncementText { title, summary, source, paragraphs };
            announcement.texts.insert(locale, text);
        }
        Ok(ids.iter().filter_map(|id| found.get(id).cloned()).collect())
    }

    /// Up to `size` announcements that exist in a locale and were published by `now`, newest first,
    /// after a position.
    pub async fn list_announcements(
        &self,
        locale: Locale,
        after: Option<(u64, u64)>,
        now: u32,
        size: usize,
    ) -> Result<Vec<Announcement>> {
        use text::Column as C;
        let mut rows = text::Entity::find()
            .filter(C::Locale.eq(locale.as_str()))
            .filter(C::PublishedAt.lte(i64::from(now)))
            .order_by_desc(C::PublishedAt)
            .order_by_desc(C::AnnouncementId)
            .limit(u64::try_from(size).map_err(Error::internal)?);
        if let Some((at, id)) = after {
            let [at, id] = [at, id].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            let same = Condition::all().add(C::PublishedAt.eq(at)).add(C::AnnouncementId.lt(id));
            rows = rows.filter(Condition::any().add(C::PublishedAt.lt(at)).add(same));
        }
        let ids: Vec<i64> = rows
            .select_only()
            .column(C::AnnouncementId)
            .into_tuple()
            .all(self.store.reader())
            .await?;
        let ids = ids.into_iter().filter_map(|id| u64::try_from(id).ok()).collect::<Vec<_>>();
        self.announcements(&ids).await
    }
}

pub(super) async fn put(tx: &DatabaseTransaction, all: &[Announcement]) -> Result<()> {
    for one in all {
        let id = i64::try_from(one.id).map_err(Error::internal)?;
        let codes = one.securities.iter().map(SecurityCode::as_str).collect::<Vec<_>>();
        let row = announcement::ActiveModel {
            id: Set(id),
            market: Set(one.market.clone()),
            published_at: Set(i64::from(one.published_at)),
            sample: Set(one.sample),
            securities: Set(codes.join(",")),
        };
        upsert(tx, [row]).await?;
        delete::<text::Entity>(tx, text::Column::AnnouncementId.eq(id)).await?;
        for (locale, words) in &one.texts {
            let paragraphs = serde_json::to_string(&words.paragraphs).map_err(Error::internal)?;
            let row = text::ActiveModel {
                announcement_id: Set(id),
                locale: Set(locale.as_str().to_owned()),
                published_at: Set(i64::from(one.published_at)),
                title: Set(words.title.clone()),
                summary: Set(words.summary.clone()),
                source: Set(words.source.clone()),
                paragraphs: Set(paragraphs),
            };
            text::Entity::insert(row).exec_without_returning(tx).await?;
        }
    }
    Ok(())
}

fn read(row: announcement::Model) -> Result<Announcement> {
    let codes = row.securities.split(',').filter_map(SecurityCode::parse);
    Ok(Announcement {
        id: u64::try_from(row.id).map_err(Error::internal)?,
        market: row.market,
        published_at: u32::try_from(row.published_at).map_err(Error::internal)?,
        sample: row.sample,
        securities: codes.collect(),
        texts: BTreeMap::new(),
    })
}
