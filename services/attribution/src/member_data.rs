//! Members' rights over the events in the store and the spool.

use std::sync::Arc;

use sahm_chassis::{
    error::{Error, Result},
    member_data::{Erasure, MemberDataStore, MemberRecords},
};

use crate::{spool::Spool, store::EventStore};

/// A member's stored and spooled events.
pub(crate) struct EventMemberData {
    pub(crate) store: EventStore,
    pub(crate) spool: Option<Arc<Spool>>,
}

impl EventMemberData {
    /// Stores spooled events, so that none of the member's is missed.
    async fn drain(&self) -> Result<()> {
        if let Some(spool) = &self.spool {
            let drained = spool.drain_into(&self.store).await;
            // The store's own error says whether it is unavailable.
            drained.map_err(|error| error.downcast().unwrap_or_else(Error::internal))?;
        }
        Ok(())
    }
}

#[tonic::async_trait]
impl MemberDataStore for EventMemberData {
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        self.drain().await?;
        self.store.export_member(member, records).await
    }

    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>> {
        self.drain().await?;
        Ok(vec![("event", self.store.anonymise_member(erasure.member).await?)])
    }
}
