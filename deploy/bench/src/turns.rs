//! Two servers measured in turns.

use serde::Serialize;

use crate::{
    client::Exchange,
    process::Serving,
    statistics::median,
    wrk::{self, Load, Measured},
};

/// Medians over rounds, of each server and of the site's value divided by the peer's.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) ratio: Measured,
    pub(crate) site: Measured,
    pub(crate) peer: Measured,
}

/// Sends load to the site and a peer in turns; each has its own request.
pub(crate) async fn compare(
    rounds: usize,
    load: Load,
    site: (&dyn Serving, &Exchange),
    peer: (&dyn Serving, &Exchange),
) -> anyhow::Result<Comparison> {
    let ours = async || wrk::run(site.0, site.1, load).await;
    let pairs = in_turns(rounds, ours, async || wrk::run(peer.0, peer.1, load).await).await?;
    Ok(Comparison {
        ratio: medians(&pairs, |(site, peer), value| value(site) / value(peer)),
        site: medians(&pairs, |(site, _), value| value(site)),
        peer: medians(&pairs, |(_, peer), value| value(peer)),
    })
}

/// Measures two servers in turns, in alternating order; a first round warms them up and is discarded.
pub(crate) async fn in_turns<T>(
    rounds: usize,
    ours: impl AsyncFn() -> anyhow::Result<T>,
    theirs: impl AsyncFn() -> anyhow::Result<T>,
) -> anyhow::Result<Vec<(T, T)>> {
    let mut pairs = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let pair = if round % 2 == 0 {
            let first = ours().await?;
            (first, theirs().await?)
        } else {
            let first = theirs().await?;
            (ours().await?, first)
        };
        if round > 0 {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

type Pair = (Measured, Measured);

/// The median of each value over the rounds.
fn medians(pairs: &[Pair], of: impl Fn(&Pair, fn(&Measured) -> f64) -> f64) -> Measured {
    let over = |value: fn(&Measured) -> f64| median(pairs.iter().map(|pair| of(pair, value)));
    Measured {
        per_second: over(|one| one.per_second),
        p50_us: over(|one| one.p50_us),
        p99_us: over(|one| one.p99_us),
        cpu_us: over(|one| one.cpu_us),
        load_share: over(|one| one.load_share),
    }
}
