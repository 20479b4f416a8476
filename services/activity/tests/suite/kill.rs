//! The process is killed under load: no acknowledged write is lost, and none counts twice.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    process::Command,
};

use sahm_activity::{
    domain::{Amount, entitled},
    store::ActivityStore,
};
use sahm_chassis::{
    clock,
    lifecycle::Context,
    rpc::Transport,
    settings::{DatabaseUrl, Process, Settings},
};
use sahm_proto::activity::v1::{
    CloseDrawRequest, Deposit, Draw, JoinCampaignRequest, OpenDrawRequest, RecordDepositRequest,
    RevealDrawRequest, draw_service_client::DrawServiceClient,
    participant_service_client::ParticipantServiceClient,
};
use sahm_testkit::{
    free_port,
    kill::{Load, Program, kill_rounds},
};
use sea_orm::{ConnectionTrait, Statement};

use crate::support::{ALWAYS, acting, always_active, fresh_database};

/// Workers that join and deposit; one more worker advances the draws.
const MEMBERS: u32 = 6;

/// An acknowledged write.
enum Done {
    Joined {
        member: u64,
        participant: u64,
    },
    /// A deposit of SAR 75.
    Deposited {
        id: String,
        member: u64,
    },
    Stepped(Draw),
}

fn start(folder: &Path, port: u16, database: Option<&str>) -> anyhow::Result<Program> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-activity"));
    command
        .env("SAHM_DATA_DIR", folder)
        .env("SAHM_ACTIVITY_LISTEN", format!("127.0.0.1:{port}"))
        .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
        .env("RUST_LOG", "error");
    if let Some(url) = database {
        command.env("SAHM_DATABASE_URL", url);
    }
    Program::start(&mut command)
}

/// Members join one after the other and deposit twice, each until the call succeeds.
async fn take_part(transport: Transport, first: u64, load: Load<Done>) {
    let client = ParticipantServiceClient::new(transport);
    for member in first.. {
        let request = JoinCampaignRequest { activity_id: ALWAYS, ..Default::default() };
        let joined = load.until_successful(|| {
            let mut client = client.clone();
            let request = request.clone();
            async move { acting(member, client.join_campaign(request)).await }
        });
        let Some(joined) = joined.await else { return };
        let participant = joined.into_inner().id.unwrap();
        load.acknowledge(Done::Joined { member, participant });
        for at in 0..2 {
            let id = format!("{member}-{at}");
            let deposit = Deposit {
                id: id.clone(),
                member,
                amount: "75".into(),
                currency: "SAR".into(),
                deposited_at: clock::now(),
            };
            let request = RecordDepositRequest { deposit: Some(deposit) };
            let recorded = load.until_successful(|| {
                let (mut client, request) = (client.clone(), request.clone());
                async move { client.record_deposit(request).await }
            });
            if recorded.await.is_none() {
                return;
            }
            load.acknowledge(Done::Deposited { id, member });
        }
    }
}

/// Draws are opened, closed and revealed one after the other, each step until the call succeeds.
async fn draw(transport: Transport, round: u32, load: Load<Done>) {
    let client = DrawServiceClient::new(transport);
    // Continues the draw of the round before.
    for number in 0_u32.. {
        let id = format!("r{round}-{number}");
        let before = format!("r{}-", round.wrapping_sub(1));
        let opened = load.until_successful(|| {
            let (mut client, id, before) = (client.clone(), id.clone(), before.clone());
            async move { open(&mut client, &id, &before).await }
        });
        let Some(opened) = opened.await else { return };
        load.acknowledge(Done::Stepped(opened));
        for reveal in [false, true] {
            let stepped = load.until_successful(|| {
                let (mut client, id) = (client.clone(), id.clone());
                async move { step(&mut client, id, reveal).await }
            });
            let Some(stepped) = stepped.await else { return };
            load.acknowledge(Done::Stepped(stepped));
        }
    }
}

type Draws = DrawServiceClient<Transport>;

/// Opens a draw after closing the one that the killed process left open.
async fn open(client: &mut Draws, id: &str, left: &str) -> Result<Draw, tonic::Status> {
    let request =
        sahm_proto::activity::v1::ListDrawsRequest { activity_id: ALWAYS, ..Default::default() };
    let known = client.list_draws(request).await?.into_inner().items;
    for one in known.into_iter().filter(|one| one.state == "open" && one.id.starts_with(left)) {
        step(client, one.id, false).await?;
    }
    let request = OpenDrawRequest { id: id.to_owned(), activity_id: ALWAYS, prizes: Vec::new() };
    Ok(client.open_draw(request).await?.into_inner().draw.unwrap())
}

async fn step(client: &mut Draws, id: String, reveal: bool) -> Result<Draw, tonic::Status> {
    let draw = match reveal {
        true => client.reveal_draw(RevealDrawRequest { id }).await?.into_inner().draw,
        false => client.close_draw(CloseDrawRequest { id }).await?.into_inner().draw,
    };
    Ok(draw.unwrap())
}

async fn killed_under_load(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port().unwrap();
    let url = match database {
        Some(url) => url.parse().unwrap(),
        None => DatabaseUrl::file(folder.path().join("activity.sqlite")),
    };
    let store = always_active(&url).await;
    let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
    let transport =
        Transport::connect(&format!("http://127.0.0.1:{port}"), &Context::new(settings));
    let acknowledged = kill_rounds(
        || start(folder.path(), port, database),
        MEMBERS + 1,
        |load, round, worker| {
            let transport = transport.clone();
            let first = u64::from(round * 1000 + worker) * 1_000_000 + 1;
            async move {
                match worker {
                    MEMBERS => draw(transport, round, load).await,
                    _ => take_part(transport, first, load).await,
                }
            }
        },
    );
    let acknowledged = acknowledged.await.unwrap();
    nothing_is_lost(&store, &acknowledged).await;
    nothing_counts_twice(&store).await;
}

async fn nothing_is_lost(store: &ActivityStore, acknowledged: &[Done]) {
    let (mut joined, mut deposited, mut revealed) = (0, 0, 0);
    for done in acknowledged {
        match done {
            Done::Joined { member, participant } => {
                let known = store.participant(ALWAYS, *member).await.unwrap();
                assert_eq!(known.map(|one| one.id), Some(*participant), "{member}");
                joined += 1;
            }
            Done::Deposited { id, member } => {
                let known = store.deposits(*member, 0, 10).await.unwrap();
                assert!(known.iter().any(|(_, one)| one.id == *id), "{id}");
                deposited += 1;
            }
            Done::Stepped(stepped) => {
                let known = store.draw(&stepped.id).await.unwrap().unwrap();
                assert_eq!(known.seed_hash(), stepped.seed_hash);
                if stepped.state != "open" {
                    assert_eq!(known.tickets_hash, stepped.tickets_hash, "{}", stepped.id);
                    assert_eq!(known.ticket_count, stepped.ticket_count);
                }
                if stepped.state == "revealed" {
                    let won = stepped.wins.iter().map(|win| win.number).collect::<Vec<_>>();
                    assert_eq!(known.wins(), won);
                    revealed += 1;
                }
            }
        }
    }
    assert!(joined > 0 && deposited > 0 && revealed > 0, "{joined} {deposited} {revealed}");
}

/// Each member joined once and each deposit counts once. The tickets of each draw are numbered
/// without gaps and match the deposits made while it was open.
async fn nothing_counts_twice(store: &ActivityStore) {
    let (mut members, mut after) = (HashSet::new(), 0);
    loop {
        let page = store.participants(ALWAYS, after, 500).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.id;
        for one in &page {
            assert!(members.insert(one.member), "{} twice", one.member);
        }
    }
    for member in &members {
        let deposits = store.deposits(*member, 0, 10).await.unwrap();
        let ids = deposits.iter().map(|(_, one)| &one.id).collect::<HashSet<_>>();
        assert!(ids.len() == deposits.len() && ids.len() <= 2, "{member}: {ids:?}");
        let sum = store.deposited(*member, 0, u32::MAX).await.unwrap().sar;
        assert_eq!(sum, Amount::of_hundredths(7500 * deposits.len() as u64));
    }
    let mut tickets_of = HashMap::<(String, u64), u32>::new();
    for draw in store.draws(ALWAYS).await.unwrap() {
        let tickets = store.tickets(&draw.id, 0, u64::from(u32::MAX)).await.unwrap();
        let numbers = tickets.iter().map(|one| one.number);
        assert!(numbers.eq(1..=draw.ticket_count), "{}", draw.id);
        for ticket in tickets {
            *tickets_of.entry((draw.id.clone(), ticket.member)).or_default() += 1;
        }
    }
    let figures = store.campaign(ALWAYS).await.unwrap().unwrap().figures;
    let reader = store.inner().reader();
    let sql = "SELECT draw_id, member_id, amount FROM draw_deposit";
    let rows = Statement::from_string(reader.get_database_backend(), sql);
    let entitled = reader.query_all_raw(rows).await.unwrap().into_iter().map(|row| {
        let draw_id = row.try_get_by_index::<String>(0).unwrap();
        let [member, amount] = [1, 2].map(|at| row.try_get_by_index::<i64>(at).unwrap());
        let amount = Amount::of_hundredths(amount.unsigned_abs());
        ((draw_id, member.unsigned_abs()), entitled(amount, &figures))
    });
    let entitled = entitled.collect::<HashMap<_, _>>();
    assert!(!entitled.is_empty());
    assert_eq!(tickets_of, entitled);
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_kills_once_on_sqlite() {
    killed_under_load(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_kills_once_on_postgresql() {
    killed_under_load(Some(&fresh_database().await)).await;
}
