//! Members' rights over the data of this service, on both engines.

use std::time::Duration;

use futures_util::TryStreamExt;
use sahm_activity::{
    domain::{Currency, Deposit, DrawId, Seed, ShareChannel},
    seed,
    store::{ActivityStore, NewDraw},
};
use sahm_chassis::{
    member_data::{Erasure, MemberDataStore, stream_records},
    settings::DatabaseUrl,
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::support::{NOW, fresh_database};

const CAMPAIGN: u64 = 923;
const OTHER_CAMPAIGN: u64 = 6666;

/// The records of a member as `[kind, record]`.
async fn exported(store: &ActivityStore, member: u64) -> Vec<Value> {
    let records = stream_records(|records| store.export_member(member, records));
    records.map_ok(|one| json!([one.kind, one.record])).try_collect().await.unwrap()
}

/// Gives a member two records of each kind that can have several.
async fn take_part(store: &ActivityStore, member: u64, inviter: Option<u64>) {
    store.set_country(member, "SAU").await.unwrap();
    for activity_id in [CAMPAIGN, OTHER_CAMPAIGN] {
        let channel = ShareChannel::EduOthers;
        store.short_chain(member, activity_id, channel, || member, NOW).await.unwrap();
        store.join(member, activity_id, inviter, NOW + 1).await.unwrap();
    }
    for (name, deposited_at) in [("b", NOW + 2), ("a", NOW + 3)] {
        let id = format!("{name}{member}");
        let amount = "50".parse().unwrap();
        let deposit = Deposit { id, member, amount, currency: Currency::Sar, deposited_at };
        store.record(&deposit, NOW + 4).await.unwrap();
    }
}

async fn member_is_exported_and_erased_alone(url: DatabaseUrl) {
    let store = ActivityStore::open(&url).await.unwrap();
    store.seed(&seed::bundle().unwrap()).await.unwrap();
    let draw = NewDraw {
        id: DrawId::parse("w1").unwrap(),
        activity_id: CAMPAIGN,
        prizes: Vec::new(),
        seed: Seed::of(&[7; 32]).unwrap(),
    };
    store.open_draw(&draw, NOW).await.unwrap();
    take_part(&store, 1, None).await;
    take_part(&store, 2, Some(1)).await;
    take_part(&store, 3, Some(2)).await;

    let link = |id: u64, campaign: u64| json!({ "id": id, "activityId": campaign, "channel": "edu_others", "createdAt": NOW });
    let participant = |id: u64, campaign: u64| json!({ "id": id, "activityId": campaign, "wasInvited": false, "joinedAt": NOW + 1 });
    let deposit = |id: &str, at: u32| json!({ "id": id, "amountHundredths": 5_000, "currency": "SAR", "depositedAt": at });
    let ticket =
        |number: u32| json!(["ticket", { "drawId": "w1", "number": number, "issuedAt": NOW + 4 }]);
    let first = [
        json!(["invite_code", { "code": "BAAAAAAA" }]),
        json!(["member_country", { "countryCode": "SAU" }]),
        json!(["short_chain", link(1, CAMPAIGN)]),
        json!(["short_chain", link(2, OTHER_CAMPAIGN)]),
        json!(["participant", participant(1, CAMPAIGN)]),
        json!(["participant", participant(2, OTHER_CAMPAIGN)]),
        json!(["deposit", deposit("b1", NOW + 2)]),
        json!(["deposit", deposit("a1", NOW + 3)]),
        json!(["draw_deposit", { "drawId": "w1", "amountHundredths": 10_000 }]),
        ticket(1),
        ticket(2),
    ];
    assert_eq!(exported(&store, 1).await, first);
    let mut second = exported(&store, 2).await;
    assert_eq!(second.len(), first.len());
    let third = exported(&store, 3).await;
    assert_eq!(exported(&store, 4).await, Vec::<Value>::new());

    let erasure = Erasure { member: 1, reason: "R-1".to_owned(), caller: None, operator: None };
    let erased = [
        ("invite_code", 1),
        ("member_country", 1),
        ("short_chain", 2),
        ("participant", 2),
        ("deposit", 2),
        ("draw_deposit", 1),
    ];
    assert_eq!(store.erase_member(&erasure).await.unwrap(), erased);
    // Tickets stay, because their numbers have no gaps.
    assert_eq!(exported(&store, 1).await, [ticket(1), ticket(2)]);
    // Other members keep their records, without the erased inviter.
    for record in second.iter_mut().filter(|record| record[0] == "participant") {
        assert_eq!(record[1]["wasInvited"], true);
        record[1]["wasInvited"] = false.into();
    }
    assert_eq!(exported(&store, 2).await, second);
    assert_eq!(exported(&store, 3).await, third);
    let nothing = erased.map(|(table, _)| (table, 0));
    assert_eq!(store.erase_member(&erasure).await.unwrap(), nothing);
    // Read as the inviter of an invitation code before the erasure.
    store.join(4, CAMPAIGN, Some(1), NOW).await.unwrap();
    let joined = store.participant(CAMPAIGN, 4).await.unwrap().unwrap();
    assert_eq!(joined.inviter, None);
}

/// The members' transactions overlap only on PostgreSQL.
#[tokio::test]
async fn inviter_is_erased_from_a_join_in_progress() {
    let store = ActivityStore::open(&fresh_database().await.parse().unwrap()).await.unwrap();
    store.seed(&seed::bundle().unwrap()).await.unwrap();
    let id = DrawId::parse("w1").unwrap();
    let seed = Seed::of(&[7; 32]).unwrap();
    let draw = NewDraw { id, activity_id: CAMPAIGN, prizes: Vec::new(), seed };
    store.open_draw(&draw, NOW).await.unwrap();
    take_part(&store, 1, None).await;
    let reader = store.inner().reader();
    let sql = "SELECT 1 FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let blocked = Statement::from_string(reader.get_database_backend(), sql);
    let until_blocked = async |count| {
        let waited = tokio::time::timeout(Duration::from_secs(30), async {
            while reader.query_all_raw(blocked.clone()).await.unwrap().len() < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        waited.await.expect("a transaction does not wait");
    };
    let started = store.inner().write(async |tx| {
        // The join inserts the participant and then waits for this lock to issue tickets.
        tx.execute_unprepared("SELECT 1 FROM draw FOR UPDATE").await?;
        let joining = store.clone();
        let join = tokio::spawn(async move { joining.join(2, CAMPAIGN, Some(1), NOW).await });
        until_blocked(1).await;
        let erasing = store.clone();
        let erase = tokio::spawn(async move {
            let reason = "R-1".to_owned();
            let erasure = Erasure { member: 1, reason, caller: None, operator: None };
            erasing.erase_member(&erasure).await
        });
        until_blocked(2).await;
        Ok((join, erase))
    });
    let (join, erase) = started.await.unwrap();
    join.await.unwrap().unwrap();
    erase.await.unwrap().unwrap();
    let joined = store.participant(CAMPAIGN, 2).await.unwrap().unwrap();
    assert_eq!(joined.inviter, None);
}

#[tokio::test]
async fn member_is_exported_and_erased_alone_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::file(folder.path().join("activity.sqlite"));
    member_is_exported_and_erased_alone(url).await;
}

#[tokio::test]
async fn member_is_exported_and_erased_alone_on_postgres() {
    let url = fresh_database().await.parse().unwrap();
    member_is_exported_and_erased_alone(url).await;
}
