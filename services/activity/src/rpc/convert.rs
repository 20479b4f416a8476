//! Conversion of domain types to proto messages. Placeholders in texts are replaced by figures; the
//! field without a language is the English one.

use sahm_proto::activity::v1 as proto;

use crate::{
    domain::{Amount, Campaign, CampaignFigures, Deposit, Draw, Passage, Text},
    store::{Participant, ShortChain, Ticket},
};

/// A text as its default, English and Arabic field.
fn three(text: Text) -> (String, String, String) {
    (text.en.clone(), text.en, text.sa)
}

pub(super) fn campaign(campaign: &Campaign, now: u32) -> proto::Campaign {
    let state = campaign.state(now);
    let (state_text, state_text_en, state_text_sa) = three(state.text());
    let fill = |text: &Text| three(campaign.figures.filled_text(text));
    let (title, title_en, title_sa) = fill(&campaign.title);
    let (summary, summary_en, summary_sa) = fill(&campaign.summary);
    let theme = |theme: &crate::domain::Theme| {
        let (title, title_en, title_sa) = fill(&theme.title);
        let (subtitle, subtitle_en, subtitle_sa) = fill(&theme.subtitle);
        proto::Theme {
            id: theme.id.to_string(),
            tone: theme.tone.clone(),
            title,
            title_en,
            title_sa,
            subtitle,
            subtitle_en,
            subtitle_sa,
        }
    };
    proto::Campaign {
        id: campaign.id,
        kind: campaign.kind.into_str().to_owned(),
        state: state.into_str().to_owned(),
        state_text,
        state_text_en,
        state_text_sa,
        begin_at: campaign.begin,
        end_at: campaign.end,
        title,
        title_en,
        title_sa,
        summary,
        summary_en,
        summary_sa,
        themes: campaign.themes.iter().map(theme).collect(),
        has_draws: campaign.figures.has_draws(),
    }
}

pub(super) fn passages(passages: &[Passage], figures: &CampaignFigures) -> Vec<proto::Passage> {
    let passage = |passage: &Passage| {
        let (title, title_en, title_sa) = three(figures.filled_text(&passage.title));
        let (text, text_en, text_sa) = three(figures.filled_text(&passage.text));
        let id = passage.id.clone();
        proto::Passage { id, title, title_en, title_sa, text, text_en, text_sa }
    };
    passages.iter().map(passage).collect()
}

pub(super) fn info(campaign: &Campaign) -> proto::CampaignInfo {
    let (info, figures) = (&campaign.info, &campaign.figures);
    let (title, title_en, title_sa) = three(figures.filled_text(&info.title));
    let (description, description_en, description_sa) =
        three(figures.filled_text(&info.description));
    proto::CampaignInfo {
        id: campaign.id,
        title,
        title_en,
        title_sa,
        description,
        description_en,
        description_sa,
        steps: passages(&info.steps, figures),
        rewards: passages(&info.rewards, figures),
    }
}

/// An amount; empty if there is none.
fn sum(amount: Option<Amount>) -> String {
    amount.map(|amount| amount.to_string()).unwrap_or_default()
}

pub(super) fn figures(campaign: &Campaign) -> proto::CustomInfo {
    let figures = &campaign.figures;
    let standards = (1..).zip(&figures.standards);
    let standards = standards.map(|(number, standard)| proto::DepositStandard {
        id: i32::to_string(&number),
        sar: standard.sar.to_string(),
        usd: standard.usd.to_string(),
    });
    proto::CustomInfo {
        id: campaign.id,
        standards: standards.collect(),
        free_stock_days: figures.free_stock_days.unwrap_or_default(),
        share_value_min: sum(figures.share_value_min),
        ticket_amount: sum(figures.ticket_amount),
        tickets_max: figures.tickets_max,
        weekly_prize: sum(figures.weekly_prize),
        inviter_prize_max: sum(figures.inviter_prize_max),
        coupon_from: figures.coupon_from.clone().unwrap_or_default(),
        coupon_until: figures.coupon_until.clone().unwrap_or_default(),
    }
}

pub(super) fn gcc_rules(campaign: &Campaign) -> Vec<proto::GccRule> {
    let rules = campaign.gcc_rules.iter().filter_map(|rule| Some((rule, rule.country()?)));
    rules
        .map(|(rule, country)| {
            let (text, text_en, text_sa) = three(campaign.figures.filled_text(&rule.text));
            proto::GccRule {
                id: country.code.to_owned(),
                country_code: country.code.to_owned(),
                name: country.name_en.to_owned(),
                name_en: country.name_en.to_owned(),
                name_sa: country.name_sa.to_owned(),
                currency: rule.currency.into_str().to_owned(),
                text,
                text_en,
                text_sa,
            }
        })
        .collect()
}

pub(super) fn deposit(deposit: Deposit) -> proto::Deposit {
    proto::Deposit {
        id: deposit.id,
        member: deposit.member,
        amount: deposit.amount.to_string(),
        currency: deposit.currency.into_str().to_owned(),
        deposited_at: deposit.deposited_at,
    }
}

pub(super) fn short_chain(chain: ShortChain) -> proto::ShortChain {
    proto::ShortChain {
        id: chain.id,
        member: chain.member,
        invite_code: chain.code,
        activity_id: chain.activity_id,
        channel: chain.channel,
        created_at: chain.created_at,
    }
}

pub(super) fn participant(participant: Participant) -> proto::Participant {
    proto::Participant {
        id: participant.id,
        activity_id: participant.activity_id,
        member: participant.member,
        inviter: participant.inviter,
        joined_at: participant.joined_at,
    }
}

/// The prize at a position, counted from 0.
pub(super) fn prize(at: usize, amount: Amount) -> proto::Prize {
    proto::Prize {
        id: (at + 1).to_string(),
        amount: amount.to_string(),
        currency: "SAR".to_owned(),
    }
}

/// A draw, with only the public part of its seed.
pub(super) fn draw(draw: &Draw) -> proto::Draw {
    let prizes = || draw.prizes.iter().enumerate().map(|(at, amount)| prize(at, *amount));
    let wins = draw.wins().into_iter().zip(prizes()).map(|(number, prize)| proto::Win {
        id: prize.id.clone(),
        prize: Some(prize),
        number,
    });
    proto::Draw {
        id: draw.id.clone(),
        activity_id: draw.activity_id,
        state: draw.state().into_str().to_owned(),
        prizes: prizes().collect(),
        ticket_count: draw.ticket_count,
        seed_hash: draw.seed_hash(),
        tickets_hash: draw.tickets_hash.clone(),
        seed: draw.revealed_seed().map(crate::domain::Seed::hex).unwrap_or_default(),
        wins: wins.collect(),
        opened_at: draw.opened_at,
        closed_at: draw.closed_at.unwrap_or_default(),
        revealed_at: draw.revealed_at.unwrap_or_default(),
    }
}

fn ticket_id(ticket: &Ticket) -> String {
    format!("{}:{}", ticket.draw_id, ticket.number)
}

pub(super) fn ticket(ticket: &Ticket, draw: &Draw) -> proto::Ticket {
    proto::Ticket {
        id: ticket_id(ticket),
        draw_id: ticket.draw_id.clone(),
        number: ticket.number,
        issued_at: ticket.issued_at,
        prize: draw.prize_of(ticket.number).map(|(at, amount)| prize(at, amount)),
    }
}

pub(super) fn issued(ticket: &Ticket) -> proto::IssuedTicket {
    proto::IssuedTicket {
        id: ticket_id(ticket),
        number: ticket.number,
        member: ticket.member,
        issued_at: ticket.issued_at,
    }
}
