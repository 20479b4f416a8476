//! A replica of the change logs in Redis: position and purges of each, for gateways that start while a service is
//! unavailable, and messages that tell other gateways of a change at once. It may be lost: each of its keys holds a
//! sentinel, so that a key that Redis evicted is not taken for an empty one.

use std::{sync::Arc, time::Duration};

use redis::Script;
use tokio::sync::Notify;
use tokio_stream::StreamExt;

use super::index::{Purge, PurgeIndex, Snapshot};
use crate::{
    page_cache::store::redis_keys::{hard_key, head_key, soft_key},
    redis_connection::{BEHIND, Redis},
};

/// Lifetime of a replica: longer than that of any entry.
const KEPT: Duration = Duration::from_secs(26 * 3600);
/// How often the lifetime is renewed.
const RENEW: Duration = Duration::from_secs(600);
const RETRY: Duration = Duration::from_millis(500);
/// Tags in one call.
const CHUNK: usize = 1000;
const CHANNEL: &str = "sahm:changes";

const MERGE: &str = include_str!("scripts/merge.lua");
/// The replica of a log; `None` if there is none or Redis does not answer.
pub(in crate::page_cache) async fn load(redis: &Redis, service: &str) -> Option<Snapshot> {
    type Answer = (Vec<Option<String>>, Vec<(String, f64)>, Vec<(String, f64)>);
    let mut pipe = redis::pipe();
    pipe.atomic();
    pipe.cmd("HMGET").arg(head_key(service)).arg("id").arg("seq").arg("since");
    for key in [hard_key(service), soft_key(service)] {
        pipe.cmd("ZRANGE").arg(key).arg(0).arg(-1).arg("WITHSCORES");
    }
    let (head, hard, soft): Answer =
        redis.call(BEHIND, async |redis| pipe.query_async(redis).await).await?;
    let [Some(id), Some(applied), Some(since)] = head.as_slice() else { return None };
    // Sequences are far below 2^53, so a score holds them exactly.
    let marks = |mut marks: Vec<(String, f64)>| {
        // The sentinel has the highest score.
        let (sign, _) = marks.pop()?;
        let marks = marks.into_iter().map(|(tag, sequence)| (tag, sequence as u64));
        sign.is_empty().then(|| marks.collect())
    };
    Some(Snapshot {
        id: id.clone(),
        since: since.parse().ok()?,
        applied: applied.parse().ok()?,
        hard: marks(hard)?,
        soft: marks(soft)?,
    })
}

/// Keeps the replica of one log up to date; `changed` announces something to write.
pub(in crate::page_cache) async fn write(
    redis: Arc<Redis>,
    index: Arc<PurgeIndex>,
    service: Arc<str>,
    changed: Arc<Notify>,
) {
    let script = Script::new(MERGE);
    let mut up = redis.watch();
    // Log id and sequence up to which the replica is complete.
    let mut written: Option<(String, u64)> = None;
    loop {
        if up.wait_for(|up| *up).await.is_err() {
            return;
        }
        up.mark_unchanged();
        let done = match index.connected(&service) {
            true => write_once(&redis, &script, &index, &service, &mut written).await,
            false => true,
        };
        tokio::select! {
            () = changed.notified(), if done => {}
            () = tokio::time::sleep(if done { RENEW } else { RETRY }) => {}
            // Redis was lost or came back: its content is unknown.
            _ = up.changed() => written = None,
        }
    }
}

/// False if it has to be repeated.
async fn write_once(
    redis: &Redis,
    script: &Script,
    index: &PurgeIndex,
    service: &str,
    written: &mut Option<(String, u64)>,
) -> bool {
    let after = match &*written {
        Some((id, sequence)) if index.resume(service).is_some_and(|head| *head.id == **id) => {
            Some(*sequence)
        }
        _ => None,
    };
    let Some(snapshot) = index.snapshot(service, after.unwrap_or(0)) else { return true };
    let from = after.unwrap_or(snapshot.since);
    let marks: Vec<(&str, u64, bool)> = snapshot
        .hard
        .iter()
        .map(|(tag, sequence)| (tag.as_str(), *sequence, false))
        .chain(snapshot.soft.iter().map(|(tag, sequence)| (tag.as_str(), *sequence, true)))
        .collect();
    let mut chunks = marks.chunks(CHUNK).peekable();
    let mut replace = after.is_none();
    loop {
        let chunk = chunks.next().unwrap_or_default();
        let last = chunks.peek().is_none();
        // The position advances with the last chunk only, when everything up to it is written.
        let to = if last { snapshot.applied } else { from };
        let message = match after {
            Some(_) => message(service, &snapshot.id, chunk),
            None => String::new(),
        };
        let (hard, soft): (Vec<_>, Vec<_>) = chunk.iter().partition(|(_, _, soft)| !soft);
        let mut call = script.key(head_key(service));
        call.key(hard_key(service)).key(soft_key(service));
        call.arg(&snapshot.id).arg(from).arg(to).arg(snapshot.since).arg(u8::from(replace));
        call.arg(KEPT.as_secs()).arg(CHANNEL).arg(message).arg(hard.len());
        for (tag, sequence, _) in hard.iter().chain(&soft) {
            call.arg(*tag).arg(*sequence);
        }
        match redis.call(BEHIND, async |redis| call.invoke_async::<u8>(redis).await).await {
            Some(1) => {}
            Some(_) => {
                // The replica has a gap: write all of it.
                *written = None;
                return false;
            }
            None => return false,
        }
        replace = false;
        if last {
            *written = Some((snapshot.id, snapshot.applied));
            return true;
        }
    }
}

fn message(service: &str, id: &str, marks: &[(&str, u64, bool)]) -> String {
    let mut text = format!("{service}\n{id}");
    for (tag, sequence, soft) in marks {
        let kind = if *soft { 's' } else { 'h' };
        text.push_str(&format!("\n{kind} {sequence} {tag}"));
    }
    text
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
            while let Some(message) = messages.next().await {
                if let Ok(text) = message.get_payload::<String>() {
                    on_message(&index, &text);
                }
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}

fn on_message(index: &PurgeIndex, text: &str) {
    let mut lines = text.lines();
    let (Some(service), Some(id)) = (lines.next(), lines.next()) else { return };
    for line in lines {
        let mut parts = line.splitn(3, ' ');
        let (Some(kind), Some(sequence), Some(tag)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let Ok(sequence) = sequence.parse() else { continue };
        let tags = [tag.to_owned()];
        index.hint(service, id, Purge { sequence, tags: &tags, soft: kind == "s", time: 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_cache::{
        invalidation::index::{LogHead, Validity},
        store::local::tests::entry,
    };

    #[test]
    fn announced_changes_purge_as_their_log_does() {
        let index = PurgeIndex::new([Arc::from("content")], 0);
        index.restart("content", LogHead { id: "c1".into(), sequence: 4 });
        index.connect("content", true);
        let said = message("content", "c1", &[("news:1", 5, false), ("news:list:us", 6, true)]);
        for nonsense in ["", "content", "content\nc1\nh x news:1\nh 9", "other\nc1\nh 9 news:1"] {
            on_message(&index, nonsense);
        }
        let hard = entry(1, &["news:1"], &[("content", "c1", 4)]);
        let soft = entry(1, &["news:list:us"], &[("content", "c1", 4)]);
        assert_eq!(index.validate(&hard), Validity::Valid);
        on_message(&index, &said);
        assert_eq!(index.validate(&hard), Validity::Purged);
        assert!(matches!(index.validate(&soft), Validity::SoftPurged(_)));
    }
}
