//! Two replicas on one PostgreSQL database.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use sahm_chassis::clock::Clock;
use sahm_proto::activity::v1::{
    CloseDrawRequest, CreateShortChainRequest, GetDrawRequest, ListParticipantsRequest,
    ListTicketsRequest, OpenDrawRequest, RevealDrawRequest,
};

use crate::support::{NOW, Site, acting, fresh_database, got};

const DAY: u64 = 923;

async fn two() -> [Site; 2] {
    let (url, clock) = (fresh_database().await, Clock::fixed(NOW));
    // Concurrently: migrations and seed happen once.
    let (one, two) = tokio::join!(Site::on(&url, clock.clone()), Site::on(&url, clock));
    [one, two]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_joining_on_both_replicas_joins_once() {
    let sites = two().await;
    for member in 1..=5 {
        let joins = (0..8).map(|at| sites[at % 2].join(member, DAY, ""));
        let joins = join_all(joins).await;
        let ids = joins.into_iter().map(|join| join.unwrap().id.unwrap());
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), 1);
    }
    let request = |site: &Site| {
        let mut client = site.participants();
        async move {
            let request = ListParticipantsRequest { activity_id: DAY, ..Default::default() };
            got(client.list_participants(request).await).unwrap().items
        }
    };
    let lists = [request(&sites[0]).await, request(&sites[1]).await];
    assert_eq!((lists[0].len(), &lists[0]), (5, &lists[1]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_has_one_code_on_both_replicas() {
    let sites = two().await;
    let request = |at: usize| {
        let mut client = sites[at % 2].invitations();
        let channel = ["cms_fb", "edu_fb"][at / 2 % 2].to_owned();
        let request = CreateShortChainRequest { activity_id: 6666, channel, locale: String::new() };
        async move { got(acting(7, client.create_short_chain(request)).await).unwrap() }
    };
    let links = join_all((0..12).map(request)).await;
    let codes = links.iter().map(|link| &link.invite_code).collect::<BTreeSet<_>>();
    let ids = links.iter().map(|link| link.id).collect::<BTreeSet<_>>();
    assert_eq!((codes.len(), ids.len()), (1, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn draw_served_by_both_replicas_is_consistent() {
    let sites = two().await;
    // Each request generates its own seed; the first one's is stored.
    let opens = (0..6).map(|at| {
        let mut client = sites[at % 2].draws();
        let request = OpenDrawRequest { id: "w1".into(), activity_id: DAY, prizes: Vec::new() };
        async move { got(client.open_draw(request).await).unwrap().draw.unwrap() }
    });
    let hashes = join_all(opens).await.into_iter().map(|draw| draw.seed_hash);
    assert_eq!(hashes.collect::<BTreeSet<_>>().len(), 1);

    // Joins, deposits and their repetitions run concurrently on both, and the draw is closed
    // meanwhile.
    let members = 1..=12_u64;
    let work = members.clone().flat_map(|member| (0..6).map(move |at| (member, at)));
    let work = work.map(|(member, at)| {
        let sites = &sites;
        async move {
            let site = &sites[at % 2];
            if at < 2 {
                site.join(member, DAY, "").await.unwrap();
                return 0;
            }
            let id = format!("m{member}-{}", at / 2);
            site.deposit(member, &id, "120").await.unwrap().tickets
        }
    });
    let close = |at: usize| {
        let mut client = sites[at % 2].draws();
        async move {
            let request = || GetDrawRequest { id: "w1".into() };
            // Closes the draw in the middle of them.
            while got(client.get_draw(request()).await).unwrap().draw.unwrap().ticket_count < 5 {}
            let request = CloseDrawRequest { id: "w1".into() };
            got(client.close_draw(request).await).unwrap().draw.unwrap()
        }
    };
    let (_, closed) = tokio::join!(join_all(work), join_all((0..4).map(close)));
    assert!(closed.iter().all(|draw| *draw == closed[0]));

    let mut client = sites[1].draws();
    let request = ListTicketsRequest { draw_id: "w1".into(), size: 500, ..Default::default() };
    let tickets = got(client.list_tickets(request).await).unwrap().items;
    let numbers = tickets.iter().map(|ticket| ticket.number).collect::<Vec<_>>();
    assert_eq!(numbers, (1..=closed[0].ticket_count).collect::<Vec<_>>());
    for member in members {
        let count = tickets.iter().filter(|ticket| ticket.member == member).count();
        assert!(count <= 4, "{member} has {count}");
    }
    let owners = tickets.iter().map(|ticket| (ticket.number, ticket.member));
    assert_eq!(sahm_activity::domain::tickets_hash(owners), closed[0].tickets_hash);

    let reveals = (0..4).map(|at| {
        let mut client = sites[at % 2].draws();
        let request = RevealDrawRequest { id: "w1".into() };
        async move { got(client.reveal_draw(request).await).unwrap().draw.unwrap() }
    });
    let revealed = join_all(reveals).await;
    assert!(revealed.iter().all(|draw| *draw == revealed[0]));
    assert_eq!(revealed[0].wins.len(), usize::from(!tickets.is_empty()));
}
