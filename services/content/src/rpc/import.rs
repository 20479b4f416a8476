//! `sahm.content.v1.ImportService`.
use sahm_chassis::{Error, Result};
use sahm_proto::content::v1::{self as wire, import_service_server::ImportService};
use tonic::{Request, Response, Status};

use super::{entries::ContentRpc, validate};
use crate::{
    domain::EntryKind,
    import::{self, Report, UploadedFiles},
};

const MAX_FILES: usize = 500;

#[tonic::async_trait]
impl ImportService for ContentRpc {
    async fn import_files(
        &self,
        request: Request<wire::ImportFilesRequest>,
    ) -> Result<Response<wire::ImportFilesResponse>, Status> {
        let files = uploaded_files(request.into_inner().files)?;
        let report = import::run_uploaded(&self.store, files, &self.clock).await?;
        self.log.notify();
        Ok(Response::new(response(report)))
    }

    async fn withdraw_items(
        &self,
        request: Request<wire::WithdrawItemsRequest>,
    ) -> Result<Response<wire::WithdrawItemsResponse>, Status> {
        let request = request.into_inner();
        let kind = EntryKind::parse(&request.kind).ok_or_else(|| {
            let names: Vec<&str> = EntryKind::names().collect();
            Error::field("kind", format!("must be one of {}", names.join(", ")))
        })?;
        let withdrawn_ids = self.withdraw(kind, &request.ids).await?;
        Ok(Response::new(wire::WithdrawItemsResponse { withdrawn_ids }))
    }
}

fn uploaded_files(sent: Vec<wire::ImportFile>) -> Result<UploadedFiles> {
    validate::count("files", sent.len(), MAX_FILES, "")?;
    let mut files = UploadedFiles::new();
    for (at, file) in sent.into_iter().enumerate() {
        let wrong = |why: &str| Error::field(format!("files[{at}].path"), why);
        let path = import::uploaded_path(&file.path)
            .ok_or_else(|| wrong("must be a relative path without control characters"))?;
        if files.insert(path, file.body).is_some() {
            return Err(wrong("comes twice"));
        }
    }
    Ok(files)
}

fn response(report: Report) -> wire::ImportFilesResponse {
    let count = |items: usize| u32::try_from(items).unwrap_or(u32::MAX);
    let refused = report.refused.into_iter().map(|(path, refusal)| wire::RefusedFile {
        id: path.display().to_string(),
        line: refusal.line.map_or(0, count),
        reason: refusal.reason,
    });
    let notes = report.notes.into_iter();
    let notes = notes.map(|(path, text)| wire::ImportNote { id: path.display().to_string(), text });
    wire::ImportFilesResponse {
        added: count(report.summary.added),
        changed: count(report.summary.changed),
        unchanged: count(report.summary.unchanged),
        refused: refused.collect(),
        notes: notes.collect(),
    }
}
