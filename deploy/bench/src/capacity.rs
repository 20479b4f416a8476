//! Computes the cores that each process needs for a level of traffic, from the measurements of `load`: the cost of each
//! kind of request and of each stream, times its rate. Under load, batching makes costs lower than measured alone; if
//! the open loop used more of a process than predicted, costs are raised by this ratio.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::traffic::{Costs, Kind, Load, ROUNDS};

/// Page views per day at the factor 1, and the ratio of peak traffic to the mean.
const VIEWS: f64 = 1e6;
const PEAK: f64 = 10.0;
const DAY: f64 = 86_400.0;
/// Stream seconds per view: one view of ten streams prices for a minute.
const LISTENING: f64 = 0.1 * 60.0;
/// Cached pages in use, copies of each, and the freshness lifetime (docs/page-cache.md); copies are refreshed
/// independently of traffic.
const PAGES: f64 = 2_000.0;
const COPIES: f64 = 6.0;
const FRESH: f64 = 300.0;
/// Target utilisation of a process.
const BUSY: f64 = 0.5;
/// Minimum number of replicas; one would be none during a rollout.
const MIN_REPLICAS: f64 = 2.0;
/// Resources that do not scale out: Redis uses one core, a database server has a number of cores, gateways share a
/// network line.
const REDIS_CORES: f64 = 1.0;
const POSTGRES_CORES: f64 = 16.0;
const LINE_BITS: f64 = 10e9;
/// Connections of a process (12 for reading, 8 for writing, 1 for the health probe), and the maximum of production's
/// server. `deploy/lint/manifests.py` compares the page with the pools and the manifests.
const CONNECTIONS_EACH: f64 = 21.0;
const CONNECTIONS: f64 = 700.0;
const FACTORS: [f64; 3] = [1.0, 10.0, 100.0];
/// The processes with connections to PostgreSQL.
const STORING: [&str; 6] = ["activity", "attribution", "config", "content", "identity", "quotes"];

/// Traffic of a peak minute.
#[derive(Clone, Debug)]
struct Traffic {
    /// Requests per second, by kind.
    requests: BTreeMap<Kind, f64>,
    streams: f64,
    /// Background refreshes per second.
    refreshes: f64,
}

impl Traffic {
    /// The traffic of `factor` million views per day.
    fn of(factor: f64) -> Traffic {
        let pages = VIEWS * factor / DAY * PEAK;
        let total: u32 = Kind::SHARES.iter().map(|(_, share)| share).sum();
        let share = |kind: Kind| {
            let found = Kind::SHARES.iter().find(|(other, _)| *other == kind);
            f64::from(found.map_or(0, |(_, share)| *share)) / f64::from(total)
        };
        let all = pages / share(Kind::Page);
        let requests = Kind::SHARES.iter().map(|(kind, _)| (*kind, all * share(*kind))).collect();
        // Copies without requests are not refreshed.
        let refreshes = (PAGES * COPIES / FRESH).min(pages);
        Traffic { requests, streams: pages * LISTENING, refreshes }
    }

    /// The traffic of the open loop.
    fn of_open_loop(load: &Load) -> Traffic {
        let requests = load.open.kinds.iter().map(|kind| (kind.kind, kind.per_second)).collect();
        let refreshes = load.open.cache.makings / load.open.seconds;
        Traffic { requests, streams: load.open.streams as f64, refreshes }
    }

    fn total(&self) -> f64 {
        self.requests.values().sum()
    }
}

/// Measurements, prepared for computing.
struct Model<'a> {
    costs: &'a Costs,
    /// Ratio of the open loop's use of a process to the prediction; at least 1.
    raised: BTreeMap<&'a str, f64>,
}

impl Model<'_> {
    fn of(load: &Load) -> Model<'_> {
        let open = Traffic::of_open_loop(load);
        let raised = load.open.processes.iter().map(|process| {
            let measured = process.cpu_seconds / load.open.seconds;
            let predicted_share = predicted(&load.costs, &process.name, &open);
            let raised =
                if predicted_share > 0.0 { (measured / predicted_share).max(1.0) } else { 1.0 };
            (process.name.as_str(), raised)
        });
        Model { costs: &load.costs, raised: raised.collect() }
    }

    /// Cores that a process uses.
    fn cores(&self, process: &str, traffic: &Traffic) -> f64 {
        let raised = self.raised.get(process).copied().unwrap_or(1.0);
        predicted(self.costs, process, traffic) * raised
    }

    fn connections(&self, traffic: &Traffic) -> f64 {
        let replicas = STORING.iter().map(|process| replicas(self.cores(process, traffic)));
        replicas.sum::<f64>() * CONNECTIONS_EACH
    }

    /// Shared resources with the factors at which they are exhausted; the lowest is the next bottleneck.
    fn limits(&self) -> Vec<(String, f64)> {
        let mut limits = vec![
            (
                "Redis: one core".to_owned(),
                factor_of(|traffic| self.cores("redis", traffic) / REDIS_CORES),
            ),
            (
                "PostgreSQL: 16 cores of one server".to_owned(),
                factor_of(|traffic| self.cores("postgres", traffic) / POSTGRES_CORES),
            ),
            (
                format!("PostgreSQL: {CONNECTIONS} connections, without a pooler"),
                factor_of(|traffic| self.connections(traffic) / CONNECTIONS),
            ),
            (
                "network line: 10 Gbit/s".to_owned(),
                factor_of(|traffic| bits(self.costs, traffic) / LINE_BITS),
            ),
        ];
        limits.sort_by(|one, other| one.1.total_cmp(&other.1));
        limits
    }
}

/// Cores that a process uses, from costs alone.
fn predicted(costs: &Costs, process: &str, traffic: &Traffic) -> f64 {
    let of =
        |by_process: &BTreeMap<String, f64>| by_process.get(process).copied().unwrap_or_default();
    let requests = costs.alone.iter().map(|alone| {
        of(&alone.cpu_us) * traffic.requests.get(&alone.kind).copied().unwrap_or_default()
    });
    let busy = requests.sum::<f64>()
        + of(&costs.stream.cpu_us) * traffic.streams
        + of(&costs.fill) * traffic.refreshes;
    of(&costs.idle) + busy / 1e6
}

/// Outgoing bits per second.
fn bits(costs: &Costs, traffic: &Traffic) -> f64 {
    let bytes = costs
        .alone
        .iter()
        .map(|alone| alone.bytes * traffic.requests.get(&alone.kind).copied().unwrap_or_default());
    bytes.sum::<f64>() * 8.0
}

/// Number of replicas of a process.
fn replicas(cores: f64) -> f64 {
    (cores / BUSY).ceil().max(MIN_REPLICAS)
}

/// The factor at which a use, growing with traffic, reaches 1; at most a million.
fn factor_of(used: impl Fn(&Traffic) -> f64) -> f64 {
    let (mut below, mut above) = (0.0, 1e6);
    if used(&Traffic::of(above)) < 1.0 {
        return above;
    }
    for _ in 0..64 {
        let middle = f64::midpoint(below, above);
        if used(&Traffic::of(middle)) < 1.0 { below = middle } else { above = middle }
    }
    above
}

/// The tables, as Markdown.
pub(crate) fn tables(load: &Load) -> Result<String, std::fmt::Error> {
    let (costs, model) = (&load.costs, Model::of(load));
    let processes: BTreeSet<&str> =
        load.open.processes.iter().map(|one| one.name.as_str()).collect();
    let mut text = String::new();
    one_by_one(&mut text, costs, &processes)?;
    limits_table(&mut text, load, &model, &processes)?;
    growth(&mut text, &model, &processes)?;
    writeln!(
        text,
        "\n### Limits\n\nThe first row is the next bottleneck. Gateways, services and renderers scale out and are not listed.\n"
    )?;
    writeln!(text, "| resource | exhausted at |\n| --- | ---: |")?;
    for (what, factor) in model.limits() {
        let at = if factor < 1e6 { format!("{factor:.0} ×") } else { "not reached".into() };
        writeln!(text, "| {what} | {at} |")?;
    }
    Ok(text)
}

fn one_by_one(text: &mut String, costs: &Costs, processes: &BTreeSet<&str>) -> std::fmt::Result {
    writeln!(
        text,
        "### Cost of one request\n\nMicroseconds of a core. Requests are measured one kind at a time: \
         the median of {ROUNDS} turns.\n"
    )?;
    write!(text, "| process |")?;
    for alone in &costs.alone {
        write!(text, " {} |", alone.kind.name())?;
    }
    write!(text, " cache fill | stream, per second |\n| --- |")?;
    for _ in 0..costs.alone.len() + 2 {
        write!(text, " ---: |")?;
    }
    writeln!(text)?;
    for process in processes {
        write!(text, "| {process} |")?;
        for by_process in all_costs(costs) {
            write!(text, " {:.0} |", by_process.get(*process).copied().unwrap_or_default())?;
        }
        writeln!(text)?;
    }
    write!(text, "| **all** |")?;
    for by_process in all_costs(costs) {
        write!(text, " {:.0} |", by_process.values().sum::<f64>())?;
    }
    write!(text, "\n| bytes of a response |")?;
    for alone in &costs.alone {
        write!(text, " {:.0} |", alone.bytes)?;
    }
    writeln!(text, " | |")
}

/// Costs by process: of each kind of request, of a cache fill, and of a stream.
fn all_costs(costs: &Costs) -> impl Iterator<Item = &BTreeMap<String, f64>> {
    let alone = costs.alone.iter().map(|alone| &alone.cpu_us);
    alone.chain([&costs.fill, &costs.stream.cpu_us])
}

fn limits_table(
    text: &mut String,
    load: &Load,
    model: &Model<'_>,
    processes: &BTreeSet<&str>,
) -> std::fmt::Result {
    writeln!(
        text,
        "\n### Capacity of one core\n\nRequests of the mix per second that one core serves if it runs only this process and the other processes have enough cores. The cost of the idle process and of cache fills is not included. The last columns are shares of a core: the measured use in the open loop, and the prediction from the costs above. Where the prediction is lower, the following tables are raised by the ratio.\n"
    )?;
    writeln!(
        text,
        "| process | requests per second | measured | predicted |\n| --- | ---: | ---: | ---: |"
    )?;
    let (one, open) = (Traffic::of(1.0), Traffic::of_open_loop(load));
    // Refreshes do not grow with traffic and are left out.
    let mix = Traffic { refreshes: 0.0, streams: 0.0, ..one };
    let (mut all_measured, mut all_computed) = (0.0, 0.0);
    for process in processes {
        let idle = Traffic { requests: BTreeMap::new(), streams: 0.0, refreshes: 0.0 };
        let each = model.cores(process, &mix) - model.cores(process, &idle);
        let measured = load.open.processes.iter().find(|found| found.name == *process);
        let measured = measured.map_or(0.0, |found| found.cpu_seconds / load.open.seconds);
        let computed = predicted(&load.costs, process, &open);
        all_measured += measured;
        all_computed += computed;
        let holds = mix.total() / each;
        let holds = if holds < 1e6 { rounded(holds) } else { "over a million".into() };
        writeln!(text, "| {process} | {holds} | {measured:.3} | {computed:.3} |")?;
    }
    writeln!(text, "| **all** | | {all_measured:.3} | {all_computed:.3} |")
}

fn growth(text: &mut String, model: &Model<'_>, processes: &BTreeSet<&str>) -> std::fmt::Result {
    writeln!(
        text,
        "\n### 1 ×, 10 ×, 100 ×\n\nCores in the busiest minutes; in brackets the number of replicas at a utilisation of one half (two at least).\n"
    )?;
    writeln!(text, "| | 1 × | 10 × | 100 × |\n| --- | ---: | ---: | ---: |")?;
    let mut row = |name: &str, of: &dyn Fn(&Traffic) -> String| {
        write!(text, "| {name} |")?;
        for factor in FACTORS {
            write!(text, " {} |", of(&Traffic::of(factor)))?;
        }
        writeln!(text)
    };
    row("page views per day, millions", &|traffic| {
        rounded(traffic.requests.get(&Kind::Page).copied().unwrap_or_default() / PEAK * DAY / 1e6)
    })?;
    row("requests per second", &|traffic| rounded(traffic.total()))?;
    row("open streams", &|traffic| rounded(traffic.streams))?;
    row("cache refreshes per second", &|traffic| rounded(traffic.refreshes))?;
    row("outgoing Mbit/s", &|traffic| rounded(bits(model.costs, traffic) / 1e6))?;
    for process in processes {
        row(process, &|traffic| {
            let cores = model.cores(process, traffic);
            // There is one of these, whatever its size.
            if ["redis", "postgres"].contains(process) {
                format!("{cores:.2}")
            } else {
                format!("{cores:.2} ({:.0})", replicas(cores))
            }
        })?;
    }
    row("connections to PostgreSQL", &|traffic| rounded(model.connections(traffic)))
}

/// Rounds to two significant digits, with thousands separators.
fn rounded(value: f64) -> String {
    let unit = 10.0_f64.powf((value.abs().max(1.0).log10() - 1.0).floor().max(0.0));
    let digits = format!("{:.0}", (value / unit).round() * unit);
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{Alone, Listening};

    fn by(process: &str, value: f64) -> BTreeMap<String, f64> {
        BTreeMap::from([(process.to_owned(), value)])
    }

    fn costs(process: &str) -> Costs {
        let alone = |kind, cpu_us, bytes| Alone {
            kind,
            per_second: 1.0,
            bytes,
            cpu_us: by(process, cpu_us),
        };
        Costs {
            idle: by(process, 0.01),
            alone: vec![alone(Kind::Page, 50.0, 10_000.0), alone(Kind::MemberPage, 10_000.0, 0.0)],
            fill: by(process, 10_000.0),
            stream: Listening { streams: 10, events_per_second: 1.0, cpu_us: by(process, 5.0) },
        }
    }

    #[test]
    fn costs_add_up() {
        let traffic = Traffic {
            requests: BTreeMap::from([(Kind::Page, 1_000.0), (Kind::MemberPage, 10.0)]),
            streams: 2_000.0,
            refreshes: 5.0,
        };
        // 0.05 of pages, 0.1 of members' pages, 0.01 of streams, 0.05 of refreshes, 0.01 idle.
        assert!((predicted(&costs("x"), "x", &traffic) - 0.22).abs() < 1e-9);
        assert_eq!(predicted(&costs("x"), "other", &traffic), 0.0);
        assert!((bits(&costs("x"), &traffic) - 80e6).abs() < 1e-3);
    }

    #[test]
    fn traffic_grows_and_refreshes_do_not() {
        let (one, ten, hundred) = (Traffic::of(1.0), Traffic::of(10.0), Traffic::of(100.0));
        assert!((one.requests[&Kind::Page] - 115.7).abs() < 0.1);
        assert!((ten.total() / one.total() - 10.0).abs() < 1e-9);
        assert_eq!(ten.refreshes, hundred.refreshes);
        assert!((hundred.refreshes - 40.0).abs() < 1e-9);
    }

    #[test]
    fn the_first_limit_is_the_next_bottleneck() {
        // 116 pages of 10 KB are 9.3 Mbit/s: a line of 10 Gbit/s is full at some 1,080 ×.
        let costs = costs("redis");
        let model = Model { costs: &costs, raised: BTreeMap::from([("redis", 2.0)]) };
        let limits = model.limits();
        let of =
            |name: &str| limits.iter().find(|limit| limit.0.starts_with(name)).map(|limit| limit.1);
        assert!(
            of("network line").is_some_and(|factor| (factor - 1_080.0).abs() < 1.0),
            "{limits:?}"
        );
        assert_eq!(limits[0].0, "Redis: one core", "{limits:?}");
        let used = model.cores("redis", &Traffic::of(limits[0].1));
        assert!((used - REDIS_CORES).abs() < 1e-6, "{used}");
        assert_eq!(of("PostgreSQL: 16"), Some(1e6));
    }

    #[test]
    fn at_least_two_replicas() {
        for (cores, expected) in [(0.0, 2.0), (1.0, 2.0), (1.01, 3.0), (5.0, 10.0)] {
            assert_eq!(replicas(cores), expected, "{cores}");
        }
    }

    #[test]
    fn numbers_are_rounded() {
        for (value, text) in [
            (0.0, "0"),
            (7.4, "7"),
            (116.0, "120"),
            (20_667.0, "21,000"),
            (1_240_000.0, "1,200,000"),
        ] {
            assert_eq!(rounded(value), text);
        }
    }
}
