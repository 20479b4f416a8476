//! The results, on the screen, as JSON and as plots.

use std::{array, fmt::Write as _, fs, io::Write as _, iter, path::Path};

use serde::Serialize;
use serde_json::json;

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
    turns::Comparison,
};

/// Prints the tables and writes `page.json`, `hits.svg` and `costs.svg` into the folder.
pub(crate) fn pages(folder: &Path, hits: &[Case], costs: &[Cost]) -> anyhow::Result<()> {
    save(folder, "page", &json!({ "page": PAGE, "hits": hits, "costs": costs }))?;
    fs::write(folder.join("hits.svg"), hits_plot(hits)?)?;
    fs::write(folder.join("costs.svg"), costs_plot(costs)?)?;
    let head = [
        "body", "bytes", "clients", "req/s ×", "p50 ×", "p99 ×", "cpu ×", "req/s", "p50 µs",
        "p99 µs", "cpu µs", "load %",
    ];
    let of_hits = hits.iter().map(|case| {
        let Comparison { ratio, site, .. } = &case.comparison;
        [
            case.variant.into(),
            case.body_bytes.to_string(),
            case.connections.to_string(),
            format!("{:.2}", ratio.per_second),
            format!("{:.2}", ratio.p50_us),
            format!("{:.2}", ratio.p99_us),
            format!("{:.2}", ratio.cpu_us),
            format!("{:.0}", site.per_second),
            format!("{:.0}", site.p50_us),
            format!("{:.0}", site.p99_us),
            format!("{:.1}", site.cpu_us),
            format!("{:.0}", site.load_share * 100.0),
        ]
    });
    let of_hits = table(head, of_hits);
    let hit = costs.iter().find(|cost| cost.how == "hit").map_or(f64::NAN, |cost| cost.p50_us);
    let of_costs = costs.iter().map(|cost| {
        [
            cost.how.into(),
            cost.answers.to_string(),
            format!("{:.0}", cost.p50_us),
            format!("{:.0}", cost.p99_us),
            format!("{:.1}", cost.p50_us / hit),
        ]
    });
    let of_costs = table(["response", "count", "p50 µs", "p99 µs", "p50 ×"], of_costs);
    print(&format!(
        "{PAGE} from the page cache, by a bare hyper server with the same bytes\n\
         (medians over rounds in turns; server on one core, load on another)\n\n{of_hits}\n\
         articles, one visitor at a time, site and renderer on one core\n\n{of_costs}"
    ))
}

/// Prints the table and writes `peers.json` and `peers.svg`.
pub(crate) fn peers(folder: &Path, peers: &Peers) -> anyhow::Result<()> {
    save(folder, "peers", peers)?;
    let bars = peers.cases.iter().map(|case| Bar {
        label: format!("{}, {}", case.peer, case.variant),
        value: case.comparison.ratio.per_second,
        note: format!("{:.2}", case.comparison.ratio.per_second),
    });
    let title = "Cached page: answers a second, by a peer's (1 = equal)";
    let plot = plot::bars(title, &bars.collect::<Vec<_>>(), Some(1.0))?;
    fs::write(folder.join("peers.svg"), plot)?;
    let head = [
        "peer",
        "body",
        "bytes",
        "req/s ×",
        "p50 ×",
        "p99 ×",
        "cpu ×",
        "req/s",
        "its req/s",
        "load %",
    ];
    let rows = peers.cases.iter().map(|case| {
        let Comparison { ratio, site, peer } = &case.comparison;
        [
            case.peer.into(),
            case.variant.into(),
            case.body_bytes.to_string(),
            format!("{:.2}", ratio.per_second),
            format!("{:.2}", ratio.p50_us),
            format!("{:.2}", ratio.p99_us),
            format!("{:.2}", ratio.cpu_us),
            format!("{:.0}", site.per_second),
            format!("{:.0}", peer.per_second),
            format!("{:.0}", site.load_share * 100.0),
        ]
    });
    let mut text =
        format!("\n{PAGE} from the page cache, by peers that hold it\n\n{}", table(head, rows));
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
    print(&(text + &lines(&peers.skipped)))
}

/// Prints the table and writes `frameworks.json` and `frameworks.svg`.
pub(crate) fn frameworks(folder: &Path, frameworks: &Frameworks) -> anyhow::Result<()> {
    save(folder, "frameworks", frameworks)?;
    let bars = frameworks.cases.iter().map(|case| Bar {
        label: format!("{}, {}", case.app, case.how),
        value: case.comparison.ratio.per_second,
        note: format!("{:.1} (goal {})", case.comparison.ratio.per_second, case.goal),
    });
    let title = "Answers a second, by apps of other frameworks that send the same page";
    let plot = plot::bars(title, &bars.collect::<Vec<_>>(), Some(1.0))?;
    fs::write(folder.join("frameworks.svg"), plot)?;
    let head = [
        "app",
        "page is",
        "bytes",
        "its bytes",
        "req/s ×",
        "goal",
        "p50 ×",
        "p99 ×",
        "req/s",
        "its req/s",
    ];
    let rows = frameworks.cases.iter().map(|case| {
        let Comparison { ratio, site, peer } = &case.comparison;
        [
            case.app.into(),
            case.how.into(),
            case.body_bytes.to_string(),
            case.their_body_bytes.to_string(),
            format!("{:.2}", ratio.per_second),
            case.goal.to_string(),
            format!("{:.2}", ratio.p50_us),
            format!("{:.2}", ratio.p99_us),
            format!("{:.0}", site.per_second),
            format!("{:.0}", peer.per_second),
        ]
    });
    print(&format!(
        "\n{PAGE} ({} links), by apps of other frameworks that send the same page\n\n{}{}",
        frameworks.links,
        table(head, rows),
        lines(&frameworks.skipped)
    ))
}

/// Prints the results of the renderer and writes `renders.json`.
pub(crate) fn renders(folder: &Path, renders: &[Renders]) -> anyhow::Result<()> {
    save(folder, "renders", renders)?;
    let rows = renders.iter().map(|one| {
        [
            one.page.into(),
            one.html_bytes.to_string(),
            format!("{:.0}", one.per_second),
            format!("{:.0}", one.bare_per_second),
            format!("{:.2}", one.ratio),
        ]
    });
    print(&format!(
        "\nrenders a second, by renderToString in a loop on the same Node\n\n{}",
        table(["page", "HTML bytes", "renderer", "in a loop", "×"], rows)
    ))
}

/// Prints the results of clients of the quotes' stream and writes `streams.json`.
pub(crate) fn streams(folder: &Path, streams: &Result<Streams, String>) -> anyhow::Result<()> {
    let streams = match streams {
        Ok(streams) => streams,
        Err(reason) => {
            save(folder, "streams", &json!({ "skipped": reason }))?;
            return print(&format!("\nstreams: not measured, {reason}\n"));
        }
    };
    save(folder, "streams", streams)?;
    print(&format!(
        "\n{} clients on /api/hq/stream with {} securities each, a price of each a second\n\n\
         memory          {:.1} KB of the gateway for each\n\
         {:<15} p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms after the provider's response \
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
    ))
}

/// Prints the results of event reports and writes `events.json`.
pub(crate) fn events(folder: &Path, events: &Events) -> anyhow::Result<()> {
    save(folder, "events", events)?;
    print(&format!(
        "\nevent reports, each acknowledged when durable; SQLite, one core\n\n\
         attribution     {:>7.0}/s, {:.1} µs of its core each (load: {:.0} % of its core)\n\
         bare group commit {:>5.0}/s, {:.1} µs each (load: {:.0} %); attribution × {:.2}\n\
         at {:.0}/s        p50 {:.2} ms, p99 {:.2} ms, longest {:.1} ms\n",
        events.per_second,
        events.cpu_us,
        events.load_share * 100.0,
        events.bare_per_second,
        events.bare_cpu_us,
        events.bare_load_share * 100.0,
        events.ratio,
        events.paced_per_second,
        events.p50_ms,
        events.p99_ms,
        events.max_ms
    ))
}

/// Prints the durations of pages of lists and writes `lists.json`.
pub(crate) fn lists(
    folder: &Path,
    (lists, skipped): &(Vec<Lists>, Option<String>),
) -> anyhow::Result<()> {
    save(folder, "lists", lists)?;
    let rows = lists.iter().map(|one| {
        [
            one.engine.into(),
            format!("{:.0}", one.few_us),
            format!("{:.0}", one.many_us),
            format!("{:.0}", one.many_end_us),
            format!("{:.2}", one.ratio),
        ]
    });
    let table = table(["engine", "of 100, µs", "of 100,000, µs", "its end, µs", "×"], rows);
    let skipped = lines(skipped.as_slice());
    print(&format!("\na page of a list of articles, over gRPC (medians)\n\n{table}{skipped}"))
}

pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn lines(reasons: &[String]) -> String {
    reasons.iter().map(|reason| format!("{reason}\n")).collect()
}

fn save(folder: &Path, name: &str, results: &(impl Serialize + ?Sized)) -> anyhow::Result<()> {
    let json = serde_json::to_vec_pretty(results)?;
    Ok(fs::write(folder.join(name).with_extension("json"), json)?)
}

/// Lines of columns; the first column is aligned to the left, the others to the right.
fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = iter::once(head.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = array::from_fn(|column| width(column).unwrap_or_default());
    let lines = rows.iter().map(|row| {
        let mut line = format!("{:<1$}", row[0], widths[0]);
        for (cell, width) in row.iter().zip(widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        line + "\n"
    });
    lines.collect()
}

fn hits_plot(hits: &[Case]) -> anyhow::Result<String> {
    let bars: Vec<Bar> = hits
        .iter()
        .map(|case| Bar {
            label: format!("{}, {} clients", case.variant, case.connections),
            value: case.comparison.ratio.per_second,
            note: format!(
                "{:.2} ({:.0}/s)",
                case.comparison.ratio.per_second, case.comparison.site.per_second
            ),
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

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned() {
        let rows = [["a".to_owned(), "10".to_owned()], ["long".to_owned(), "µ".to_owned()]];
        assert_eq!(super::table(["x", "y"], rows), "x      y\na     10\nlong   µ\n");
    }
}
