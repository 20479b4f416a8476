//! `sahm.activity.v1.DrawService`.

use sahm_chassis::{
    Result, caller,
    changes::ChangeLog,
    clock::Clock,
    cursor,
    error::{Error, ErrorCode},
};
use sahm_proto::activity::v1::{
    BatchGetDrawsRequest, BatchGetDrawsResponse, CloseDrawRequest, CloseDrawResponse,
    GetDrawRequest, GetDrawResponse, GetLotteryDrawInfoRequest, GetLotteryDrawInfoResponse,
    ListDrawsRequest, ListDrawsResponse, ListTicketsRequest, ListTicketsResponse, OpenDrawRequest,
    OpenDrawResponse, RevealDrawRequest, RevealDrawResponse, draw_service_server::DrawService,
};
use tonic::Request;

use super::{Answer, answer, convert, validate};
use crate::{
    domain::{Amount, Draw, DrawId, NATIONAL_DAY, Seed},
    store::{ActivityStore, NewDraw},
};

const TICKETS: u32 = 100;
const TICKETS_MAX: u32 = 500;
const PRIZES_MAX: usize = 100;

/// Draws; their steps wake the change log.
pub(crate) struct DrawCalls {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
    pub(crate) changed: ChangeLog,
}

impl DrawCalls {
    async fn info(&self) -> Result<GetLotteryDrawInfoResponse> {
        let member = caller::current().require_member()?;
        let found = self.store.campaign(NATIONAL_DAY).await?;
        let Some(campaign) = found else { return Ok(GetLotteryDrawInfoResponse::default()) };
        let (joined, mut draws) = tokio::try_join!(
            self.store.participant(campaign.id, member),
            self.store.draws(campaign.id),
        )?;
        draws.reverse();
        let ids = draws.iter().map(|draw| draw.id.as_str()).collect::<Vec<_>>();
        let held = self.store.tickets_of(member, &ids).await?;
        let tickets = draws.iter().flat_map(|draw| {
            let of_draw = held.iter().rev().filter(|ticket| ticket.draw_id == draw.id);
            of_draw.map(|ticket| convert::ticket(ticket, draw))
        });
        let figures = &campaign.figures;
        Ok(GetLotteryDrawInfoResponse {
            id: Some(campaign.id),
            state: campaign.state(self.clock.now()).as_str().to_owned(),
            joined: joined.is_some(),
            tickets: tickets.collect(),
            draws: draws.iter().map(convert::draw).collect(),
            prize: figures.weekly_prize.map(|amount| convert::prize(0, amount)),
            ticket_amount: figures.ticket_amount.map(|sum| sum.to_string()).unwrap_or_default(),
            tickets_max: figures.tickets_max,
        })
    }

    async fn open(&self, request: OpenDrawRequest) -> Result<Draw> {
        let prizes = request.prizes.iter().enumerate().map(|(at, text)| {
            let amount = text.parse::<Amount>().ok().filter(|amount| *amount > Amount::default());
            amount.ok_or_else(|| Error::field(format!("prizes[{at}]"), "riyals above 0"))
        });
        let new = NewDraw {
            id: DrawId::parse(&request.id)?,
            activity_id: validate::activity(request.activity_id)?,
            prizes: prizes.collect::<Result<_>>()?,
            seed: Seed::random(),
        };
        if new.prizes.len() > PRIZES_MAX {
            return Err(Error::field("prizes", format!("at most {PRIZES_MAX}")));
        }
        let draw = self.store.open_draw(&new, self.clock.now()).await?;
        self.stepped(&draw);
        Ok(draw)
    }

    async fn close(&self, draw_id: &str) -> Result<Draw> {
        let draw = self.store.close_draw(draw_id, self.clock.now()).await?.ok_or_else(missing)?;
        self.stepped(&draw);
        Ok(draw)
    }

    async fn reveal(&self, draw_id: &str) -> Result<Draw> {
        let draw = self.store.reveal_draw(draw_id, self.clock.now()).await?.ok_or_else(missing)?;
        self.stepped(&draw);
        Ok(draw)
    }

    fn stepped(&self, draw: &Draw) {
        self.changed.notify();
        let (state, tickets) = (draw.state().as_str(), draw.ticket_count);
        tracing::info!(draw = draw.id, state, tickets, "draw");
    }

    async fn draws(&self, request: ListDrawsRequest) -> Result<ListDrawsResponse> {
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::size_or_all(request.size)?;
        self.store.known_campaign(activity_id).await?;
        let (list, draws) = (format!("draws:{activity_id}"), self.store.draws(activity_id).await?);
        // The order of draws is that of their opening, then of their ids.
        let position = |draw: &Draw| format!("{:010}{}", draw.opened_at, draw.id);
        let (draws, next_cursor) = cursor::page(&list, draws, size, &request.cursor, position)?;
        Ok(ListDrawsResponse { items: draws.iter().map(convert::draw).collect(), next_cursor })
    }

    async fn tickets(&self, request: ListTicketsRequest) -> Result<ListTicketsResponse> {
        let size = validate::size(request.size, TICKETS, TICKETS_MAX)?;
        self.store.draw(&request.draw_id).await?.ok_or_else(missing)?;
        let list = format!("tickets:{}", request.draw_id);
        let after = cursor::decode::<u64>(&list, &request.cursor)?;
        let after = after.unwrap_or_else(|| request.after_number.into());
        let mut found = self.store.tickets(&request.draw_id, after, size + 1).await?;
        let next_cursor = validate::cut(&list, &mut found, size, |last| u64::from(last.number));
        let items = found.iter().map(convert::issued).collect();
        Ok(ListTicketsResponse { items, next_cursor })
    }
}

fn missing() -> Error {
    Error::of(ErrorCode::NotFound)
}

#[tonic::async_trait]
impl DrawService for DrawCalls {
    async fn get_lottery_draw_info(
        &self,
        _: Request<GetLotteryDrawInfoRequest>,
    ) -> Answer<GetLotteryDrawInfoResponse> {
        answer(self.info().await)
    }

    async fn open_draw(&self, request: Request<OpenDrawRequest>) -> Answer<OpenDrawResponse> {
        let draw = self.open(request.into_inner()).await;
        answer(draw.map(|draw| OpenDrawResponse { draw: Some(convert::draw(&draw)) }))
    }

    async fn close_draw(&self, request: Request<CloseDrawRequest>) -> Answer<CloseDrawResponse> {
        let draw = self.close(&request.into_inner().id).await;
        answer(draw.map(|draw| CloseDrawResponse { draw: Some(convert::draw(&draw)) }))
    }

    async fn reveal_draw(&self, request: Request<RevealDrawRequest>) -> Answer<RevealDrawResponse> {
        let draw = self.reveal(&request.into_inner().id).await;
        answer(draw.map(|draw| RevealDrawResponse { draw: Some(convert::draw(&draw)) }))
    }

    async fn get_draw(&self, request: Request<GetDrawRequest>) -> Answer<GetDrawResponse> {
        let draw = self.store.draw(&request.into_inner().id).await;
        let draw = draw.and_then(|draw| draw.ok_or_else(missing));
        answer(draw.map(|draw| GetDrawResponse { draw: Some(convert::draw(&draw)) }))
    }

    async fn batch_get_draws(
        &self,
        request: Request<BatchGetDrawsRequest>,
    ) -> Answer<BatchGetDrawsResponse> {
        let ids = request.into_inner().ids;
        let draws = match validate::batch(&ids) {
            Ok(ids) => self.store.draws_by_id(ids).await,
            Err(error) => Err(error),
        };
        let items = draws.map(|draws| draws.iter().map(convert::draw).collect());
        answer(items.map(|items| BatchGetDrawsResponse { items }))
    }

    async fn list_draws(&self, request: Request<ListDrawsRequest>) -> Answer<ListDrawsResponse> {
        answer(self.draws(request.into_inner()).await)
    }

    async fn list_tickets(
        &self,
        request: Request<ListTicketsRequest>,
    ) -> Answer<ListTicketsResponse> {
        answer(self.tickets(request.into_inner()).await)
    }
}
