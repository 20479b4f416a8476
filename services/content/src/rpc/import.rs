use sahm_chassis::{Error, Result, changes::ChangeLog, clock::Clock};
use sahm_proto::content::v1::{self as wire, import_service_server::ImportService};
use tonic::{Request, Response, Status};

use super::asked;
use crate::{
    domain::EntryKind,
    import::{self, SentFiles},
    store::ContentStore,
};

/// The most files of one import.
const FILES_MAX: usize = 500;

/// `sahm.content.v1.ImportService`.
pub(crate) struct ImportCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
}

impl ImportCalls {
    /// Writes to a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
    }

    async fn import(&self, asked: wire::ImportFilesRequest) -> Result<wire::ImportFilesResponse> {
        let report = import::run_sent(&self.store, files(asked.files)?, &self.clock).await?;
        self.log.notify();
        let count = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
        let refused = report.refused.into_iter().map(|(path, refusal)| wire::RefusedFile {
            id: path.display().to_string(),
            line: refusal.line.map_or(0, count),
            reason: refusal.reason,
        });
        let notes = report
            .notes
            .into_iter()
            .map(|(path, text)| wire::ImportNote { id: path.display().to_string(), text });
        Ok(wire::ImportFilesResponse {
            added: count(report.tally.added),
            changed: count(report.tally.changed),
            unchanged: count(report.tally.unchanged),
            refused: refused.collect(),
            notes: notes.collect(),
        })
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawItemsRequest,
    ) -> Result<wire::WithdrawItemsResponse> {
        asked::withdrawal(&asked.ids)?;
        let kind = EntryKind::parse(&asked.kind).ok_or_else(|| {
            let names: Vec<&str> = EntryKind::names().collect();
            Error::field("kind", format!("must be one of {}", names.join(", ")))
        })?;
        let withdrawn_ids = self.store.withdraw_items(kind, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawItemsResponse { withdrawn_ids })
    }
}

fn files(sent: Vec<wire::ImportFile>) -> Result<SentFiles> {
    if !(1..=FILES_MAX).contains(&sent.len()) {
        return Err(Error::field("files", format!("must be 1 to {FILES_MAX}")));
    }
    let mut files = SentFiles::new();
    for (at, file) in sent.into_iter().enumerate() {
        let wrong = |why: &str| Error::field(format!("files[{at}].path"), why);
        let path = import::sent_path(&file.path)
            .ok_or_else(|| wrong("must be a relative path without control characters"))?;
        if files.insert(path, file.body).is_some() {
            return Err(wrong("comes twice"));
        }
    }
    Ok(files)
}

#[tonic::async_trait]
impl ImportService for ImportCalls {
    async fn import_files(
        &self,
        request: Request<wire::ImportFilesRequest>,
    ) -> Result<Response<wire::ImportFilesResponse>, Status> {
        Ok(Response::new(self.import(request.into_inner()).await?))
    }

    async fn withdraw_items(
        &self,
        request: Request<wire::WithdrawItemsRequest>,
    ) -> Result<Response<wire::WithdrawItemsResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }
}
