//! Conversion between messages and domain types.

use sahm_chassis::error::{Error, Result};
use sahm_proto::attribution::v1::{
    CountBy, CountEventsRequest, DeadLetter, Event as EventMessage, EventCount, ReportEventRequest,
    Sink,
};

use crate::{
    domain::{CountQuery, Dimension, Draft, Event},
    store::{CountRow, DeadLetterRow, SinkState},
};

pub(super) fn draft(request: ReportEventRequest) -> Draft {
    Draft {
        name: request.event_name,
        value: request.event_value,
        member_id: request.member_id,
        sell_client: request.sell_client,
        device_no: request.device_no,
        event_id: request.event_id,
    }
}

pub(super) fn event(Event { sequence, event }: Event) -> EventMessage {
    EventMessage {
        id: event.event_id.clone(),
        day: event.day(),
        event_id: event.event_id,
        sequence,
        event_name: event.name,
        event_value: event.value,
        member_id: event.member_id,
        sell_client: event.sell_client,
        device_no: event.device_no,
        campaign: event.campaign,
        channel: event.channel,
        received_at: u32::try_from(event.received_at / 1000).unwrap_or(u32::MAX),
    }
}

pub(super) fn count_query(request: CountEventsRequest) -> Result<CountQuery> {
    let mut by = Vec::new();
    for number in &request.by {
        let known = CountBy::try_from(*number)
            .map_err(|_| Error::field("by", "day, event, campaign, channel, sell client"))?;
        by.extend(match known {
            CountBy::Unspecified => None,
            CountBy::Day => Some(Dimension::Day),
            CountBy::EventName => Some(Dimension::EventName),
            CountBy::Campaign => Some(Dimension::Campaign),
            CountBy::Channel => Some(Dimension::Channel),
            CountBy::SellClient => Some(Dimension::SellClient),
        });
    }
    CountQuery {
        from_day: request.from_day,
        to_day: request.to_day,
        by,
        event_name: request.event_name,
        campaign: request.campaign,
        channel: request.channel,
        sell_client: request.sell_client,
        limit: request.limit,
    }
    .checked()
}

pub(super) fn count(row: CountRow) -> EventCount {
    let id = format!(
        "{}|{}|{}|{}|{}",
        row.day, row.event_name, row.campaign, row.channel, row.sell_client
    );
    EventCount {
        id,
        day: row.day,
        event_name: row.event_name,
        campaign: row.campaign,
        channel: row.channel,
        sell_client: row.sell_client,
        count: row.count,
    }
}

pub(super) fn sink(state: SinkState, configured: bool) -> Sink {
    Sink {
        id: state.name.clone(),
        name: state.name,
        accepted: state.accepted,
        delivered: state.delivered,
        waiting: state.waiting,
        dead: state.dead,
        failed_attempts: state.failed_attempts,
        last_error: state.last_error,
        last_delivered_at: state.last_delivered_at,
        configured,
    }
}

pub(super) fn dead_letter(sink: &str, dead_letter: DeadLetterRow) -> DeadLetter {
    DeadLetter {
        id: dead_letter.event.sequence.to_string(),
        sink: sink.to_owned(),
        reason: dead_letter.reason,
        died_at: dead_letter.died_at,
        event: Some(event(dead_letter.event)),
    }
}
