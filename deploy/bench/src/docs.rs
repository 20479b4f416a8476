//! Writes measurements into the operators' pages: `docs/operations/load.md` with its folder, and the computed part of
//! `docs/operations/capacity.md`.

use std::{fs, path::Path};

use anyhow::Context;

use crate::{capacity, load_page::Results};

const BEGIN: &str = "<!-- computed by `sahm-bench docs` from load/load.json -->\n";
const END: &str = "<!-- end of what is computed -->\n";

/// Writes the results of one folder into the pages of another.
///
/// # Errors
/// `load` has not been measured; the page has no place for what is computed.
pub(crate) fn write(results: &Path, docs: &Path) -> anyhow::Result<()> {
    let measured = Results::read(results)?;
    let path = docs.join("capacity.md");
    let page = fs::read_to_string(&path)?;
    fs::write(&path, computed(&page, &measured)?)?;
    measured.write(docs)
}

/// The page with its computed part replaced.
fn computed(page: &str, measured: &Results) -> anyhow::Result<String> {
    let load = measured.load.as_ref().context("no load.json: run `sahm-bench load` before")?;
    let (before, rest) = page.split_once(BEGIN).context("the page has no computed part")?;
    let (_, after) = rest.split_once(END).context("the computed part has no end")?;
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", capacity::tables(load)?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Measurements are generated, never written by hand.
    #[test]
    fn pages_are_generated_from_their_results() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations");
        let measured = Results::read(&docs).unwrap();
        assert!(measured.soak.is_some(), "the pages show a soak");
        let page = fs::read_to_string(docs.join("capacity.md")).unwrap();
        assert_eq!(computed(&page, &measured).unwrap(), page);
        assert_eq!(measured.page().unwrap(), fs::read_to_string(docs.join("load.md")).unwrap());
    }
}
