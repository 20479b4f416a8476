//! A replica of the change logs in Redis: the position and purges of each, for gateways that start while a service is
//! unavailable, and messages that announce a change to other gateways at once. It may be lost: each of its keys holds a
//! sentinel, so that a key that Redis evicted is not mistaken for an empty one.

use std::{sync::Arc, time::Duration};

use redis::Script;
use tokio::sync::Notify;
use tokio_stream::StreamExt;

use super::index::{LogHead, Purge, PurgeIndex, Snapshot};
use crate::{
    page_cache::store::remote::log_keys,
    redis_connection::{REDIS_TIMEOUT_BACKGROUND, Redis, RedisCall},
};

/// Lifetime of a replica: longer than that of any entry.
const REPLICA_TTL: Duration = Duration::from_secs(26 * 3600);
/// Interval at which the lifetime is renewed.
const TTL_RENEWAL_INTERVAL: Duration = Duration::from_secs(600);
const RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// Number of purges in one call.
const MAX_PURGES_PER_CALL: usize = 1000;
const CHANNEL: &str = "sahm:changes";

/// The replica of a log; `None` if there is none or Redis does not respond.
pub(crate) async fn load(redis: &Redis, service: &str) -> Option<Snapshot> {
    type Response = (Vec<Option<String>>, Vec<(String, f64)>, Vec<(String, f64)>);
    let [head, hard, soft] = log_keys(service);
    let mut pipe = redis::pipe();
    pipe.atomic();
    pipe.cmd("HMGET").arg(head).arg("id").arg("seq").arg("since");
    for key in [hard, soft] {
        pipe.cmd("ZRANGE").arg(key).arg(0).arg(-1).arg("WITHSCORES");
    }
    let send = |mut redis| async move { pipe.query_async(&mut redis).await };
    let (head, hard, soft): Response =
        redis.call(RedisCall::Command("MULTI"), REDIS_TIMEOUT_BACKGROUND, send).await?;
    let [Some(id), Some(applied), Some(since)] = head.as_slice() else { return None };
    let mut purges = Vec::new();
    for (mut tags, soft) in [(hard, false), (soft, true)] {
        // The sentinel has the highest score.
        tags.pop().filter(|(sentinel, _)| sentinel.is_empty())?;
        // Sequences are far below 2^53, so a score holds them exactly.
        let purge = |(tag, sequence)| Purge { tag, sequence: sequence as u64, soft };
        purges.extend(tags.into_iter().map(purge));
    }
    let (since, applied) = (since.parse().ok()?, applied.parse().ok()?);
    Some(Snapshot { id: id.as_str().into(), since, applied, purges })
}

/// Keeps the replica of one log up to date; `changed` announces something to write.
pub(crate) async fn write(
    redis: Arc<Redis>,
    index: Arc<PurgeIndex>,
    service: Arc<str>,
    changed: Arc<Notify>,
) {
    let script = Script::new(include_str!("scripts/merge.lua"));
    let mut up = redis.watch();
    // The position up to which the replica is complete.
    let mut written: Option<LogHead> = None;
    loop {
        if up.wait_for(|up| *up).await.is_err() {
            return;
        }
        let done = match index.connected(&service) {
            true => write_once(&redis, &script, &index, &service, &mut written).await,
            false => true,
        };
        tokio::select! {
            () = changed.notified(), if done => {}
            () = tokio::time::sleep(if done { TTL_RENEWAL_INTERVAL } else { RETRY_INTERVAL }) => {}
            // Redis was lost or came back: its content is unknown.
            _ = up.changed() => written = None,
        }
    }
}

/// Returns false if the write must be repeated.
async fn write_once(
    redis: &Redis,
    script: &Script,
    index: &PurgeIndex,
    service: &str,
    written: &mut Option<LogHead>,
) -> bool {
    let Some(head) = index.resume(service) else { return true };
    let after = written.as_ref().filter(|at| at.id == head.id).map(|at| at.sequence);
    let Some(snapshot) = index.snapshot(service, after.unwrap_or(0)) else { return true };
    let from = after.unwrap_or(snapshot.since);
    let chunks = snapshot.purges.len().div_ceil(MAX_PURGES_PER_CALL).max(1);
    for n in 0..chunks {
        let purges = snapshot.purges.chunks(MAX_PURGES_PER_CALL).nth(n).unwrap_or_default();
        // The position advances with the last chunk only, when everything up to it is written.
        let to = if n + 1 == chunks { snapshot.applied } else { from };
        let replace = after.is_none() && n == 0;
        let message = after.map_or(String::new(), |_| message(service, &snapshot.id, purges));
        let mut call = script.key(&log_keys(service));
        call.arg(&*snapshot.id).arg(from).arg(to).arg(snapshot.since).arg(u8::from(replace));
        call.arg(REPLICA_TTL.as_secs()).arg(CHANNEL).arg(message);
        for purge in purges {
            call.arg(purge.kind()).arg(purge.sequence).arg(&purge.tag);
        }
        let send = |mut redis| async move { call.invoke_async(&mut redis).await };
        match redis.call(RedisCall::Script("merge"), REDIS_TIMEOUT_BACKGROUND, send).await {
            Some(true) => {}
            Some(false) => {
                // The replica has a gap: write all of it.
                *written = None;
                return false;
            }
            None => return false,
        }
    }
    *written = Some(LogHead { id: snapshot.id, sequence: snapshot.applied });
    true
}

/// One line for each purge, after the service and the log's id.
fn message(service: &str, id: &str, purges: &[Purge]) -> String {
    let lines = purges.iter().map(|p| format!("\n{} {} {}", p.kind(), p.sequence, p.tag));
    [format!("{service}\n{id}")].into_iter().chain(lines).collect()
}

/// Receives the changes that other gateways announce.
pub(crate) async fn subscribe(redis: Arc<Redis>, index: Arc<PurgeIndex>) {
    let mut up = redis.watch();
    loop {
        if up.wait_for(|up| *up).await.is_err() {
            return;
        }
        if let Some(mut messages) = redis.messages().await
            && messages.subscribe(CHANNEL).await.is_ok()
        {
            let mut messages = messages.into_on_message();
            loop {
                // A former primary, or a server that hangs, may never close its connection.
                let message = tokio::select! {
                    message = messages.next() => message,
                    _ = up.changed() => None,
                };
                let Some(message) = message else { break };
                if let Ok(text) = message.get_payload::<String>() {
                    on_message(&index, &text);
                }
            }
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

fn on_message(index: &PurgeIndex, text: &str) {
    let mut lines = text.lines();
    let (Some(service), Some(id)) = (lines.next(), lines.next()) else { return };
    for line in lines {
        let mut parts = line.splitn(3, ' ');
        if let (Some(kind), Some(sequence), Some(tag)) = (parts.next(), parts.next(), parts.next())
            && let Ok(sequence) = sequence.parse()
        {
            let (tag, soft) = (tag.to_owned(), kind == Purge::SOFT);
            index.hint(service, id, &Purge { tag, sequence, soft });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_cache::{invalidation::index::Validity, store::local::tests::entry};

    #[test]
    fn announced_purges_act_as_their_log_does() {
        let index = PurgeIndex::new([Arc::from("content")], 0);
        index.restart("content", LogHead { id: "c1".into(), sequence: 4 });
        index.connect("content", true);
        let purge = |tag: &str, sequence, soft| Purge { tag: tag.to_owned(), sequence, soft };
        let purges = [purge("news:1", 5, false), purge("news:list:us", 6, true)];
        for nonsense in ["", "content", "content\nc1\nh x news:1\nh 9", "other\nc1\nh 9 news:1"] {
            on_message(&index, nonsense);
        }
        let hard = entry(1, &["news:1"], &[("content", "c1", 4)]);
        let soft = entry(1, &["news:list:us"], &[("content", "c1", 4)]);
        assert_eq!(index.validate(&hard), Validity::Valid);
        let text = message("content", "c1", &purges);
        assert_eq!(text, "content\nc1\nh 5 news:1\ns 6 news:list:us");
        on_message(&index, &text);
        assert_eq!(index.validate(&hard), Validity::Purged);
        assert!(matches!(index.validate(&soft), Validity::SoftPurged(_)));
    }
}
