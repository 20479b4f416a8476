//! `sahm.activity.v1.DrawService`.

use sahm_chassis::{
    Result, caller,
    changes::ChangeLog,
    clock::Clock,
    cursor,
    error::{Error, ErrorCode},
};
use sahm_proto::activity::v1::{self as proto, draw_service_server::DrawService};
use tonic::{Request, Response};

use super::{RpcResult, convert, validate};
use crate::{
    domain::{Amount, Draw, DrawId, NATIONAL_DAY, Seed},
    store::{ActivityStore, NewDraw},
};

const TICKETS_PAGE_SIZE: u32 = 100;
const MAX_TICKETS_PAGE_SIZE: u32 = 500;
const MAX_PRIZES: usize = 100;

/// Serves draws; each step wakes the subscribers of the change log.
pub(crate) struct DrawRpc {
    pub(crate) store: ActivityStore,
    pub(crate) clock: Clock,
    pub(crate) changed: ChangeLog,
}

impl DrawRpc {
    async fn open(&self, request: proto::OpenDrawRequest) -> Result<Draw> {
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
        if new.prizes.len() > MAX_PRIZES {
            return Err(Error::field("prizes", format!("at most {MAX_PRIZES}")));
        }
        self.store.open_draw(&new, self.clock.now()).await
    }

    /// Announces a step of a draw.
    fn stepped(&self, draw: &Draw) -> Option<proto::Draw> {
        self.changed.notify();
        let (state, tickets) = (draw.state().into_str(), draw.ticket_count);
        tracing::info!(draw = draw.id, state, tickets, "draw");
        Some(convert::draw(draw))
    }
}

fn missing() -> Error {
    Error::of(ErrorCode::NotFound)
}

#[tonic::async_trait]
impl DrawService for DrawRpc {
    async fn get_lottery_draw_info(
        &self,
        _: Request<proto::GetLotteryDrawInfoRequest>,
    ) -> RpcResult<proto::GetLotteryDrawInfoResponse> {
        let member = caller::current().require_member()?;
        let found = self.store.campaign(NATIONAL_DAY).await?;
        let Some(campaign) = found else {
            return Ok(Response::new(proto::GetLotteryDrawInfoResponse::default()));
        };
        let (joined, mut draws) = tokio::try_join!(
            self.store.participant(campaign.id, member),
            self.store.draws(campaign.id),
        )?;
        draws.reverse();
        let ids = draws.iter().map(|draw| draw.id.as_str()).collect::<Vec<_>>();
        let all = self.store.tickets_of(member, &ids).await?;
        let tickets = draws.iter().flat_map(|draw| {
            let of_draw = all.iter().rev().filter(|ticket| ticket.draw_id == draw.id);
            of_draw.map(|ticket| convert::ticket(ticket, draw))
        });
        let figures = &campaign.figures;
        Ok(Response::new(proto::GetLotteryDrawInfoResponse {
            id: Some(campaign.id),
            state: campaign.state(self.clock.now()).into_str().to_owned(),
            joined: joined.is_some(),
            tickets: tickets.collect(),
            draws: draws.iter().map(convert::draw).collect(),
            prize: figures.weekly_prize.map(|amount| convert::prize(0, amount)),
            ticket_amount: figures.ticket_amount.map(|sum| sum.to_string()).unwrap_or_default(),
            tickets_max: figures.tickets_max,
        }))
    }

    async fn open_draw(
        &self,
        request: Request<proto::OpenDrawRequest>,
    ) -> RpcResult<proto::OpenDrawResponse> {
        let draw = self.open(request.into_inner()).await?;
        Ok(Response::new(proto::OpenDrawResponse { draw: self.stepped(&draw) }))
    }

    async fn close_draw(
        &self,
        request: Request<proto::CloseDrawRequest>,
    ) -> RpcResult<proto::CloseDrawResponse> {
        let id = request.into_inner().id;
        let draw = self.store.close_draw(&id, self.clock.now()).await?.ok_or_else(missing)?;
        Ok(Response::new(proto::CloseDrawResponse { draw: self.stepped(&draw) }))
    }

    async fn reveal_draw(
        &self,
        request: Request<proto::RevealDrawRequest>,
    ) -> RpcResult<proto::RevealDrawResponse> {
        let id = request.into_inner().id;
        let draw = self.store.reveal_draw(&id, self.clock.now()).await?.ok_or_else(missing)?;
        Ok(Response::new(proto::RevealDrawResponse { draw: self.stepped(&draw) }))
    }

    async fn get_draw(
        &self,
        request: Request<proto::GetDrawRequest>,
    ) -> RpcResult<proto::GetDrawResponse> {
        let draw = self.store.draw(&request.into_inner().id).await?.ok_or_else(missing)?;
        Ok(Response::new(proto::GetDrawResponse { draw: Some(convert::draw(&draw)) }))
    }

    async fn batch_get_draws(
        &self,
        request: Request<proto::BatchGetDrawsRequest>,
    ) -> RpcResult<proto::BatchGetDrawsResponse> {
        let ids = request.into_inner().ids;
        let draws = self.store.draws_by_id(validate::batch(&ids)?).await?;
        let items = draws.iter().map(convert::draw).collect();
        Ok(Response::new(proto::BatchGetDrawsResponse { items }))
    }

    async fn list_draws(
        &self,
        request: Request<proto::ListDrawsRequest>,
    ) -> RpcResult<proto::ListDrawsResponse> {
        let request = request.into_inner();
        let activity_id = validate::activity(request.activity_id)?;
        let size = validate::page_size_or_all(request.size)?;
        self.store.known_campaign(activity_id).await?;
        let (list, draws) = (format!("draws:{activity_id}"), self.store.draws(activity_id).await?);
        // Draws are ordered by the time of their opening, then by id.
        let position = |draw: &Draw| format!("{:010}{}", draw.opened_at, draw.id);
        let (draws, next_cursor) = cursor::page(&list, draws, size, &request.cursor, position)?;
        Ok(Response::new(proto::ListDrawsResponse {
            items: draws.iter().map(convert::draw).collect(),
            next_cursor,
        }))
    }

    async fn list_tickets(
        &self,
        request: Request<proto::ListTicketsRequest>,
    ) -> RpcResult<proto::ListTicketsResponse> {
        let request = request.into_inner();
        let size = sahm_chassis::validate::page_size(
            request.size,
            TICKETS_PAGE_SIZE,
            MAX_TICKETS_PAGE_SIZE,
        )?;
        self.store.draw(&request.draw_id).await?.ok_or_else(missing)?;
        let list = format!("tickets:{}", request.draw_id);
        let after = cursor::decode::<u64>(&list, &request.cursor)?;
        let after = after.unwrap_or_else(|| request.after_number.into());
        let mut found = self.store.tickets(&request.draw_id, after, u64::from(size) + 1).await?;
        let next_cursor =
            cursor::cut(&list, &mut found, size as usize, |last| u64::from(last.number));
        let items = found.iter().map(convert::issued).collect();
        Ok(Response::new(proto::ListTicketsResponse { items, next_cursor }))
    }
}
