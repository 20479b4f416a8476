//! Audit lines of calls (docs/operations/access.md#audit).
use sahm_chassis::{Context, Process, Settings, rpc::Transport};
use sahm_proto::changes::v1::{
    PurgeTagsRequest, WatchChangesRequest, change_log_service_client::ChangeLogServiceClient,
};
use serde_json::Value;
use tonic::{Code, Request};

use super::Running;

const PURGE: &str = "/sahm.changes.v1.ChangeLogService/PurgeTags";

/// A call that writes.
struct Write {
    token: &'static str,
    tag: &'static str,
    code: Code,
    /// The caller in the audit line; `None` if there is no line.
    caller: Option<&'static str>,
}

pub(super) async fn writes_of_teams_have_one_audit_line_each() {
    let running = Running::start(&[
        ("SAHM_ENV", "feature"),
        (
            "SAHM_CALLER_TOKENS",
            "gateway=the-token-of-gateway,news=the-token-of-news,booking=the-token-of-booking",
        ),
        ("SAHM_CALLER_SCOPES", "news=*,booking=sahm.activity.v1"),
        // No filter removes audit lines.
        ("RUST_LOG", "off"),
    ])
    .await;
    // A client without a token.
    let context = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
    let client = ChangeLogServiceClient::new(Transport::connect(&running.url, &context));
    let writes = [
        Write { token: "the-token-of-news", tag: "a", code: Code::Ok, caller: Some("news") },
        Write {
            token: "the-token-of-news",
            tag: "",
            code: Code::InvalidArgument,
            caller: Some("news"),
        },
        Write {
            token: "the-token-of-booking",
            tag: "a",
            code: Code::PermissionDenied,
            caller: Some("booking"),
        },
        Write {
            token: "the-token-of-nobody",
            tag: "a",
            code: Code::Unauthenticated,
            caller: Some("unauthenticated"),
        },
        Write { token: "the-token-of-gateway", tag: "a", code: Code::Ok, caller: None },
    ];
    for Write { token, tag, code, .. } in &writes {
        let tags = [*tag].into_iter().filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        let mut request = Request::new(PurgeTagsRequest { tags, soft: false });
        request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        let found = client
            .clone()
            .purge_tags(request)
            .await
            .map_or_else(|status| status.code(), |_| Code::Ok);
        assert_eq!(found, *code, "{token}");
    }
    // A read has no line.
    let mut read = Request::new(WatchChangesRequest::default());
    read.metadata_mut().insert("authorization", "Bearer the-token-of-news".parse().unwrap());
    drop(client.clone().watch_changes(read).await.unwrap());

    let (code, _, log) = running.terminate().await;
    assert_eq!(code, Some(0), "{log}");
    assert!(!log.contains("the-token-of"), "{log}");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<_> = lines.filter(|line| line["target"] == "sahm::audit").collect();
    let expected = writes.iter().filter_map(|write| Some((write.caller?, write.code as i64)));
    let found = lines.iter().map(|line| {
        assert_eq!(
            (line["path"].as_str(), line["address"].as_str()),
            (Some(PURGE), Some("127.0.0.1"))
        );
        (line["caller"].as_str().unwrap(), line["status"].as_i64().unwrap())
    });
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{log}");
}
