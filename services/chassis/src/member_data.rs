//! Members' rights over their personal data: `sahm.privacy.v1.MemberDataService` over a store.

use std::sync::Arc;

use futures_util::{
    FutureExt, StreamExt, TryStreamExt, future,
    stream::{self, BoxStream},
};
use sahm_proto::privacy::v1::{
    EraseMemberDataRequest, EraseMemberDataResponse, ErasedRecords, ExportMemberDataRequest,
    ExportMemberDataResponse,
    member_data_service_server::{MemberDataService, MemberDataServiceServer},
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use crate::{
    caller,
    error::{Error, Result},
    telemetry::AUDIT_TARGET,
    validate,
};

/// Maximum length of the reason of an erasure in characters.
const MAX_REASON_CHARS: usize = 200;

/// Maximum length of an operator's name in characters, the same as for operators of switches.
const MAX_OPERATOR_CHARS: usize = 100;

/// A record that names a member.
#[derive(Debug)]
pub struct MemberRecord {
    /// Its table.
    pub kind: &'static str,
    /// The record as a JSON object, without secrets and without other members' ids.
    pub record: serde_json::Value,
}

/// Receives the records of an export.
#[derive(Debug)]
pub struct MemberRecords(mpsc::Sender<Result<MemberRecord>>);

impl MemberRecords {
    /// Sends a record when the caller has received the previous one, so that an export is never in
    /// memory as a whole.
    ///
    /// # Errors
    /// The caller has disconnected.
    pub async fn send(&self, kind: &'static str, record: serde_json::Value) -> Result<()> {
        self.0.send(Ok(MemberRecord { kind, record })).await.map_err(Error::unavailable)
    }
}

/// The records that `export` sends, then its error if it fails. Dropping the stream cancels the
/// export.
pub fn stream_records<'a, F>(
    export: impl FnOnce(MemberRecords) -> F,
) -> BoxStream<'a, Result<MemberRecord>>
where
    F: Future<Output = Result<()>> + Send + 'a,
{
    let (sender, receiver) = mpsc::channel(1);
    let exported = export(MemberRecords(sender.clone()));
    let exported = async move {
        if let Err(error) = exported.await {
            // Fails only if nobody receives it.
            let _ = sender.send(Err(error)).await;
        }
        None
    };
    let exported = exported.into_stream().filter_map(future::ready);
    stream::select(ReceiverStream::new(receiver), exported).boxed()
}

/// The request and reason of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The member, from 1.
    pub member: u64,
    /// The reason, for the audit record.
    pub reason: String,
    /// The internal caller; `None` in process.
    pub caller: Option<String>,
    /// The operator's name, if the caller sent it.
    pub operator: Option<String>,
}

/// A store with data about members.
#[tonic::async_trait]
pub trait MemberDataStore: Send + Sync + 'static {
    /// Sends everything stored about a member.
    ///
    /// # Errors
    /// The store fails, or the caller has disconnected.
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()>;

    /// Erases everything stored about a member, in one transaction, and returns counts by table.
    ///
    /// # Errors
    /// The store fails.
    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>>;
}

/// The gRPC service over a store.
pub fn service<S: MemberDataStore>(store: S) -> MemberDataServiceServer<MemberDataRpc<S>> {
    MemberDataServiceServer::new(MemberDataRpc { store: Arc::new(store) })
}

/// `sahm.privacy.v1.MemberDataService` over a store.
#[derive(Debug)]
pub struct MemberDataRpc<S> {
    store: Arc<S>,
}

#[tonic::async_trait]
impl<S: MemberDataStore> MemberDataService for MemberDataRpc<S> {
    type ExportMemberDataStream = BoxStream<'static, Result<ExportMemberDataResponse, Status>>;

    async fn export_member_data(
        &self,
        request: Request<ExportMemberDataRequest>,
    ) -> Result<Response<Self::ExportMemberDataStream>, Status> {
        let ExportMemberDataRequest { member_id: member, operator } = request.into_inner();
        let member = validate::member_id("member_id", member)?;
        validate_operator(&operator)?;
        // Logged first: a caller that disconnects has received the records sent until then.
        tracing::info!(
            target: AUDIT_TARGET,
            member,
            operator,
            caller = caller::current().service,
            "member data exported"
        );
        let store = self.store.clone();
        let export = |records| async move { store.export_member(member, records).await };
        let responses = stream_records(export).map_ok(|MemberRecord { kind, record }| {
            ExportMemberDataResponse { kind: kind.to_owned(), json: record.to_string() }
        });
        Ok(Response::new(responses.map_err(Status::from).boxed()))
    }

    async fn erase_member_data(
        &self,
        request: Request<EraseMemberDataRequest>,
    ) -> Result<Response<EraseMemberDataResponse>, Status> {
        let EraseMemberDataRequest { member_id: member, reason, operator } = request.into_inner();
        let member = validate::member_id("member_id", member)?;
        validate_operator(&operator)?;
        if !(1..=MAX_REASON_CHARS).contains(&reason.chars().count()) {
            let bounds = format!("1 to {MAX_REASON_CHARS} characters");
            return Err(Error::field("reason", bounds).into());
        }
        let operator = Some(operator).filter(|name| !name.is_empty());
        let erasure = Erasure { member, reason, caller: caller::current().service, operator };
        let erased = self.store.erase_member(&erasure).await?;
        let records = erased.iter().map(|(_, count)| count).sum::<u64>();
        tracing::info!(
            target: AUDIT_TARGET,
            member,
            operator = erasure.operator,
            caller = erasure.caller,
            records,
            "member data erased"
        );
        let erased = erased.into_iter().filter(|(_, count)| *count > 0);
        let erased = erased.map(|(kind, count)| ErasedRecords { kind: kind.to_owned(), count });
        Ok(Response::new(EraseMemberDataResponse { erased: erased.collect() }))
    }
}

/// Calling teams may leave the name empty.
fn validate_operator(operator: &str) -> Result<()> {
    match operator.chars().count() {
        0..=MAX_OPERATOR_CHARS => Ok(()),
        _ => Err(Error::field("operator", format!("up to {MAX_OPERATOR_CHARS} characters"))),
    }
}

#[cfg(test)]
mod tests;
