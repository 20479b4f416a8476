//! Feedback and its files.

use sahm_chassis::{
    error::{Error, ErrorCode, Result},
    store::{delete, rows_after},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

use super::{
    IdentityStore,
    entities::{feedback, feedback_file as file, member},
    id, key, seconds,
};
use crate::domain::{Feedback, FeedbackHead, Ticket};

/// A stored feedback, its files without their contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFeedback {
    pub number: u64,
    pub ticket: String,
    pub head: FeedbackHead,
    /// The member, if one was logged in.
    pub member: Option<u64>,
    /// Epoch seconds.
    pub created_at: u32,
    /// Position, name, media type, bytes.
    pub files: Vec<(u32, String, String, u32)>,
}

impl IdentityStore {
    /// Stores a feedback with its files.
    ///
    /// # Errors
    /// `SessionExpired` if its member does not exist, for instance because an erasure overtook the
    /// upload.
    pub async fn add_feedback(&self, added: Feedback) -> Result<()> {
        self.store
            .write(async |tx| {
                let member_id = added.member.and_then(key);
                if let Some(member_id) = member_id {
                    // Locked, so that a later erasure also erases this feedback.
                    let member = member::Entity::find_by_id(member_id).lock_shared();
                    if member.one(tx).await?.is_none() {
                        return Err(Error::of(ErrorCode::SessionExpired));
                    }
                }
                let ticket = added.ticket.as_str().to_owned();
                let row = feedback::ActiveModel {
                    ticket: Set(ticket.clone()),
                    subject: Set(added.head.subject),
                    content: Set(added.head.content),
                    contact: Set(added.head.contact),
                    member_id: Set(member_id),
                    created_at: Set(added.created_at.into()),
                    ..Default::default()
                };
                feedback::Entity::insert(row).exec_without_returning(tx).await?;
                for (position, one) in (0..).zip(added.files) {
                    let row = file::ActiveModel {
                        ticket: Set(ticket.clone()),
                        position: Set(position),
                        name: Set(one.name),
                        content_type: Set(one.kind.content_type().to_owned()),
                        size: Set(i32::try_from(one.bytes.len()).unwrap_or(i32::MAX)),
                        body: Set(one.bytes),
                    };
                    file::Entity::insert(row).exec_without_returning(tx).await?;
                }
                Ok(())
            })
            .await
    }

    pub async fn feedback(&self, ticket: &Ticket) -> Result<Option<StoredFeedback>> {
        let query = feedback::Entity::find().filter(feedback::Column::Ticket.eq(ticket.as_str()));
        let rows = query.all(self.store.reader()).await?;
        Ok(with_files(self.store.reader(), rows).await?.pop())
    }

    /// Feedback by ticket, in the requested order, without repetitions; unknown tickets are left
    /// out.
    pub async fn feedback_by_ticket(&self, tickets: &[Ticket]) -> Result<Vec<StoredFeedback>> {
        let rows = feedback::Entity::find()
            .filter(feedback::Column::Ticket.is_in(tickets.iter().map(Ticket::as_str)))
            .all(self.store.reader())
            .await?;
        let mut found = with_files(self.store.reader(), rows).await?;
        found.sort_by_key(|one| tickets.iter().position(|ticket| ticket.as_str() == one.ticket));
        Ok(found)
    }

    /// Feedback above a number, oldest first.
    pub async fn list_feedback(&self, after: u64, size: u32) -> Result<Vec<StoredFeedback>> {
        let (db, query) = (self.store.reader(), feedback::Entity::find());
        let rows = rows_after(db, query, feedback::Column::Number, after, size.into()).await?;
        with_files(db, rows).await
    }

    pub async fn feedback_file(&self, ticket: &Ticket, position: u32) -> Result<Option<Vec<u8>>> {
        let Ok(position) = i32::try_from(position) else { return Ok(None) };
        let found = file::Entity::find_by_id((ticket.as_str().to_owned(), position));
        Ok(found.one(self.store.reader()).await?.map(|row| row.body))
    }
}

/// Number of deleted rows.
pub(super) struct DeletedFeedback {
    pub(super) feedback: u64,
    pub(super) files: u64,
}

/// Deletes feedback with its files.
pub(super) async fn delete_feedback(
    tx: &DatabaseTransaction,
    tickets: &[String],
) -> Result<DeletedFeedback> {
    Ok(DeletedFeedback {
        files: delete::<file::Entity>(tx, file::Column::Ticket.is_in(tickets)).await?,
        feedback: delete::<feedback::Entity>(tx, feedback::Column::Ticket.is_in(tickets)).await?,
    })
}

async fn with_files(
    db: &impl ConnectionTrait,
    rows: Vec<feedback::Model>,
) -> Result<Vec<StoredFeedback>> {
    let tickets = rows.iter().map(|row| row.ticket.as_str());
    let files: Vec<(String, i32, String, String, i32)> = file::Entity::find()
        .select_only()
        .column(file::Column::Ticket)
        .column(file::Column::Position)
        .column(file::Column::Name)
        .column(file::Column::ContentType)
        .column(file::Column::Size)
        .filter(file::Column::Ticket.is_in(tickets))
        .order_by_asc(file::Column::Position)
        .into_tuple()
        .all(db)
        .await?;
    let of = |ticket: &str| {
        let of_ticket = files.iter().filter(|(of, ..)| of == ticket);
        let number = |number: i32| u32::try_from(number).unwrap_or(0);
        of_ticket
            .map(|(_, position, name, kind, size)| {
                (number(*position), name.clone(), kind.clone(), number(*size))
            })
            .collect()
    };
    rows.into_iter()
        .map(|row| {
            Ok(StoredFeedback {
                number: id(row.number)?,
                files: of(&row.ticket),
                head: FeedbackHead {
                    subject: row.subject,
                    content: row.content,
                    contact: row.contact,
                },
                member: row.member_id.map(id).transpose()?,
                created_at: seconds(row.created_at),
                ticket: row.ticket,
            })
        })
        .collect()
}
