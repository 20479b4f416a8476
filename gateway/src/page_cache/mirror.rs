//! The change logs as Redis knows them: position and purges of each, for gateways that start
//! while a service is away, and messages that quicken the others. Losing it harms nothing: each of
//! its parts says that it is there, so that what Redis has thrown away is not taken for empty.

use std::{sync::Arc, time::Duration};

use redis::Script;
use tokio::sync::Notify;
use tokio_stream::StreamExt;

use super::purge::{Purge, PurgeIndex, Snapshot};
use crate::redis_connection::{BEHIND, Redis};

/// How long a log is kept: the purges of 24 h and a little more.
const KEPT: Duration = Duration::from_secs(26 * 3600);
/// The lifetime is renewed this often, changes or not.
const RENEW: Duration = Duration::from_secs(600);
const RETRY: Duration = Duration::from_millis(500);
/// Tags in one call.
const CHUNK: usize = 1000;
const CHANNEL: &str = "sahm:changes";

/// Keys: head, hard, soft. Arguments: id, from, to, since, 1 to replace what does not fit,
/// lifetime in seconds, channel, message (or empty), number of hard tags, then tag and sequence of
/// each hard and each soft one. Answer: 0 when the mirror does not reach up to `from`.
const MERGE: &str = "
local head = redis.call('HMGET', KEYS[1], 'id', 'seq', 'since')
local whole = redis.call('ZSCORE', KEYS[2], '') and redis.call('ZSCORE', KEYS[3], '')
local from, to, since = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local seq = tonumber(head[2] or '0')
if whole and head[1] == ARGV[1] and seq >= from then
  since = math.max(since, tonumber(head[3] or '0'))
elseif ARGV[5] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
  seq = 0
else
  return 0
end
local hard = tonumber(ARGV[9])
for i = 10, #ARGV, 2 do
  local key = KEYS[3]
  if i < 10 + 2 * hard then key = KEYS[2] end
  redis.call('ZADD', key, 'GT', ARGV[i + 1], ARGV[i])
end
for i = 2, 3 do redis.call('ZADD', KEYS[i], '+inf', '') end
local text = string.format('%.0f', since)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text)
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'since', text,
  'seq', string.format('%.0f', math.max(seq, to)))
for i = 1, 3 do redis.call('EXPIRE', KEYS[i], ARGV[6]) end
if ARGV[8] ~= '' and to > seq then redis.call('PUBLISH', ARGV[7], ARGV[8]) end
return 1";

/// Where a log's id and position stand.
pub(super) fn head_key(service: &str) -> String {
    format!("sahm:log:{service}")
}

/// Where a log's hard purges stand, by tag and sequence.
pub(super) fn hard_key(service: &str) -> String {
    format!("sahm:log:{service}:hard")
}

fn soft_key(service: &str) -> String {
    format!("sahm:log:{service}:soft")
}

/// What the mirror holds of a log; none when it holds nothing or Redis is away.
pub(super) async fn load(redis: &Redis, service: &str) -> Option<Snapshot> {
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
    // Sequences are far below 2^53, so they pass through a score unharmed.
    let marks = |mut marks: Vec<(String, f64)>| {
        // Behind all others: the sign that nothing of it was thrown away.
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

/// Keeps the mirror of one log up to date; `changed` says that there is something to write.
pub(super) async fn write(
    redis: Arc<Redis>,
    index: Arc<PurgeIndex>,
    service: Arc<str>,
    changed: Arc<Notify>,
) {
    let script = Script::new(MERGE);
    let mut up = redis.watch();
    // The id and sequence up to which the mirror is known to hold everything.
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
            // Redis went or came: what it holds now is not known.
            _ = up.changed() => written = None,
        }
    }
}

/// False when it has to be tried again.
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
        // The position is raised only with the last part, when everything up to it is there.
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
                // The mirror does not reach up to here: write all of it.
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

/// Hears what other gateways saw in their logs first.
pub(super) async fn listen(redis: Arc<Redis>, index: Arc<PurgeIndex>) {
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
                    hear(&index, &text);
                }
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}

fn hear(index: &PurgeIndex, text: &str) {
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
        memory::tests::entry,
        purge::{LogHead, Verdict},
    };

    #[test]
    fn a_message_is_heard_as_it_was_said() {
        let index = PurgeIndex::new([Arc::from("content")], 0);
        index.restart("content", LogHead { id: "c1".into(), sequence: 4 });
        index.connect("content", true);
        let said = message("content", "c1", &[("news:1", 5, false), ("news:list:us", 6, true)]);
        for nonsense in ["", "content", "content\nc1\nh x news:1\nh 9", "other\nc1\nh 9 news:1"] {
            hear(&index, nonsense);
        }
        let hard = entry(1, &["news:1"], &[("content", "c1", 4)]);
        let soft = entry(1, &["news:list:us"], &[("content", "c1", 4)]);
        assert_eq!(index.judge(&hard), Verdict::Good);
        hear(&index, &said);
        assert_eq!(index.judge(&hard), Verdict::Gone);
        assert!(matches!(index.judge(&soft), Verdict::Soft(_)));
    }
}
