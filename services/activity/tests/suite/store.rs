//! Tests of the store on both engines.

use sahm_activity::{
    bundle::Bundle,
    domain::{Amount, Currency, Deposit, Deposited, DrawId, DrawState, Seed, ShareChannel, Text},
    seed,
    store::{ActivityStore, Inviter, Join, NewDraw, Outcome, Recorded},
};
use sahm_chassis::{
    Error, ErrorCode, changes::ChangeLog, lifecycle::Lifecycle, settings::DatabaseUrl,
};
use sahm_proto::tags;
use sahm_testkit::SmallDisk;
use strum::IntoEnumIterator;

use crate::support::{NOW, fresh_database};

const DAY: u64 = 923;

/// Runs one case on SQLite and on PostgreSQL.
async fn on_both(case: impl AsyncFn(DatabaseUrl)) {
    let folder = tempfile::tempdir().unwrap();
    case(DatabaseUrl::file(folder.path().join("activity.sqlite"))).await;
    case(fresh_database().await.parse().unwrap()).await;
}

async fn seeded(url: &DatabaseUrl) -> ActivityStore {
    let store = ActivityStore::open(url).await.unwrap();
    store.seed(&seed::bundle().unwrap()).await.unwrap();
    store
}

fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

fn deposit(id: &str, member: u64, sum: &str, currency: Currency, deposited_at: u32) -> Deposit {
    Deposit { id: id.to_owned(), member, amount: amount(sum), currency, deposited_at }
}

fn riyals(id: &str, member: u64, sum: &str) -> Deposit {
    deposit(id, member, sum, Currency::Sar, NOW)
}

fn new_draw(id: &str) -> NewDraw {
    let seed = Seed::of(&[7; 32]).unwrap();
    NewDraw { id: DrawId::parse(id).unwrap(), activity_id: DAY, prizes: Vec::new(), seed }
}

#[tokio::test]
async fn empty_database_is_seeded_once() {
    on_both(async |url| {
        let (one, two) = tokio::join!(ActivityStore::open(&url), ActivityStore::open(&url));
        let (one, two) = (one.unwrap(), two.unwrap());
        let bundle = seed::bundle().unwrap();
        assert!(one.is_empty().await.unwrap());
        let (first, second) = tokio::join!(one.seed(&bundle), two.seed(&bundle));
        let outcomes = [first.unwrap(), second.unwrap()];
        assert_eq!(outcomes.iter().filter(|one| **one == Outcome::Unchanged).count(), 1);
        assert!(!one.is_empty().await.unwrap());
        let ids = two.campaigns().await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(ids, [923, 901, 6666]);
        let requested = two.campaigns_by_id(&[6666, 1, 923, u64::MAX]).await.unwrap();
        assert_eq!(requested.iter().map(|one| one.id).collect::<Vec<_>>(), [6666, 923]);
        assert_eq!(one.campaign(923).await.unwrap().unwrap(), bundle.campaigns[2]);
        assert_eq!(one.campaign(1).await.unwrap(), None);
        for channel in ShareChannel::iter() {
            assert!(!two.share_text(channel).await.unwrap().unwrap().sa.is_empty());
        }
    })
    .await;
}

#[tokio::test]
async fn import_purges_its_changes_only() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let log = ChangeLog::start(store.inner().clone(), &Lifecycle::new()).await.unwrap();
        let before = log.newest().await.unwrap().1;
        let mut bundle = seed::bundle().unwrap();
        assert_eq!(store.import(&bundle).await.unwrap(), Outcome::Unchanged);
        assert_eq!(log.newest().await.unwrap().1, before);
        bundle.campaigns[1].title.en = "Eid gifts".to_owned();
        let changed = vec![tags::activity(901), tags::ACTIVITY_LIST.to_owned()];
        assert_eq!(store.import(&bundle).await.unwrap(), Outcome::Changed(changed));
        assert_eq!(log.newest().await.unwrap().1, before + 1);
        assert_eq!(store.campaign(901).await.unwrap().unwrap().title.en, "Eid gifts");
        bundle.shares[3].text.en = "Learn.".to_owned();
        let changed = vec![tags::ACTIVITY_SHARE.to_owned()];
        let shares = Bundle { campaigns: Vec::new(), shares: bundle.shares };
        assert_eq!(store.import(&shares).await.unwrap(), Outcome::Changed(changed));
        let text = store.share_text(ShareChannel::EduTwitter).await.unwrap().unwrap();
        assert_eq!(text.en, "Learn.");
    })
    .await;
}

#[tokio::test]
async fn reimported_campaign_has_every_new_value() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let mut bundle = seed::bundle().unwrap();
        let ids =
            async || store.campaigns().await.unwrap().iter().map(|one| one.id).collect::<Vec<_>>();
        // The latest begin comes first, so that the last campaign becomes the first.
        let before = ids().await;
        let last = *before.last().unwrap();
        let changed = bundle.campaigns.iter_mut().find(|one| one.id == last).unwrap();
        let first = store.campaign(before[0]).await.unwrap().unwrap();
        (changed.begin, changed.end) = (first.begin + 1, first.end + 1);
        changed.title = Text::of("Another", "أخرى");
        let expected = changed.clone();
        let share = bundle.shares.first_mut().unwrap();
        share.text = Text::of("Read.", "اقرأ.");
        let channel = share.channel;
        store.import(&bundle).await.unwrap();
        assert_eq!(store.campaign(last).await.unwrap(), Some(expected));
        assert_eq!(store.share_text(channel).await.unwrap(), Some(Text::of("Read.", "اقرأ.")));
        assert_eq!(ids().await, [&[last], &before[..before.len() - 1]].concat());
    })
    .await;
}

#[tokio::test]
async fn member_has_one_code_and_one_link_per_campaign_and_channel() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let chain = async |member, activity_id, channel, numbers: &[u64]| {
            let numbers =
                std::cell::RefCell::new(numbers.iter().rev().copied().collect::<Vec<_>>());
            let next = || numbers.borrow_mut().pop().unwrap_or(0);
            store.short_chain(member, activity_id, channel, next, NOW).await.unwrap()
        };
        let twitter = ShareChannel::CmsTwitter;
        let first = chain(1, 6666, twitter, &[11]).await.unwrap();
        assert_eq!(chain(1, 6666, twitter, &[12]).await.unwrap(), first);
        let other = chain(1, 6666, ShareChannel::EduOthers, &[13]).await.unwrap();
        assert!(other.id > first.id && other.code == first.code);
        // Another member's code is taken, so that the next number is used.
        let second = chain(2, 6666, twitter, &[11, 11, 14]).await.unwrap();
        assert_ne!(second.code, first.code);
        assert_eq!(chain(3, 1, twitter, &[15]).await, None);

        let code = sahm_activity::domain::InviteCode::parse(&first.code.to_lowercase()).unwrap();
        assert_eq!(store.member_of_code(&code).await.unwrap(), Some(1));
        let unknown = sahm_activity::domain::InviteCode::parse("NOBODY").unwrap();
        assert_eq!(store.member_of_code(&unknown).await.unwrap(), None);
        let all = store.short_chains(None, 0, 10).await.unwrap();
        assert_eq!(all, [first.clone(), other.clone(), second]);
        assert_eq!(store.short_chains(Some(1), first.id, 10).await.unwrap(), [other]);
    })
    .await;
}

#[tokio::test]
async fn member_joins_once_while_the_campaign_is_active() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let state = |join: &Join| match join {
            Join::Joined(_, state) => format!("joined {}", state.into_str()),
            Join::NotActive(state) => state.into_str().to_owned(),
            Join::NoCampaign => "none".to_owned(),
        };
        let campaign = store.campaign(DAY).await.unwrap().unwrap();
        for (member, activity_id, now, expected) in [
            (1, 1, NOW, "none"),
            (1, DAY, campaign.begin, "notStarted"),
            (1, DAY, campaign.end, "ended"),
            (1, DAY, campaign.begin + 1, "joined active"),
            (1, DAY, NOW, "joined active"),
            (1, DAY, campaign.end, "joined ended"),
            (2, DAY, campaign.end - 1, "joined active"),
            (1, 6666, NOW, "joined active"),
        ] {
            let join = store.join(member, activity_id, None, now).await.unwrap();
            assert_eq!(state(&join), expected, "{member} {activity_id} {now}");
        }
        let both = store.participants(DAY, 0, 10).await.unwrap();
        assert_eq!(both.iter().map(|one| one.member).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(both[0].joined_at, campaign.begin + 1);
        assert_eq!(store.participants(DAY, both[0].id, 10).await.unwrap(), both[1..]);
        let joined = store.joined_by(1).await.unwrap();
        assert_eq!(joined.iter().map(|one| one.activity_id).collect::<Vec<_>>(), [DAY, 6666]);
    })
    .await;
}

#[tokio::test]
async fn inviters_are_ordered_by_invitations() {
    on_both(async |url| {
        let store = seeded(&url).await;
        for member in [1, 2, 3, 4, 9] {
            let channel = ShareChannel::CmsTwitter;
            store.short_chain(member, 6666, channel, || member, NOW).await.unwrap();
        }
        for (member, inviter) in [(11, 1), (12, 2), (13, 2), (14, 3), (15, 4), (16, 4)] {
            store.join(member, 6666, Some(inviter), NOW).await.unwrap();
        }
        store.join(17, 6666, None, NOW).await.unwrap();
        store.join(11, DAY, Some(9), NOW).await.unwrap();
        let expected =
            [(2, 2), (4, 2), (1, 1), (3, 1)].map(|(member, invited)| Inviter { member, invited });
        assert_eq!(store.inviters(6666, None, 10).await.unwrap(), expected);
        // Paging continues correctly from each position.
        for at in 0..expected.len() {
            let rest = store.inviters(6666, Some(expected[at].position()), 2).await.unwrap();
            let end = expected.len().min(at + 3);
            assert_eq!(rest, expected[at + 1..end], "after {at}");
        }
    })
    .await;
}

#[tokio::test]
async fn deposit_counts_once_within_the_requested_times() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let one = riyals("a", 1, "600.50");
        assert_eq!(store.record(&one, NOW).await.unwrap(), Recorded::Counted(0));
        assert_eq!(store.record(&one, NOW + 9).await.unwrap(), Recorded::Repeated);
        let other = riyals("a", 1, "600.51");
        assert_eq!(store.record(&other, NOW).await.unwrap_err().code(), ErrorCode::Conflict);
        for (id, member, sum, currency, at) in [
            ("b", 1, "399.50", Currency::Sar, NOW + 1),
            ("c", 1, "300", Currency::Usd, NOW),
            ("d", 1, "7000", Currency::Sar, NOW + 10),
            ("e", 1, "7000", Currency::Sar, NOW - 10),
            ("f", 2, "7000", Currency::Sar, NOW),
        ] {
            store.record(&deposit(id, member, sum, currency, at), NOW).await.unwrap();
        }
        let sums = store.deposited(1, NOW - 10, NOW + 10).await.unwrap();
        assert_eq!(sums, Deposited { sar: amount("1000"), usd: amount("300") });
        assert_eq!(store.deposited(3, 0, u32::MAX).await.unwrap(), Deposited::default());
        let first = store.deposits(1, 0, 2).await.unwrap();
        assert_eq!(first[0].1, one);
        let rest = store.deposits(1, first[1].0, 9).await.unwrap();
        let ids = rest.iter().map(|(_, deposit)| deposit.id.as_str()).collect::<Vec<_>>();
        assert_eq!(ids, ["c", "d", "e"]);
    })
    .await;
}

#[tokio::test]
async fn tickets_depend_on_deposits_joining_and_open_draws() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let record = async |deposit: Deposit| store.record(&deposit, NOW + 5).await.unwrap();
        store.join(1, DAY, None, NOW - 9).await.unwrap();
        assert_eq!(record(riyals("before", 1, "500")).await, Recorded::Counted(0));
        let opened = store.open_draw(&new_draw("w1"), NOW).await.unwrap();
        assert_eq!(opened.state(), DrawState::Open);
        for (deposit, tickets) in [
            (riyals("a", 1, "49.99"), 0),
            (riyals("b", 1, "0.01"), 1),
            (deposit("usd", 1, "900", Currency::Usd, NOW), 0),
            (deposit("early", 1, "900", Currency::Sar, NOW - 1), 0),
            (riyals("not-joined", 2, "100"), 0),
            (riyals("c", 1, "120"), 2),
            (riyals("d", 1, "1000"), 1),
            (riyals("e", 1, "1000"), 0),
        ] {
            assert_eq!(record(deposit.clone()).await, Recorded::Counted(tickets), "{deposit:?}");
        }
        store.join(2, DAY, None, NOW + 6).await.unwrap();
        let tickets = store.tickets("w1", 0, 10).await.unwrap();
        let owners = tickets.iter().map(|one| (one.number, one.member)).collect::<Vec<_>>();
        assert_eq!(owners, [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)]);
        assert_eq!(store.tickets("w1", 4, 1).await.unwrap(), tickets[4..5]);
        assert_eq!(store.tickets_of(2, &["w1", "w2"]).await.unwrap(), tickets[4..]);

        let closed = store.close_draw("w1", NOW + 7).await.unwrap().unwrap();
        assert_eq!((closed.ticket_count, closed.state()), (6, DrawState::Closed));
        assert_eq!(record(riyals("late", 2, "1000")).await, Recorded::Counted(0));
        // Remaining deposits do not count for the next draw.
        store.open_draw(&new_draw("w2"), NOW + 8).await.unwrap();
        let next = deposit("f", 2, "50", Currency::Sar, NOW + 8);
        assert_eq!(record(next).await, Recorded::Counted(1));
        let next = store.tickets("w2", 0, 9).await.unwrap();
        assert_eq!(next.len(), 1);
        assert_eq!(store.tickets_of(2, &["w2"]).await.unwrap(), next);
        assert_eq!(store.tickets_of(1, &["w2"]).await.unwrap(), []);
        assert_eq!(store.tickets_of(2, &["w1"]).await.unwrap(), tickets[4..]);
        assert_eq!(store.draw("w1").await.unwrap().unwrap().ticket_count, 6);
    })
    .await;
}

#[tokio::test]
async fn draw_passes_each_state_once() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let campaign = store.campaign(DAY).await.unwrap().unwrap();
        let code = |outcome: sahm_chassis::Result<_>| outcome.map(drop).unwrap_err().code();
        for (id, activity_id, now, expected) in [
            ("x", 1, NOW, ErrorCode::NotFound),
            ("x", 6666, NOW, ErrorCode::FailedPrecondition),
            ("x", DAY, campaign.begin, ErrorCode::FailedPrecondition),
            ("x", DAY, campaign.end, ErrorCode::FailedPrecondition),
        ] {
            let new = NewDraw { activity_id, ..new_draw(id) };
            assert_eq!(code(store.open_draw(&new, now).await), expected, "{activity_id} {now}");
        }
        let opened = store.open_draw(&new_draw("w1"), NOW).await.unwrap();
        assert_eq!(opened.prizes, [amount("18888")]);
        let other_seed = NewDraw { seed: Seed::random(), ..new_draw("w1") };
        let again = store.open_draw(&other_seed, NOW + 1).await.unwrap();
        assert_eq!((again.seed_hash(), again.opened_at), (opened.seed_hash(), NOW));
        let elsewhere = NewDraw { activity_id: 6666, ..new_draw("w1") };
        assert_eq!(code(store.open_draw(&elsewhere, NOW).await), ErrorCode::Conflict);
        assert_eq!(
            code(store.open_draw(&new_draw("w2"), NOW).await),
            ErrorCode::FailedPrecondition
        );
        let early = store.reveal_draw("w1", NOW).await.map(drop).unwrap_err();
        assert_eq!(early.code(), ErrorCode::FailedPrecondition);
        assert!(store.close_draw("w9", NOW).await.unwrap().is_none());
        assert!(store.reveal_draw("w9", NOW).await.unwrap().is_none());

        store.join(1, DAY, None, NOW).await.unwrap();
        store.record(&riyals("a", 1, "200"), NOW).await.unwrap();
        let closed = store.close_draw("w1", NOW + 2).await.unwrap().unwrap();
        assert_eq!(closed.closed_at, Some(NOW + 2));
        let hash = sahm_activity::domain::tickets_hash((1..=4).map(|number| (number, 1)));
        assert_eq!(closed.tickets_hash, hash);
        assert!(closed.revealed_seed().is_none() && closed.wins().is_empty());
        assert!(store.close_draw("w1", NOW + 9).await.unwrap().unwrap() == closed);

        let revealed = store.reveal_draw("w1", NOW + 3).await.unwrap().unwrap();
        let seed = revealed.revealed_seed().unwrap();
        assert_eq!(seed.hash(), opened.seed_hash());
        assert_eq!(revealed.wins(), sahm_activity::domain::drawn(seed, "w1", &hash, 4, 1));
        assert!(store.reveal_draw("w1", NOW + 9).await.unwrap().unwrap() == revealed);
        assert!(store.close_draw("w1", NOW + 9).await.unwrap().unwrap() == revealed);
        let new = NewDraw { prizes: vec![amount("5"), amount("6")], ..new_draw("w2") };
        assert_eq!(store.open_draw(&new, NOW + 4).await.unwrap().prizes.len(), 2);
        let all = store.draws(DAY).await.unwrap();
        assert_eq!(all.iter().map(|draw| draw.id.as_str()).collect::<Vec<_>>(), ["w1", "w2"]);
        let requested = ["w2", "w0", "w1"].map(str::to_owned);
        let found = store.draws_by_id(&requested).await.unwrap();
        assert_eq!(found.iter().map(|draw| draw.id.as_str()).collect::<Vec<_>>(), ["w2", "w1"]);
    })
    .await;
}

#[tokio::test]
async fn draws_are_listed_by_opening_and_then_by_id() {
    on_both(async |url| {
        let store = seeded(&url).await;
        for (id, opened_at) in [("c", NOW), ("b", NOW + 1), ("a", NOW + 1), ("d", NOW + 1)] {
            store.open_draw(&new_draw(id), opened_at).await.unwrap();
            store.close_draw(id, NOW + 1).await.unwrap();
        }
        let all = store.draws(DAY).await.unwrap();
        assert_eq!(all.iter().map(|draw| &*draw.id).collect::<Vec<_>>(), ["c", "a", "b", "d"]);
        assert_eq!(store.draws(6666).await.unwrap().len(), 0);
    })
    .await;
}

#[tokio::test]
async fn every_step_of_a_draw_is_in_the_change_log() {
    on_both(async |url| {
        let store = seeded(&url).await;
        let log = ChangeLog::start(store.inner().clone(), &Lifecycle::new()).await.unwrap();
        let before = log.newest().await.unwrap().1;
        for _ in 0..2 {
            store.open_draw(&new_draw("w1"), NOW).await.unwrap();
        }
        for _ in 0..2 {
            store.close_draw("w1", NOW).await.unwrap();
            store.reveal_draw("w1", NOW).await.unwrap();
        }
        assert_eq!(log.newest().await.unwrap().1, before + 3);
    })
    .await;
}

#[tokio::test]
async fn full_disk_loses_no_acknowledged_join_or_deposit() {
    let disk = SmallDisk::mount(8 << 20).unwrap();
    let url = DatabaseUrl::file(disk.path().join("activity.sqlite"));
    let store = seeded(&url).await;
    let id = |number: u32| format!("deposit-{number}");
    let write = async |number: u32| match number % 2 {
        0 => store.join(number.into(), 6666, None, NOW).await.map(drop),
        _ => store.record(&riyals(&id(number), 1, "10"), NOW).await.map(drop),
    };
    let is_unavailable = |error: &Error| error.code() == ErrorCode::Unavailable;
    let acknowledged = disk.acknowledged_writes(write, is_unavailable).await.unwrap();
    let store = ActivityStore::open(&url).await.unwrap();
    let (joins, deposits): (Vec<u32>, Vec<u32>) =
        acknowledged.into_iter().partition(|number| number % 2 == 0);
    let participants = store.participants(6666, 0, 100_000).await.unwrap();
    assert_eq!(participants.len(), joins.len());
    let recorded = store.deposits(1, 0, 100_000).await.unwrap();
    let recorded = recorded.into_iter().map(|(_, one)| one.id).collect::<Vec<_>>();
    assert_eq!(recorded, deposits.into_iter().map(id).collect::<Vec<_>>());
}
