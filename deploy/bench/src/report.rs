//! Results as a table on the screen, as JSON and as plots.

use std::{fmt::Write as _, io::Write as _, path::Path};

use serde::Serialize;

use crate::{
    costs::Cost,
    hits::{Case, PAGE},
    plot::{self, Bar},
};

#[derive(Serialize)]
struct Results<'a> {
    page: &'static str,
    hits: &'a [Case],
    costs: &'a [Cost],
}

/// Prints the table and writes `page.json`, `hits.svg` and `costs.svg` into the folder.
pub(crate) fn write(folder: &Path, hits: &[Case], costs: &[Cost]) -> anyhow::Result<()> {
    let results = Results { page: PAGE, hits, costs };
    std::fs::write(folder.join("page.json"), serde_json::to_vec_pretty(&results)?)?;
    std::fs::write(folder.join("hits.svg"), hits_plot(hits))?;
    std::fs::write(folder.join("costs.svg"), costs_plot(costs))?;
    std::io::stdout().write_all(table(hits, costs)?.as_bytes())?;
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

fn hits_plot(hits: &[Case]) -> String {
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

fn costs_plot(costs: &[Cost]) -> String {
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
