//! Members' rights over the events in the store and the spool.

use std::sync::Arc;

use sahm_chassis::{
    BoxFuture,
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

impl MemberDataStore for EventMemberData {
    fn export_member(&self, member: u64, records: MemberRecords) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            self.drain().await?;
            self.store.export_member(member, records).await
        })
    }

    fn erase_member<'a>(
        &'a self,
        erasure: &'a Erasure,
    ) -> BoxFuture<'a, Result<Vec<(&'static str, u64)>>> {
        Box::pin(async move {
            self.drain().await?;
            Ok(vec![("event", self.store.anonymise_member(erasure.member).await?)])
        })
    }
}
