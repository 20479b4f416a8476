//! Data export and erasure for members: likes, reads and video progress.

use sahm_chassis::{
    error::Result,
    member_data::{Erasure, MemberDataStore, MemberRecords},
    store::delete,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder,
    sea_query::{Expr, ExprTrait},
};
use serde_json::json;

use super::{
    ContentStore,
    entities::{entry_count as count, entry_like as like, entry_reader as reader, video_progress},
};
use crate::domain::member_reader;

#[tonic::async_trait]
impl MemberDataStore for ContentStore {
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        let (name, db) = (member_reader(member), self.store.reader());
        let likes = like::Entity::find()
            .filter(like::Column::Voter.eq(name.as_str()))
            .order_by_asc(like::Column::Kind)
            .order_by_asc(like::Column::Id);
        for row in likes.all(db).await? {
            let record = json!({ "kind": row.kind, "id": row.id, "likedAt": row.liked_at });
            records.send("entry_like", record).await?;
        }
        let readings = reader::Entity::find()
            .filter(reader::Column::Reader.eq(name.as_str()))
            .order_by_asc(reader::Column::Kind)
            .order_by_asc(reader::Column::Id);
        for row in readings.all(db).await? {
            let record = json!({ "kind": row.kind, "id": row.id, "readAt": row.read_at });
            records.send("entry_reader", record).await?;
        }
        let views = video_progress::Entity::find()
            .filter(video_progress::Column::Viewer.eq(name.as_str()))
            .order_by_asc(video_progress::Column::Id);
        for row in views.all(db).await? {
            let record = json!({
                "id": row.id,
                "position": row.position,
                "duration": row.duration,
                "viewedAt": row.viewed_at,
            });
            records.send("video_view", record).await?;
        }
        Ok(())
    }

    /// Subtracts the member's likes from the counts. Read counts stay, because they are anonymous.
    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>> {
        let name = member_reader(erasure.member);
        self.store
            .write(async |tx| {
                // Deleted before they are subtracted: a like that is withdrawn meanwhile counts once.
                let mut likes = like::Entity::delete_many()
                    .filter(like::Column::Voter.eq(name.as_str()))
                    .exec_with_returning(tx)
                    .await?;
                // In one order, so that erasures do not wait for each other.
                likes.sort_by(|one, other| (&one.kind, one.id).cmp(&(&other.kind, other.id)));
                for row in &likes {
                    count::Entity::update_many()
                        .col_expr(count::Column::Likes, Expr::col(count::Column::Likes).sub(1))
                        .filter(count::Column::Kind.eq(row.kind.as_str()))
                        .filter(count::Column::Id.eq(row.id))
                        .exec(tx)
                        .await?;
                }
                let readings = reader::Column::Reader.eq(name.as_str());
                let views = video_progress::Column::Viewer.eq(name.as_str());
                Ok(vec![
                    ("entry_like", likes.len() as u64),
                    ("entry_reader", delete::<reader::Entity>(tx, readings).await?),
                    ("video_view", delete::<video_progress::Entity>(tx, views).await?),
                ])
            })
            .await
    }
}
