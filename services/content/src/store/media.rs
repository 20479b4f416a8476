//! Media files of entries.
use sahm_chassis::Result;
use sea_orm::EntityTrait;

use crate::{
    domain::MediaName,
    store::{ContentStore, entities::media},
};

impl ContentStore {
    /// The content type and content of a file.
    pub async fn media(&self, name: &MediaName) -> Result<Option<(String, Vec<u8>)>> {
        let row = media::Entity::find_by_id(name.as_str()).one(self.store.reader()).await?;
        Ok(row.map(|row| (row.content_type, row.body)))
    }
}
