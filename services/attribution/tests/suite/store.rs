//! Tests of the store on both engines.

use futures_util::TryStreamExt;
use sahm_attribution::{
    domain::{CountQuery, Dimension, Draft, NewEvent, checked},
    retention::{anonymise_old, remove_old},
    store::{EventStore, Outcome, PRUNE_BATCH},
};
use sahm_chassis::{Error, ErrorCode, member_data::stream_records, settings::DatabaseUrl};
use sahm_testkit::{Postgres, SmallDisk};
use serde_json::{Value, json};

const NOW: u32 = 1_795_208_400;
const HOUR_MILLIS: u64 = 3_600_000;

/// Runs one case on SQLite and on PostgreSQL.
async fn on_both(case: impl AsyncFn(DatabaseUrl)) {
    let folder = tempfile::tempdir().unwrap();
    case(DatabaseUrl::file(folder.path().join("attribution.sqlite"))).await;
    let url = Postgres::shared().await.unwrap().database().await.unwrap();
    case(url.parse().unwrap()).await;
}

fn event(id: &str, name: &str, value: &str) -> NewEvent {
    let draft = Draft {
        name: name.to_owned(),
        value: value.to_owned(),
        event_id: Some(id.to_owned()),
        ..Draft::default()
    };
    checked(draft, u64::from(NOW) * 1000).unwrap()
}

fn later(event: &NewEvent, hours: u64) -> NewEvent {
    NewEvent { received_at: event.received_at + hours * HOUR_MILLIS, ..event.clone() }
}

/// The event after it was anonymised.
fn anonymous(event: &NewEvent) -> NewEvent {
    let (member_id, device_no, value) = (0, String::new(), "{}".to_owned());
    NewEvent { member_id, device_no, value, ..event.clone() }
}

fn numbered(range: std::ops::Range<u32>) -> Vec<NewEvent> {
    range.map(|number| event(&format!("event-{number:05}"), "page_view", "{}")).collect()
}

#[tokio::test]
async fn an_id_counts_once_in_48_hours() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        let one = event("event-one", "a", "{}");
        let two = event("event-two", "a", "{}");
        let batch = [one.clone(), two.clone(), one.clone()];
        let outcomes = store.accept(&batch).await.unwrap();
        assert_eq!(outcomes, [Outcome::Counted(1), Outcome::Counted(2), Outcome::Repeated]);
        for (hours, outcome) in
            [(1, Outcome::Repeated), (47, Outcome::Repeated), (48, Outcome::Counted(3))]
        {
            let outcomes = store.accept(&[later(&one, hours)]).await.unwrap();
            assert_eq!(outcomes, [outcome], "{hours}");
        }
        // A new event after 49 hours counts again.
        assert_eq!(store.accept(&[later(&one, 49)]).await.unwrap(), [Outcome::Repeated]);
        assert_eq!(store.accept(&[later(&two, 48)]).await.unwrap(), [Outcome::Counted(4)]);
        assert_eq!(store.last_sequence().await.unwrap(), 4);
        let found = store.events_by_id(&["event-two".into(), "event-one".into()]).await.unwrap();
        assert_eq!(found.iter().map(|event| event.sequence).collect::<Vec<_>>(), [4, 3]);
        assert_eq!(found[1].event, later(&one, 48));
    })
    .await;
}

#[tokio::test]
async fn replicas_count_the_same_events_once_without_gaps() {
    on_both(async |url| {
        let first = EventStore::open(&url).await.unwrap();
        let second = EventStore::open(&url).await.unwrap();
        let mut tasks = Vec::new();
        for (at, store) in [first.clone(), second, first.clone()].into_iter().enumerate() {
            let mut events = numbered(0..300);
            // Each replica has another order.
            events.rotate_left(at * 100);
            tasks.push(tokio::spawn(async move {
                let mut counted = 0;
                for batch in events.chunks(37) {
                    let outcomes = store.accept(batch).await.unwrap();
                    counted +=
                        outcomes.iter().filter(|one| matches!(one, Outcome::Counted(_))).count();
                }
                counted
            }));
        }
        let mut counted = 0;
        for task in tasks {
            counted += task.await.unwrap();
        }
        assert_eq!(counted, 300);
        let events = first.events_after(0, 1000).await.unwrap();
        let sequences = events.iter().map(|event| event.sequence).collect::<Vec<_>>();
        assert_eq!(sequences, (1..=300).collect::<Vec<_>>());
        let day = events[0].event.day();
        let query = CountQuery { from_day: day.clone(), to_day: day, ..CountQuery::default() };
        assert_eq!(first.count(&query.checked().unwrap()).await.unwrap().1, 300);
    })
    .await;
}

#[tokio::test]
async fn counts_are_grouped_filtered_and_ordered() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        let mut events = Vec::new();
        for (count, name, value, client, days) in [
            (3, "open", r#"{"c":"eid","scnl":"1110619"}"#, 10, 0),
            (2, "open", r#"{"c":"day","scnl":"1110620"}"#, 20, 0),
            (1, "close", r#"{"pid":"eid"}"#, 10, 1),
        ] {
            for number in 0..count {
                let mut one = event(&format!("{name}-{client}-{number}-{days}"), name, value);
                one.sell_client = client;
                one.received_at += days * 86_400_000;
                events.push(one);
            }
        }
        store.accept(&events[..2]).await.unwrap();
        store.accept(&events[1..]).await.unwrap();
        let count = async |by: &[Dimension], change: fn(&mut CountQuery)| {
            let mut query = CountQuery {
                from_day: "2026-11-21".into(),
                to_day: "2026-11-30".into(),
                by: by.to_vec(),
                ..CountQuery::default()
            };
            change(&mut query);
            let (rows, total) = store.count(&query.checked().unwrap()).await.unwrap();
            let rows = rows.into_iter().map(|row| {
                let key = [row.day, row.event_name, row.campaign, row.channel].join(" ");
                (key.trim().to_owned(), row.sell_client, row.count)
            });
            (rows.collect::<Vec<_>>(), total)
        };
        let row = |key: &str, client, count| (key.to_owned(), client, count);
        assert_eq!(count(&[], |_| {}).await, (vec![row("", 0, 6)], 6));
        assert_eq!(
            count(&[Dimension::EventName], |_| {}).await,
            (vec![row("open", 0, 5), row("close", 0, 1)], 6)
        );
        assert_eq!(
            count(&[Dimension::Campaign, Dimension::SellClient], |_| {}).await,
            (vec![row("eid", 10, 4), row("day", 20, 2)], 6)
        );
        assert_eq!(
            count(&[Dimension::Day], |query| query.campaign = "eid".into()).await,
            (vec![row("2026-11-21", 0, 3), row("2026-11-22", 0, 1)], 4)
        );
        assert_eq!(
            count(&[Dimension::Channel], |query| query.limit = 1).await,
            (vec![row("1110619", 0, 3)], 6)
        );
        assert_eq!(count(&[], |query| query.sell_client = 7).await, (vec![], 0));
        // Each filter, and both ends of the days.
        let total = async |change: fn(&mut CountQuery)| count(&[], change).await.1;
        assert_eq!(total(|query| query.event_name = "close".into()).await, 1);
        assert_eq!(total(|query| query.channel = "1110620".into()).await, 2);
        assert_eq!(total(|query| query.sell_client = 10).await, 4);
        assert_eq!(total(|query| query.to_day = "2026-11-21".into()).await, 5);
        assert_eq!(total(|query| query.from_day = "2026-11-22".into()).await, 1);
        // Rows with the same count are in the order of their dimensions.
        let same = ["c", "a", "b"].map(|name| event(&format!("event-0{name}"), name, "{}"));
        store.accept(&same).await.unwrap();
        let (rows, _) = count(&[Dimension::EventName], |_| {}).await;
        assert_eq!(rows[1..], ["a", "b", "c", "close"].map(|name| row(name, 0, 1)));
    })
    .await;
}

#[tokio::test]
async fn sink_receives_every_event_since_it_was_added() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        store.accept(&numbered(0..5)).await.unwrap();
        store.add_sink("crm").await.unwrap();
        store.accept(&numbered(5..15)).await.unwrap();
        store.add_sink("crm").await.unwrap();
        let counts = async || {
            let sink = store.sinks().await.unwrap().remove(0);
            assert_eq!(sink.accepted, sink.delivered + sink.waiting + sink.dead);
            (sink.accepted, sink.delivered, sink.waiting, sink.dead)
        };
        assert_eq!(counts().await, (10, 0, 10, 0));

        let lease = store.lease("crm", "one", 1000, 2000).await.unwrap().unwrap();
        assert_eq!((lease.position, lease.failed_attempts), (5, 0));
        assert_eq!(store.lease("crm", "two", 1999, 3000).await.unwrap(), None);
        assert_eq!(store.lease("nobody", "two", 1999, 3000).await.unwrap(), None);
        let refused = [(7, "422: no".to_owned()), (8, "422: no".to_owned())];
        assert!(store.advance(&lease, 9, 2, &refused, NOW).await.unwrap());
        assert_eq!(counts().await, (10, 2, 6, 2));
        let dead = store.dead_letters("crm", 0, 10).await.unwrap();
        let dead = dead.iter().map(|one| (one.event.sequence, &*one.reason, one.died_at));
        assert_eq!(dead.collect::<Vec<_>>(), [(7, "422: no", NOW), (8, "422: no", NOW)]);
        let after = store.dead_letters("crm", 7, 10).await.unwrap();
        assert_eq!(after.iter().map(|one| one.event.sequence).collect::<Vec<_>>(), [8]);
        assert_eq!(store.dead_letters("crm", 0, 1).await.unwrap().len(), 1);
        // The same step does not count twice.
        assert!(!store.advance(&lease, 9, 2, &[], NOW).await.unwrap());

        // After the lease has expired and another owner has acquired it, the first one can change
        // nothing.
        let other = store.lease("crm", "two", 2001, 3000).await.unwrap().unwrap();
        assert_eq!(other.position, 9);
        let late = sahm_attribution::store::Lease { position: 9, ..lease };
        assert!(!store.advance(&late, 15, 6, &[], NOW).await.unwrap());
        assert!(!store.replayed(&late, 7, None, NOW).await.unwrap());
        let attempts = async || {
            let sink = store.sinks().await.unwrap().remove(0);
            (sink.failed_attempts, sink.last_error, sink.last_delivered_at)
        };
        store.failed(&other, "502").await.unwrap();
        store.failed(&other, "503").await.unwrap();
        store.failed(&late, "a lost lease").await.unwrap();
        assert_eq!(attempts().await, (2, "503".to_owned(), NOW));
        let again = store.lease("crm", "two", 2002, 3000).await.unwrap().unwrap();
        assert_eq!((again.position, again.failed_attempts), (9, 2));

        // A released lease can be acquired at once. Only its owner can release it.
        store.release("crm", "one").await.unwrap();
        assert_eq!(store.lease("crm", "one", 2003, 3000).await.unwrap(), None);
        store.release("crm", "two").await.unwrap();
        assert!(!store.advance(&again, 15, 6, &[], NOW).await.unwrap());
        assert!(store.lease("crm", "one", 2003, 3000).await.unwrap().is_some());
        store.release("crm", "one").await.unwrap();
        assert!(store.lease("crm", "two", 2003, 3000).await.unwrap().is_some());

        assert_eq!(store.replay("nobody", &[]).await.unwrap(), None);
        assert_eq!(store.replay("crm", &[7, 999]).await.unwrap(), Some(1));
        assert_eq!(store.replay("crm", &[]).await.unwrap(), Some(1));
        assert_eq!(counts().await, (10, 2, 8, 0));
        let waiting = store.replaying("crm", 10).await.unwrap();
        assert_eq!(waiting.iter().map(|one| one.event.sequence).collect::<Vec<_>>(), [7, 8]);
        assert!(store.replayed(&other, 7, None, NOW + 3).await.unwrap());
        assert_eq!(attempts().await, (0, String::new(), NOW + 3));
        assert!(store.replayed(&other, 8, Some("422: still"), NOW + 5).await.unwrap());
        assert_eq!(counts().await, (10, 3, 6, 1));
        let dead = store.dead_letters("crm", 0, 10).await.unwrap();
        assert_eq!((dead.len(), dead[0].reason.as_str()), (1, "422: still"));
        assert_eq!((dead[0].event.sequence, dead[0].died_at), (8, NOW + 5));
        assert!(store.advance(&other, 15, 6, &[], NOW + 9).await.unwrap());
        assert_eq!(attempts().await, (0, String::new(), NOW + 9));
        assert_eq!(counts().await, (10, 9, 0, 1));
    })
    .await;
}

/// Both sinks reject the same events, so that only the sink's name tells their rows apart.
#[tokio::test]
async fn sinks_have_separate_states_and_dead_letters() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        for sink in ["ads", "crm"] {
            store.add_sink(sink).await.unwrap();
        }
        store.accept(&numbered(0..4)).await.unwrap();
        let refused = [1, 2, 3].map(|sequence| (sequence, "422: no".to_owned()));
        let mut leases = Vec::new();
        for sink in ["ads", "crm"] {
            let lease = store.lease(sink, "me", 1, 9).await.unwrap().unwrap();
            assert!(store.advance(&lease, 3, 0, &refused, NOW).await.unwrap());
            leases.push(store.lease(sink, "me", 2, 9).await.unwrap().unwrap());
        }
        let (ads, crm) = (&leases[0], &leases[1]);
        let state = async |at: usize| store.sinks().await.unwrap().remove(at);
        let dead = async |sink| store.dead_letters(sink, 0, 9).await.unwrap();
        let before = (state(0).await, dead("ads").await);
        assert_eq!(before.0.last_delivered_at, 0, "everything was refused");

        assert_eq!(store.replay("crm", &[]).await.unwrap(), Some(3));
        assert!(store.replayed(crm, 1, None, NOW + 5).await.unwrap());
        assert!(store.replayed(crm, 2, Some("422: still"), NOW + 5).await.unwrap());
        store.failed(crm, "503").await.unwrap();
        assert_eq!((state(0).await, dead("ads").await), before);
        assert_eq!(store.replaying("ads", 9).await.unwrap(), []);
        let waiting = store.replaying("crm", 9).await.unwrap();
        assert_eq!(waiting.iter().map(|one| one.event.sequence).collect::<Vec<_>>(), [3]);
        assert_eq!(dead("crm").await.len(), 1);
        let changed = state(1).await;
        assert_eq!((changed.delivered, changed.failed_attempts), (1, 1));

        let crm = store.lease("crm", "me", 3, 9).await.unwrap().unwrap();
        assert!(store.advance(&crm, 4, 1, &[], NOW + 9).await.unwrap());
        assert_eq!((state(0).await, dead("ads").await), before);
        assert_eq!(ads.position, 3);
        assert!(store.advance(ads, 4, 1, &[], NOW + 9).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn events_are_filtered_by_name_and_member() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        let mut events = Vec::new();
        for (number, name, member_id) in
            [(1, "open", 0), (2, "close", 1), (3, "open", 1), (4, "open", 2), (5, "close", 0)]
        {
            let one = event(&format!("event-{number:03}"), name, "{}");
            events.push(NewEvent { member_id, ..one });
        }
        store.accept(&events).await.unwrap();
        struct Case {
            name: &'static str,
            member_id: u64,
            before: u64,
            size: u64,
            expected: &'static [u64],
        }
        let case = |name, member_id, before, size, expected| Case {
            name,
            member_id,
            before,
            size,
            expected,
        };
        for Case { name, member_id, before, size, expected } in [
            case("", 0, u64::MAX, 9, &[5, 4, 3, 2, 1]),
            case("", 0, 4, 2, &[3, 2]),
            case("open", 0, u64::MAX, 9, &[4, 3, 1]),
            case("open", 1, u64::MAX, 9, &[3]),
            case("", 1, u64::MAX, 9, &[3, 2]),
            case("", 3, u64::MAX, 9, &[]),
            case("other", 0, u64::MAX, 9, &[]),
        ] {
            let found = store.events(name, member_id, before, size).await.unwrap();
            let found = found.iter().map(|one| one.sequence).collect::<Vec<_>>();
            assert_eq!(found, expected, "{name} {member_id} {before} {size}");
        }
    })
    .await;
}

const DAY: std::time::Duration = std::time::Duration::from_secs(86_400);

/// Expired events are removed once all sinks have accepted them. Recent ones, undelivered ones,
/// those with a dead letter, and the counts stay. A sink that is no longer configured retains
/// nothing.
#[tokio::test]
async fn expired_events_are_removed_after_delivery() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        for sink in ["crm", "ads", "former"] {
            store.add_sink(sink).await.unwrap();
        }
        // More than two batches of old events, then live ones.
        let old = u32::try_from(2 * PRUNE_BATCH + 10).unwrap();
        for batch in numbered(0..old).chunks(500) {
            store.accept(batch).await.unwrap();
        }
        let live = numbered(old..old + 5).iter().map(|one| later(one, 24)).collect::<Vec<_>>();
        store.accept(&live).await.unwrap();
        let sinks = ["crm".to_owned(), "ads".to_owned()];
        // The old events are 91 days old, the live ones exactly as old as the retention.
        let now = u64::from(NOW) * 1000 + 91 * 24 * HOUR_MILLIS;
        let remove = async || remove_old(&store, now, 90 * DAY, &sinks).await.unwrap();
        let left = async || store.events_after(0, 10_000).await.unwrap();
        assert_eq!(remove().await, 0, "no sink has taken any");

        let total = u64::from(old) + 5;
        let lease = async |sink: &str| store.lease(sink, "me", 1, 2).await.unwrap().unwrap();
        // Sequences 1, 2 and 3 are dead letters of one sink; the other sink is at 700.
        let dead = [1, 2, 3].map(|sequence| (sequence, "refused".to_owned()));
        let crm = lease("crm").await;
        assert!(store.advance(&crm, total, total - 3, &dead, NOW).await.unwrap());
        let former = lease("former").await;
        let dead = [3, 4].map(|sequence| (sequence, "refused".to_owned()));
        assert!(store.advance(&former, 10, 8, &dead, NOW).await.unwrap());
        let mut ads = lease("ads").await;
        assert!(store.advance(&ads, 700, 700, &[], NOW).await.unwrap());
        assert_eq!(remove().await, 700 - 3);
        assert_eq!(
            left().await[..4].iter().map(|one| one.sequence).collect::<Vec<_>>(),
            [1, 2, 3, 701]
        );

        ads.position = 700;
        assert!(store.advance(&ads, total, total - 700, &[], NOW).await.unwrap());
        assert_eq!(remove().await, u64::from(old) - 700);
        assert_eq!(remove().await, 0);
        let remaining = left().await;
        assert_eq!(remaining.len(), 3 + 5);
        assert_eq!(remaining[3..].iter().map(|one| one.event.clone()).collect::<Vec<_>>(), live);
        let dead_letters = store.dead_letters("crm", 0, 10).await.unwrap();
        assert_eq!(dead_letters.len(), 3);
        assert_eq!(dead_letters[0].event.event.event_id, "event-00000");
        // Sequence 3 stays for the configured sink, so both have its dead letter.
        let dead_letters = store.dead_letters("former", 0, 10).await.unwrap();
        assert_eq!(dead_letters.iter().map(|one| one.event.sequence).collect::<Vec<_>>(), [3]);

        let query = CountQuery {
            from_day: "2026-11-01".into(),
            to_day: "2027-10-01".into(),
            by: vec![Dimension::EventName],
            ..CountQuery::default()
        };
        let (_, counted) = store.count(&query.checked().unwrap()).await.unwrap();
        assert_eq!(counted, total);
        // Later events are numbered and counted as before.
        assert_eq!(
            store.accept(&numbered(90_000..90_001)).await.unwrap(),
            [Outcome::Counted(total + 1)]
        );
    })
    .await;
}

/// The retention of personal data has no exception: undelivered events and dead letters stay, but
/// without member, device and value.
#[tokio::test]
async fn expired_events_that_a_sink_has_yet_to_accept_are_anonymised() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        store.add_sink("crm").await.unwrap();
        // More than a batch of old events, then live ones.
        let old = u32::try_from(PRUNE_BATCH + 10).unwrap();
        let personal = |number: u32, hours| {
            let value = r#"{"c":"eid","note":"mine"}"#;
            let event = event(&format!("event-{number:05}"), "open", value);
            later(&NewEvent { member_id: 1, device_no: "phone".to_owned(), ..event }, hours)
        };
        let mut expected = (0..old).map(|number| personal(number, 0)).collect::<Vec<_>>();
        expected.extend((old..old + 5).map(|number| personal(number, 24)));
        for batch in expected.chunks(500) {
            store.accept(batch).await.unwrap();
        }
        let crm = store.lease("crm", "me", 1, 2).await.unwrap().unwrap();
        let dead = [(1, "400: mine".to_owned())];
        assert!(store.advance(&crm, 2, 1, &dead, NOW).await.unwrap());

        // The old events are 91 days old, the live ones exactly as old as the retention.
        let now = u64::from(NOW) * 1000 + 91 * 24 * HOUR_MILLIS;
        assert_eq!(remove_old(&store, now, 90 * DAY, &["crm".to_owned()]).await.unwrap(), 1);
        expected.remove(1);
        let mut through = 0;
        let mut anonymise =
            async || anonymise_old(&store, now, 90 * DAY, &mut through).await.unwrap();
        assert_eq!(anonymise().await, u64::from(old) - 1);
        assert_eq!(anonymise().await, 0);
        assert_eq!(through, u64::from(old));
        let mut from_the_start = 0;
        assert_eq!(anonymise_old(&store, now, 90 * DAY, &mut from_the_start).await.unwrap(), 0);

        for event in &mut expected[..old as usize - 1] {
            *event = anonymous(event);
        }
        let left = store.events_after(0, 10_000).await.unwrap();
        assert_eq!(left.into_iter().map(|one| one.event).collect::<Vec<_>>(), expected);
        let dead_letters = store.dead_letters("crm", 0, 10).await.unwrap();
        let dead_letters =
            dead_letters.iter().map(|dead_letter| (&dead_letter.event.event, &*dead_letter.reason));
        assert_eq!(dead_letters.collect::<Vec<_>>(), [(&expected[0], "")]);
        // The sink still gets every event, in order.
        let crm = &store.sinks().await.unwrap()[0];
        assert_eq!((crm.delivered, crm.waiting, crm.dead), (1, u64::from(old) + 5 - 2, 1));
    })
    .await;
}

#[tokio::test]
async fn member_is_exported_and_anonymised_alone() {
    on_both(async |url| {
        let store = EventStore::open(&url).await.unwrap();
        // More events than a page of the export has.
        let mut events = numbered(0..1_003);
        for one in &mut events {
            (one.member_id, one.device_no) = (1, "phone".to_owned());
        }
        events[0].member_id = 2;
        events[1].member_id = 0;
        let value = r#"{"c":"eid","scnl":"1110619","note":"mine"}"#;
        let newest = NewEvent {
            member_id: 1,
            device_no: "phone".to_owned(),
            sell_client: 20,
            ..event("event-newest", "open", value)
        };
        events.push(newest.clone());
        store.add_sink("crm").await.unwrap();
        store.accept(&events).await.unwrap();
        let crm = store.lease("crm", "me", 1, 2).await.unwrap().unwrap();
        let dead = [(1, "member 2?".to_owned()), (3, "member 1?".to_owned())];
        assert!(store.advance(&crm, 3, 1, &dead, NOW).await.unwrap());
        let export = async |member| -> Vec<Value> {
            let records = stream_records(|records| store.export_member(member, records));
            records.map_ok(|one| json!([one.kind, one.record])).try_collect().await.unwrap()
        };
        let exported = export(1).await;
        assert_eq!(exported.len(), 1_002);
        let ids = exported.iter().map(|one| one[1]["eventId"].as_str().unwrap());
        let expected = events[2..].iter().rev().map(|one| one.event_id.as_str());
        assert!(ids.eq(expected), "newest first, each once");
        let expected = json!(["event", {
            "eventId": "event-newest",
            "eventName": "open",
            "eventValue": value,
            "sellClient": 20,
            "deviceNo": "phone",
            "campaign": "eid",
            "channel": "1110619",
            "receivedAtMillis": u64::from(NOW) * 1000,
        }]);
        assert_eq!(exported[0], expected);
        let others = export(2).await;
        assert_eq!(others.len(), 1);

        assert_eq!(store.anonymise_member(3).await.unwrap(), 0);
        // The number 0 stands for visitors, who are not members.
        assert_eq!(store.anonymise_member(0).await.unwrap(), 0);
        assert_eq!(store.anonymise_member(1).await.unwrap(), 1_002);
        assert_eq!(store.anonymise_member(1).await.unwrap(), 0);
        assert_eq!(export(1).await, Vec::<Value>::new());
        assert_eq!(export(2).await, others);
        // The rows stay; those of others are unchanged.
        let left = store.events_after(0, 2_000).await.unwrap();
        let left = left.into_iter().map(|one| one.event).collect::<Vec<_>>();
        assert_eq!(left.len(), events.len());
        assert_eq!(left[..2], events[..2]);
        assert_eq!(left.last(), Some(&anonymous(&newest)));
        assert!(left[2..].iter().all(|one| *one == anonymous(one)));
        // A sink's response may repeat the event; responses for events of others stay.
        let dead_letters = store.dead_letters("crm", 0, 10).await.unwrap();
        let reasons =
            dead_letters.iter().map(|dead_letter| &*dead_letter.reason).collect::<Vec<_>>();
        assert_eq!(reasons, ["member 2?", ""]);
        // An anonymised event still counts once.
        assert_eq!(store.accept(&[events[2].clone()]).await.unwrap(), [Outcome::Repeated]);
    })
    .await;
}

#[tokio::test]
async fn full_disk_loses_no_acknowledged_event() {
    let disk = SmallDisk::mount(8 << 20).unwrap();
    let url = DatabaseUrl::file(disk.path().join("attribution.sqlite"));
    let store = EventStore::open(&url).await.unwrap();
    let id = |number: u32| format!("event-{number:05}");
    let write = async |number| store.accept(&[event(&id(number), "view", "{}")]).await.map(drop);
    let is_unavailable = |error: &Error| error.code() == ErrorCode::Unavailable;
    let acknowledged = disk.acknowledged_writes(write, is_unavailable).await.unwrap();
    let remaining = EventStore::open(&url).await.unwrap().events_after(0, 100_000).await.unwrap();
    let remaining = remaining.into_iter().map(|one| one.event.event_id).collect::<Vec<_>>();
    assert_eq!(remaining, acknowledged.into_iter().map(id).collect::<Vec<_>>());
}
