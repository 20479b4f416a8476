//! The files that entries show.
use sahm_chassis::Result;
use sea_orm::EntityTrait;

use crate::{
    domain::MediaName,
    store::{ContentStore, entities::media},
};

impl ContentStore {
    /// The content type of a file, and its content.
    pub async fn media(&self, name: &MediaName) -> Result<Option<(String, Vec<u8>)>> {
        let row = media::Entity::find_by_id(name.as_str()).one(self.store.reader()).await?;
        Ok(row.map(|row| (row.content_type, row.body)))
    }
}
