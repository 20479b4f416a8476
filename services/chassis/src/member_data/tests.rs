#![allow(clippy::unwrap_used)]
use std::{
    future,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::json;

use super::*;
use crate::{caller::Caller, error::FieldError};

/// Exports two records of every member, and collects the erasures that were requested.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<Mutex<Vec<Erasure>>>);

#[tonic::async_trait]
impl MemberDataStore for Memory {
    async fn export_member(&self, member: u64, records: MemberRecords) -> Result<()> {
        records.send("member", json!({ "id": member })).await?;
        records.send("session", json!({ "n": 1 })).await
    }

    async fn erase_member(&self, erasure: &Erasure) -> Result<Vec<(&'static str, u64)>> {
        self.0.lock().unwrap().push(erasure.clone());
        Ok(vec![("member", 1), ("draft", 0), ("session", 2)])
    }
}

#[tokio::test]
async fn requests_are_validated_before_the_store_is_queried() {
    struct Case {
        member_id: u64,
        reason: String,
        operator: String,
        /// The invalid field and the reason.
        fault: Option<(&'static str, &'static str)>,
    }
    let case = |member_id, reason: String, operator: String, fault| Case {
        member_id,
        reason,
        operator,
        fault,
    };
    let text = |length| "é".repeat(length);
    let member = Some(("member_id", "must be a member's id"));
    let reason = Some(("reason", "1 to 200 characters"));
    let operator = Some(("operator", "up to 100 characters"));
    let cases = [
        case(0, text(1), text(0), member),
        case(1, text(1), text(0), None),
        case(9_223_372_036_854_775_807, text(200), text(100), None),
        case(9_223_372_036_854_775_808, text(1), text(0), member),
        case(1, text(0), text(0), reason),
        case(1, text(201), text(0), reason),
        case(1, text(1), text(101), operator),
    ];
    for Case { member_id, reason, operator, fault } in cases {
        let store = Memory::default();
        let rpc = MemberDataRpc { store: Arc::new(store.clone()) };
        let fault = fault.map(|(field, why)| FieldError { field: field.into(), why: why.into() });
        let faults = |status: Status| Error::from(status).fields().to_vec();

        let export = ExportMemberDataRequest { member_id, operator: operator.clone() };
        let exported = rpc.export_member_data(Request::new(export)).await;
        let expected = fault.clone().filter(|fault| fault.field != "reason");
        let found = exported.map_or_else(faults, |_| Vec::new());
        assert_eq!(found, Vec::from_iter(expected), "export of {member_id}");

        let erase = EraseMemberDataRequest { member_id, reason, operator };
        let erased = rpc.erase_member_data(Request::new(erase)).await;
        let is_valid = fault.is_none();
        let found = erased.map_or_else(faults, |_| Vec::new());
        assert_eq!(found, Vec::from_iter(fault), "erasure of {member_id}");
        assert_eq!(store.0.lock().unwrap().len(), usize::from(is_valid));
    }
}

#[tokio::test]
async fn erasure_is_passed_to_the_store_and_counts_of_zero_are_left_out() {
    for (operator, expected) in [("", None), ("alice", Some("alice"))] {
        let store = Memory::default();
        let rpc = MemberDataRpc { store: Arc::new(store.clone()) };
        let request = Request::new(EraseMemberDataRequest {
            member_id: 42,
            reason: "request of the member".to_owned(),
            operator: operator.to_owned(),
        });
        let caller = Caller { service: Some("team".to_owned()), ..Caller::default() };
        let response = caller::with(caller, rpc.erase_member_data(request)).await.unwrap();
        let records = |kind: &str, count| ErasedRecords { kind: kind.to_owned(), count };
        let erased = vec![records("member", 1), records("session", 2)];
        assert_eq!(response.into_inner(), EraseMemberDataResponse { erased });
        let erasure = Erasure {
            member: 42,
            reason: "request of the member".to_owned(),
            caller: Some("team".to_owned()),
            operator: expected.map(str::to_owned),
        };
        assert_eq!(*store.0.lock().unwrap(), [erasure]);
    }
}

#[tokio::test]
async fn export_streams_every_record_as_json() {
    let rpc = MemberDataRpc { store: Arc::new(Memory::default()) };
    let request = ExportMemberDataRequest { member_id: 42, operator: String::new() };
    let stream = rpc.export_member_data(Request::new(request)).await.unwrap().into_inner();
    let records: Vec<_> = stream.try_collect().await.unwrap();
    let response = |kind: &str, json: &str| ExportMemberDataResponse {
        kind: kind.to_owned(),
        json: json.to_owned(),
    };
    assert_eq!(records, [response("member", r#"{"id":42}"#), response("session", r#"{"n":1}"#)]);
}

#[tokio::test]
async fn export_reads_on_only_as_its_records_are_received() {
    let read = AtomicUsize::new(0);
    let mut records = stream_records(async |records: MemberRecords| {
        loop {
            let number = read.fetch_add(1, Ordering::Relaxed);
            records.send("event", json!(number)).await?;
        }
    });
    for number in 0..10 {
        let record = records.next().await.unwrap().unwrap();
        assert_eq!(record.record, json!(number));
    }
    drop(records);
    // One is in the channel, and the next one waits for it to be received.
    assert!(read.load(Ordering::Relaxed) <= 12, "{read:?}");
}

#[tokio::test]
async fn export_that_fails_ends_with_its_error() {
    let mut records = stream_records(async |records: MemberRecords| {
        records.send("event", json!(1)).await?;
        future::ready(Err(Error::unavailable("no store"))).await
    });
    assert_eq!(records.next().await.unwrap().unwrap().record, json!(1));
    let error = records.next().await.unwrap().unwrap_err();
    assert_eq!(error.code(), crate::error::ErrorCode::Unavailable);
    assert!(records.next().await.is_none());
}
