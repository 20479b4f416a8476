//! Results as a table on the screen, as JSON and as plots.

use std::{fmt::Write as _, io::Write as _, path::Path};

use serde::Serialize;

use crate::{
    costs::Cost,
    events::Events,
    frameworks::Frameworks,
    hits::{Case, PAGE},
    lists::Lists,
    peers::Peers,
    plot::{self, Bar},
    renders::Renders,
    streams::Streams,
};

#[derive(Serialize)]
struct Results<'a> {
    page: &'static str,
    hits: &'a [Case],
    costs: &'a [Cost],
}

/// Prints the table and writes `page.json`, `hits.svg` and `costs.svg` into the folder.
pub(crate) fn pages(folder: &Path, hits: &[Case], costs: &[Cost]) -> anyhow::Result<()> {
    let results = Results { page: PAGE, hits, costs };
    std::fs::write(folder.join("page.json"), serde_json::to_vec_pretty(&results)?)?;
    std::fs::write(folder.join("hits.svg"), hits_plot(hits)?)?;
    std::fs::write(folder.join("costs.svg"), costs_plot(costs)?)?;
    print(&table(hits, costs)?)
}

/// Prints the table and writes `peers.json` and `peers.svg`.
pub(crate) fn peers(folder: &Path, peers: &Peers) -> anyhow::Result<()> {
    std::fs::write(folder.join("peers.json"), serde_json::to_vec_pretty(peers)?)?;
    let bars: Vec<Bar> = peers
        .cases
        .iter()
        .map(|case| Bar {
            label: format!("{}, {}", case.peer, case.variant),
            value: case.ratio.per_second,
            note: format!("{:.2}", case.ratio.per_second),
        })
        .collect();
    let title = "Cached page: answers a second, by a peer's (1 = equal)";
    std::fs::write(folder.join("peers.svg"), plot::bars(title, &bars, Some(1.0))?)?;
    let mut text = format!("\n{PAGE} from the page cache, by peers that hold it\n\n");
    writeln!(
        text,
        "{:<19} {:<9} {:>7} │ {:>7} {:>6} {:>6} {:>6} │ {:>9} {:>9}",
        "peer", "body", "bytes", "req/s ×", "p50 ×", "p99 ×", "cpu ×", "req/s", "its req/s"
    )?;
    for case in &peers.cases {
        let ratio = &case.ratio;
        writeln!(
            text,
            "{:<19} {:<9} {:>7} │ {:>7.2} {:>6.2} {:>6.2} {:>6.2} │ {:>9.0} {:>9.0}",
            case.peer,
            case.variant,
            case.body_bytes,
            ratio.per_second,
            ratio.p50_us,
            ratio.p99_us,
            ratio.cpu_us,
            case.site.per_second,
            case.theirs.per_second
        )?;
    }
    for case in &peers.cases {
        let Some(paced) = &case.paced else { continue };
        writeln!(
            text,
            "\nat {:.0}/s for both (70 % of the slower one), {}, {}: p99 {:.0} µs, its {:.0} µs, × {:.2}",
            paced.per_second,
            case.peer,
            case.variant,
            paced.site_p99_us,
            paced.their_p99_us,
            paced.p99_ratio
        )?;
    }
    for reason in &peers.skipped {
        writeln!(text, "{reason}")?;
    }
    print(&text)
}

/// Prints the table and writes `frameworks.json` and `frameworks.svg`.
pub(crate) fn frameworks(folder: &Path, frameworks: &Frameworks) -> anyhow::Result<()> {
    std::fs::write(folder.join("frameworks.json"), serde_json::to_vec_pretty(frameworks)?)?;
    let bars: Vec<Bar> = frameworks
        .cases
        .iter()
        .map(|case| Bar {
            label: format!("{}, {}", case.app, case.how),
            value: case.ratio.per_second,
            note: format!("{:.1} (goal {})", case.ratio.per_second, case.goal),
        })
        .collect();
    let title = "Answers a second, by apps of other frameworks that send the same page";
    std::fs::write(folder.join("frameworks.svg"), plot::bars(title, &bars, Some(1.0))?)?;
    let mut text = format!(
        "\n{PAGE} ({} links), by apps of other frameworks that send the same page\n\n",
        frameworks.links
    );
    writeln!(
        text,
        "{:<26} {:<9} {:>7} {:>9} │ {:>7} {:>5} {:>6} {:>6} │ {:>8} {:>9}",
        "app",
        "page is",
        "bytes",
        "its bytes",
        "req/s ×",
        "goal",
        "p50 ×",
        "p99 ×",
        "req/s",
        "its req/s"
    )?;
    for case in &frameworks.cases {
        let ratio = &case.ratio;
        writeln!(
            text,
            "{:<26} {:<9} {:>7} {:>9} │ {:>7.2} {:>5} {:>6.2} {:>6.2} │ {:>8.0} {:>9.0}",
            case.app,
            case.how,
            case.body_bytes,
            case.their_body_bytes,
            ratio.per_second,
            case.goal,
            ratio.p50_us,
            ratio.p99_us,
            case.site.per_second,
            case.theirs.per_second
        )?;
    }
    for reason in &frameworks.skipped {
        writeln!(text, "{reason}")?;
    }
    print(&text)
}

/// Prints what the renderer came to and writes `renders.json`.
pub(crate) fn renders(folder: &Path, renders: &[Renders]) -> anyhow::Result<()> {
    std::fs::write(folder.join("renders.json"), serde_json::to_vec_pretty(renders)?)?;
    let mut text =
        "\nrenders a second, by renderToString in a loop on the same Node\n\n".to_owned();
    writeln!(
        text,
        "{:<12} {:>10} {:>9} {:>11} {:>6}",
        "page", "HTML bytes", "renderer", "in a loop", "×"
    )?;
    for one in renders {
        writeln!(
            text,
            "{:<12} {:>10} {:>9.0} {:>11.0} {:>6.2}",
            one.page, one.html_bytes, one.per_second, one.bare_per_second, one.ratio
        )?;
    }
    print(&text)
}

/// Prints what clients of the quotes' stream came to and writes `streams.json`.
pub(crate) fn streams(folder: &Path, streams: &Result<Streams, String>) -> anyhow::Result<()> {
    let json = match streams {
        Ok(streams) => serde_json::to_vec_pretty(streams)?,
        Err(reason) => serde_json::to_vec_pretty(&serde_json::json!({ "skipped": reason }))?,
    };
    std::fs::write(folder.join("streams.json"), json)?;
    let text = match streams {
        Ok(streams) => format!(
            "\n{} clients on /api/hq/stream with {} securities each, a price of each a second\n\n\
             memory          {:.1} KB of the gateway for each\n\
             {:<15} p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms after the provider's answer \
             (gateway: {:.0} % of its core, load: {:.0} %)\n",
            streams.clients,
            streams.codes_each,
            streams.bytes_each / 1024.0,
            format!("{} events", streams.events),
            streams.p50_ms,
            streams.p99_ms,
            streams.max_ms,
            streams.gateway_share * 100.0,
            streams.load_share * 100.0
        ),
        Err(reason) => format!("\nstreams: not measured, {reason}\n"),
    };
    print(&text)
}

/// Prints what event reports came to and writes `events.json`.
pub(crate) fn events(folder: &Path, events: &Events) -> anyhow::Result<()> {
    std::fs::write(folder.join("events.json"), serde_json::to_vec_pretty(events)?)?;
    let mut text =
        "\nevent reports, each acknowledged when durable; SQLite, one core\n\n".to_owned();
    writeln!(
        text,
        "attribution     {:>7.0}/s, {:.1} µs of its core each (load: {:.0} % of its core)",
        events.per_second,
        events.cpu_us,
        events.load_share * 100.0
    )?;
    writeln!(
        text,
        "bare group commit {:>5.0}/s, {:.1} µs each (load: {:.0} %); attribution × {:.2}",
        events.bare_per_second,
        events.bare_cpu_us,
        events.bare_load_share * 100.0,
        events.ratio
    )?;
    writeln!(
        text,
        "at {:.0}/s        p50 {:.2} ms, p99 {:.2} ms, longest {:.1} ms",
        events.paced_per_second, events.p50_ms, events.p99_ms, events.max_ms
    )?;
    print(&text)
}

/// Prints what pages of lists took and writes `lists.json`.
pub(crate) fn lists(
    folder: &Path,
    (lists, skipped): &(Vec<Lists>, Option<String>),
) -> anyhow::Result<()> {
    std::fs::write(folder.join("lists.json"), serde_json::to_vec_pretty(lists)?)?;
    let mut text = "\na page of a list of articles, over gRPC (medians)\n\n".to_owned();
    writeln!(
        text,
        "{:<11} {:>12} {:>15} {:>14} {:>6}",
        "engine", "of 100, µs", "of 100,000, µs", "its end, µs", "×"
    )?;
    for one in lists {
        writeln!(
            text,
            "{:<11} {:>12.0} {:>15.0} {:>14.0} {:>6.2}",
            one.engine, one.few_us, one.many_us, one.many_end_us, one.ratio
        )?;
    }
    if let Some(reason) = skipped {
        writeln!(text, "not measured: {reason}")?;
    }
    print(&text)
}

pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn table(hits: &[Case], costs: &[Cost]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "{PAGE} from the page cache, by a bare hyper server with the same bytes")?;
    writeln!(text, "(medians over rounds in turns; server on one core, load on another)\n")?;
    writeln!(
        text,
        "{:<9} {:>6} {:>7} │ {:>7} {:>6} {:>6} {:>6} │ {:>9} {:>8} {:>8} {:>7}",
        "body",
        "bytes",
        "clients",
        "req/s ×",
        "p50 ×",
        "p99 ×",
        "cpu ×",
        "req/s",
        "p50 µs",
        "p99 µs",
        "cpu µs"
    )?;
    for case in hits {
        let (ratio, site) = (&case.ratio, &case.site);
        writeln!(
            text,
            "{:<9} {:>6} {:>7} │ {:>7.2} {:>6.2} {:>6.2} {:>6.2} │ {:>9.0} {:>8.0} {:>8.0} {:>7.1}",
            case.variant,
            case.body_bytes,
            case.connections,
            ratio.per_second,
            ratio.p50_us,
            ratio.p99_us,
            ratio.cpu_us,
            site.per_second,
            site.p50_us,
            site.p99_us,
            site.cpu_us
        )?;
    }
    writeln!(text, "\narticles, one visitor at a time, site and renderer on one core\n")?;
    writeln!(
        text,
        "{:<9} {:>7} {:>9} {:>9} {:>8}",
        "answer", "count", "p50 µs", "p99 µs", "p50 ×"
    )?;
    let hit = costs.iter().find(|cost| cost.how == "hit").map_or(f64::NAN, |cost| cost.p50_us);
    for cost in costs {
        writeln!(
            text,
            "{:<9} {:>7} {:>9.0} {:>9.0} {:>8.1}",
            cost.how,
            cost.answers,
            cost.p50_us,
            cost.p99_us,
            cost.p50_us / hit
        )?;
    }
    Ok(text)
}

fn hits_plot(hits: &[Case]) -> anyhow::Result<String> {
    let bars: Vec<Bar> = hits
        .iter()
        .map(|case| Bar {
            label: format!("{}, {} clients", case.variant, case.connections),
            value: case.ratio.per_second,
            note: format!("{:.2} ({:.0}/s)", case.ratio.per_second, case.site.per_second),
        })
        .collect();
    plot::bars(
        "Cached page: answers a second, by a bare hyper server's (1 = equal)",
        &bars,
        Some(1.0),
    )
}

fn costs_plot(costs: &[Cost]) -> anyhow::Result<String> {
    let bars: Vec<Bar> = costs
        .iter()
        .flat_map(|cost| {
            [("p50", cost.p50_us), ("p99", cost.p99_us)].map(|(name, value)| Bar {
                label: format!("{} {name}", cost.how),
                value,
                note: format!("{value:.0} µs"),
            })
        })
        .collect();
    plot::bars("What one visitor waits for, in microseconds", &bars, None)
}
