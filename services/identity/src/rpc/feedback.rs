//! `sahm.identity.v1.FeedbackService`.

use std::time::Duration;

use sahm_chassis::{Error, ErrorCode, Result, caller, clock::Clock, cursor, rpc, validate};
use sahm_proto::identity::v1::{
    self as proto, feedback_service_server::FeedbackService, submit_feedback_request::Part,
};
use tokio_stream::StreamExt;
use tonic::{Request, Response, Streaming};

use super::{
    MAX_BATCH, RpcResult, convert,
    upload_memory::{UploadBytes, UploadMemory},
};
use crate::{
    domain::{
        Budget, Feedback, FeedbackFile, FeedbackHead, MAX_FILE_BYTES, Ticket, validate_picture,
    },
    store::IdentityStore,
};

const MAX_FILES: usize = 3;
/// Maximum bytes of files that are being received: six complete forms over all addresses, two per
/// address.
const MAX_BYTES_RECEIVED: usize = 96 << 20;
const MAX_BYTES_RECEIVED_OF_ADDRESS: usize = 32 << 20;
/// Small chunks are joined into blocks of this size, because each allocation has an overhead.
const BLOCK_BYTES: usize = 64 << 10;
/// Time without a part after which the upload is aborted.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(30);
/// The list that cursors of feedback belong to.
const FEEDBACK_LIST: &str = "feedback";

pub(crate) struct FeedbackRpc {
    store: IdentityStore,
    clock: Clock,
    memory: UploadMemory,
}

/// The received parts of a form.
struct Form {
    head: Option<FeedbackHead>,
    files: Vec<ReceivedFile>,
    memory: UploadBytes,
}

/// A file as received. Its blocks are joined when the form is complete: one buffer that grows with each chunk would
/// take up to twice the memory of a stalled upload.
struct ReceivedFile {
    name: String,
    blocks: Vec<Vec<u8>>,
    size: usize,
}

impl Form {
    /// Adds the next part.
    ///
    /// # Errors
    /// Reports invalid parts as early as possible.
    fn take(&mut self, part: Option<Part>) -> Result<()> {
        match part {
            Some(Part::Head(head)) if self.head.is_none() => {
                self.head = Some(read(&head)?);
                Ok(())
            }
            Some(Part::Head(_)) => Err(Error::field("head", "comes once")),
            Some(Part::File(_)) if self.files.len() == MAX_FILES => {
                Err(Error::field("files", "must be at most 3"))
            }
            Some(Part::File(file)) => {
                let name = FeedbackFile::base_name(&file.name);
                self.files.push(ReceivedFile { name, blocks: Vec::new(), size: 0 });
                Ok(())
            }
            Some(Part::Chunk(chunk)) => {
                let at = self.files.len().saturating_sub(1);
                let Some(file) = self.files.last_mut() else {
                    return Err(Error::field("files", "a file begins with its head"));
                };
                file.size += chunk.len();
                if file.size > MAX_FILE_BYTES {
                    return Err(Error::field(format!("files[{at}]"), "is larger than 5 MB"));
                }
                self.memory.reserve(chunk.len())?;
                match file.blocks.last_mut() {
                    Some(last) if last.len() + chunk.len() <= BLOCK_BYTES => last.extend(chunk),
                    _ => file.blocks.push(chunk),
                }
                Ok(())
            }
            None => Err(Error::field("part", "is required")),
        }
    }

    /// Validates the complete form. Its memory is released when the last of the three values is
    /// dropped.
    ///
    /// # Errors
    /// Names every invalid file.
    fn end(self) -> Result<(FeedbackHead, Vec<FeedbackFile>, UploadBytes)> {
        let head = self.head.ok_or_else(|| Error::field("head", "is required"))?;
        let mut fault: Option<Error> = None;
        let mut files = Vec::new();
        for (at, file) in self.files.into_iter().enumerate() {
            let bytes = file.blocks.concat();
            match validate_picture(&bytes) {
                Ok(kind) => files.push(FeedbackFile { name: file.name, kind, bytes }),
                Err(why) => {
                    let error = fault.take().unwrap_or_else(|| Error::of(ErrorCode::Parameter));
                    fault = Some(error.and_field(format!("files[{at}]"), why));
                }
            }
        }
        fault.map_or(Ok((head, files, self.memory)), Err)
    }
}

fn read(head: &proto::FeedbackHead) -> Result<FeedbackHead> {
    FeedbackHead::parse(&head.subject, &head.content, &head.contact)
}

impl FeedbackRpc {
    pub(crate) fn new(store: IdentityStore, clock: Clock) -> Self {
        let memory = UploadMemory::new(MAX_BYTES_RECEIVED, MAX_BYTES_RECEIVED_OF_ADDRESS);
        Self { store, clock, memory }
    }
}

fn named(ticket: &str) -> Result<Ticket> {
    Ticket::parse(ticket).ok_or_else(|| Error::field("ticket", "is not a ticket"))
}

fn missing() -> Error {
    Error::of(ErrorCode::NotFound)
}

#[tonic::async_trait]
impl FeedbackService for FeedbackRpc {
    async fn submit_feedback(
        &self,
        request: Request<Streaming<proto::SubmitFeedbackRequest>>,
    ) -> RpcResult<proto::SubmitFeedbackResponse> {
        let mut parts = request.into_inner();
        let caller = caller::current();
        let memory = self.memory.form(caller.address);
        let mut form = Form { head: None, files: Vec::new(), memory };
        let mut is_counted = false;
        loop {
            let part = tokio::time::timeout(PROGRESS_TIMEOUT, parts.next()).await;
            let Some(part) = part.map_err(|_| Error::timeout())? else { break };
            form.take(part.map_err(|status| rpc::request_error(&status))?.part)?;
            // Before any file is received, so that a form that is rejected later counts too.
            if !std::mem::replace(&mut is_counted, true) {
                let budgets = Budget::of_feedback(caller.address);
                self.store.consume(&budgets, self.clock.now()).await?;
            }
        }
        let (head, files, _held) = form.end()?;
        let created_at = self.clock.now();
        let ticket = Ticket::new(created_at, rand::random());
        let (member, number_of_files) = (caller.member, files.len());
        let added = Feedback { ticket: ticket.clone(), head, member, created_at, files };
        self.store.add_feedback(added).await?;
        tracing::info!(ticket = ticket.as_str(), files = number_of_files, "feedback taken");
        let ticket = ticket.as_str().to_owned();
        Ok(Response::new(proto::SubmitFeedbackResponse { id: ticket.clone(), ticket }))
    }

    async fn get_feedback(
        &self,
        request: Request<proto::GetFeedbackRequest>,
    ) -> RpcResult<proto::GetFeedbackResponse> {
        let ticket = request.into_inner().ticket;
        let found = self.store.feedback(&named(&ticket)?).await?.ok_or_else(missing)?;
        Ok(Response::new(proto::GetFeedbackResponse { feedback: Some(convert::feedback(found)) }))
    }

    async fn batch_get_feedback(
        &self,
        request: Request<proto::BatchGetFeedbackRequest>,
    ) -> RpcResult<proto::BatchGetFeedbackResponse> {
        let tickets = request.into_inner().tickets;
        let tickets = validate::batch("tickets", &tickets, MAX_BATCH)?;
        let tickets: Vec<Ticket> = tickets.iter().filter_map(|text| Ticket::parse(text)).collect();
        let found = self.store.feedback_by_ticket(&tickets).await?;
        Ok(Response::new(proto::BatchGetFeedbackResponse {
            items: found.into_iter().map(convert::feedback).collect(),
        }))
    }

    async fn list_feedback(
        &self,
        request: Request<proto::ListFeedbackRequest>,
    ) -> RpcResult<proto::ListFeedbackResponse> {
        let request = request.into_inner();
        let size = validate::list_size(request.size)?;
        let after = cursor::decode(FEEDBACK_LIST, &request.cursor)?.unwrap_or(request.after_number);
        let mut found = self.store.list_feedback(after, size + 1).await?;
        let next_cursor = cursor::cut(FEEDBACK_LIST, &mut found, size as usize, |last| last.number);
        let items = found.into_iter().map(convert::feedback).collect();
        Ok(Response::new(proto::ListFeedbackResponse { items, next_cursor }))
    }

    async fn get_feedback_file(
        &self,
        request: Request<proto::GetFeedbackFileRequest>,
    ) -> RpcResult<proto::GetFeedbackFileResponse> {
        let request = request.into_inner();
        let ticket = named(&request.ticket)?;
        let found = self.store.feedback(&ticket).await?.ok_or_else(missing)?;
        let file = convert::feedback(found).files;
        let is_it = |file: &proto::FeedbackFile| file.position == request.position;
        let file = file.into_iter().find(is_it).ok_or_else(missing)?;
        let body =
            self.store.feedback_file(&ticket, request.position).await?.ok_or_else(missing)?;
        Ok(Response::new(proto::GetFeedbackFileResponse { file: Some(file), body }))
    }
}
