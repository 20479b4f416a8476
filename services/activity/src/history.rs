//! Seeds the history of the national-day campaign in `dev` once it is over: two members of the
//! identity service's seed took part in four weekly draws, so that pages and calls have data. The
//! steps are those of real draws; the winners depend on their seeds.

use sahm_chassis::error::Result;

use crate::{
    domain::{Amount, Currency, Deposit, DrawId, NATIONAL_DAY, Seed, State},
    store::{ActivityStore, NewDraw},
};

/// Members 500000006 and 500000007 of a `dev` install.
const MEMBERS: [u64; 2] = [6, 7];

/// Riyals that each of them deposited in each week.
const DEPOSITS: [[u64; 2]; 4] = [[50, 120], [0, 250], [100, 1000], [200, 30]];

const HOUR: u32 = 3600;
const DAY: u32 = 24 * HOUR;

/// Replays the campaign if it is over at `now`, in epoch seconds.
pub(crate) async fn seed(store: &ActivityStore, now: u32) -> Result<()> {
    let Some(campaign) = store.campaign(NATIONAL_DAY).await? else { return Ok(()) };
    if campaign.state(now) != State::Ended {
        return Ok(());
    }
    for member in MEMBERS {
        store.join(member, NATIONAL_DAY, None, campaign.begin + HOUR).await?;
    }
    for (week, deposits) in (0..).zip(DEPOSITS) {
        let first_day = campaign.begin + week * 7 * DAY + HOUR;
        let id = DrawId::parse(&format!("2026-week-{}", week + 1))?;
        let (prizes, seed) = (Vec::new(), Seed::random());
        let new = NewDraw { id, activity_id: NATIONAL_DAY, prizes, seed };
        let draw = store.open_draw(&new, first_day).await?;
        for (member, riyals) in MEMBERS.into_iter().zip(deposits) {
            let deposit = Deposit {
                id: format!("sample-{week}-{member}"),
                member,
                amount: Amount::of_hundredths(riyals * 100),
                currency: Currency::Sar,
                deposited_at: first_day + DAY,
            };
            if riyals > 0 {
                store.record(&deposit, deposit.deposited_at).await?;
            }
        }
        store.close_draw(&draw.id, first_day + 6 * DAY).await?;
        store.reveal_draw(&draw.id, first_day + 6 * DAY + HOUR).await?;
    }
    tracing::info!(draws = DEPOSITS.len(), "national-day draws replayed");
    Ok(())
}
