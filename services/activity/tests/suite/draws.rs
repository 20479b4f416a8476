//! The rpcs of draws: what is published when, and that anybody can repeat a draw.

use sahm_activity::domain::{Seed, drawn, tickets_hash};
use sahm_chassis::{ErrorCode, Result};
use sahm_proto::activity::v1::{
    BatchGetDrawsRequest, CloseDrawRequest, Draw, GetDrawRequest, GetLotteryDrawInfoRequest,
    GetLotteryDrawInfoResponse, ListDrawsRequest, ListTicketsRequest, OpenDrawRequest,
    RevealDrawRequest,
};

use crate::{
    on_both,
    support::{NOW, Site, acting, field, got},
};

const DAY: u64 = 923;

on_both!(
    draw_is_reproducible_from_published_data,
    member_sees_tickets_and_prizes,
    invalid_requests_are_reported
);

async fn open(site: &Site, id: &str, prizes: &[&str]) -> Result<Draw> {
    let prizes = prizes.iter().map(|prize| (*prize).to_owned()).collect();
    let request = OpenDrawRequest { id: id.into(), activity_id: DAY, prizes };
    got(site.draws().open_draw(request).await).map(|response| response.draw.unwrap())
}

async fn close(site: &Site, id: &str) -> Result<Draw> {
    let request = CloseDrawRequest { id: id.into() };
    got(site.draws().close_draw(request).await).map(|response| response.draw.unwrap())
}

async fn reveal(site: &Site, id: &str) -> Result<Draw> {
    let request = RevealDrawRequest { id: id.into() };
    got(site.draws().reveal_draw(request).await).map(|response| response.draw.unwrap())
}

async fn get(site: &Site, id: &str) -> Result<Draw> {
    let request = GetDrawRequest { id: id.into() };
    got(site.draws().get_draw(request).await).map(|response| response.draw.unwrap())
}

async fn info(site: &Site, member: u64) -> GetLotteryDrawInfoResponse {
    let request = GetLotteryDrawInfoRequest {};
    got(acting(member, site.draws().get_lottery_draw_info(request)).await).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

async fn draw_is_reproducible_from_published_data(site: Site) {
    let opened = open(&site, "w1", &["1000", "500", "250"]).await.unwrap();
    assert_eq!((opened.state.as_str(), opened.seed.as_str()), ("open", ""));
    assert_eq!((opened.seed_hash.len(), opened.tickets_hash.as_str()), (64, ""));
    for member in 1..=6 {
        site.join(member, DAY, "").await.unwrap();
        site.deposit(member, &format!("d{member}"), &(member * 50).to_string()).await.unwrap();
    }
    let closed = close(&site, "w1").await.unwrap();
    assert_eq!((closed.state.as_str(), closed.seed.as_str()), ("closed", ""));
    assert_eq!((closed.ticket_count, closed.wins.len()), (1 + 2 + 3 + 4 + 4 + 4, 0));
    let revealed = reveal(&site, "w1").await.unwrap();
    assert_eq!(revealed.state, "revealed");

    // From here the test uses published data only.
    let (mut tickets, mut after_number) = (Vec::new(), 0);
    loop {
        let request = ListTicketsRequest {
            draw_id: "w1".into(),
            size: 5,
            after_number,
            ..Default::default()
        };
        let page = got(site.draws().list_tickets(request).await).unwrap().items;
        let Some(last) = page.last() else { break };
        after_number = last.number;
        tickets.extend(page.iter().map(|ticket| (ticket.number, ticket.member)));
    }
    assert_eq!(tickets.len(), 18);
    let seed = Seed::of(&unhex(&revealed.seed)).unwrap();
    assert_eq!(seed.hash(), opened.seed_hash);
    let hash = tickets_hash(tickets);
    assert_eq!(hash, closed.tickets_hash);
    let won = revealed.wins.iter().map(|win| win.number).collect::<Vec<_>>();
    assert_eq!(won, drawn(&seed, "w1", &hash, closed.ticket_count, 3));
    let prizes = revealed.wins.iter().map(|win| win.prize.clone().unwrap().amount);
    assert_eq!(prizes.collect::<Vec<_>>(), ["1000", "500", "250"]);
    assert_eq!(get(&site, "w1").await.unwrap(), revealed);
    assert_eq!(open(&site, "w1", &[]).await.unwrap(), revealed);
}

async fn member_sees_tickets_and_prizes(site: Site) {
    let none = info(&site, 1).await;
    assert_eq!((none.id, none.state.as_str(), none.joined), (Some(DAY), "active", false));
    assert_eq!((none.ticket_amount.as_str(), none.tickets_max), ("50", 4));
    assert_eq!(none.prize.unwrap().amount, "18888");
    site.join(1, DAY, "").await.unwrap();
    for id in ["w1", "w2"] {
        open(&site, id, &[]).await.unwrap();
        let recorded = site.deposit(1, id, "100").await.unwrap();
        assert_eq!((recorded.counted, recorded.tickets), (true, 2));
        close(&site, id).await.unwrap();
        site.clock.set(site.clock.now() + 60);
    }
    let revealed = reveal(&site, "w1").await.unwrap();
    let shown = info(&site, 1).await;
    let ids = shown.draws.iter().map(|draw| draw.id.as_str()).collect::<Vec<_>>();
    assert_eq!(ids, ["w2", "w1"]);
    let tickets = shown.tickets.iter().map(|ticket| ticket.id.as_str()).collect::<Vec<_>>();
    assert_eq!(tickets, ["w2:2", "w2:1", "w1:2", "w1:1"]);
    let winner = format!("w1:{}", revealed.wins[0].number);
    for ticket in &shown.tickets {
        assert_eq!(ticket.prize.is_some(), ticket.id == winner, "{}", ticket.id);
    }
    assert!(shown.joined && info(&site, 2).await.tickets.is_empty());
    site.clock.set(NOW + 60 * 86_400);
    assert_eq!(info(&site, 1).await.state, "ended");
}

async fn invalid_requests_are_reported(site: Site) {
    assert_eq!(field(&open(&site, "W 1", &[]).await.unwrap_err()), "id");
    assert_eq!(field(&open(&site, "w1", &["5", "0"]).await.unwrap_err()), "prizes[1]");
    assert_eq!(field(&open(&site, "w1", &["5"; 101]).await.unwrap_err()), "prizes");
    for outcome in [close(&site, "w1").await, reveal(&site, "w1").await, get(&site, "w1").await] {
        assert_eq!(outcome.unwrap_err().code(), ErrorCode::NotFound);
    }
    let request = ListTicketsRequest { draw_id: "w1".into(), ..Default::default() };
    let error = got(site.draws().list_tickets(request).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    open(&site, "w1", &[]).await.unwrap();
    assert_eq!(reveal(&site, "w1").await.unwrap_err().code(), ErrorCode::FailedPrecondition);
    assert_eq!(open(&site, "w2", &[]).await.unwrap_err().code(), ErrorCode::FailedPrecondition);
    // A repeated request may name the weekly prize explicitly, but no other prize.
    assert_eq!(open(&site, "w1", &["18888"]).await.unwrap().id, "w1");
    for other in [["5"].as_slice(), &["18888", "5"]] {
        assert_eq!(open(&site, "w1", other).await.unwrap_err().code(), ErrorCode::Conflict);
    }
    let deposited = site.deposit_at(1, "future", "100", NOW + 301).await.unwrap_err();
    assert_eq!(field(&deposited), "deposit.deposited_at");
    assert!(site.deposit_at(1, "skewed", "100", NOW + 300).await.unwrap().counted);
    let listed = got(site
        .draws()
        .list_draws(ListDrawsRequest { activity_id: DAY, ..Default::default() })
        .await);
    assert_eq!(listed.unwrap().items.len(), 1);
    let request = BatchGetDrawsRequest { ids: vec!["w1".into(), "w9".into()] };
    assert_eq!(got(site.draws().batch_get_draws(request).await).unwrap().items.len(), 1);
}
