//! Generates a Rust enum from the page ids of the frontend's route table, so that a route without a loader does not
//! compile.
use std::{collections::BTreeSet, env, error::Error, fmt::Write as _, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let table = root.join("../frontend/routes.json");
    println!("cargo::rerun-if-changed={}", table.display());
    println!("cargo::rustc-env=SAHM_ROUTES={}", table.canonicalize()?.display());

    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(&table)?)?;
    let routes = json["routes"].as_array().ok_or("routes.json: no `routes` list")?;
    let mut ids = BTreeSet::new();
    for route in routes {
        ids.insert(route["id"].as_str().ok_or("routes.json: a route without `id`")?.to_owned());
    }

    let mut code = String::from(
        "/// A page of the route table.\n#[allow(missing_docs)]\n\
         #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]\npub enum PageId {\n",
    );
    for id in &ids {
        writeln!(code, "    #[serde(rename = {id:?})]\n    {},", camel(id))?;
    }
    code.push_str(
        "}\n\nimpl PageId {\n    /// Every page, by id.\n    pub const ALL: &[PageId] = &[",
    );
    for id in &ids {
        write!(code, "Self::{}, ", camel(id))?;
    }
    code.push_str("];\n\n    /// The id in the route table and in `data-page`.\n    pub fn as_str(self) -> &'static str {\n        match self {\n");
    for id in &ids {
        writeln!(code, "            Self::{} => {id:?},", camel(id))?;
    }
    code.push_str("        }\n    }\n}\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("page_id.rs"), code)?;
    Ok(())
}

fn camel(id: &str) -> String {
    id.split(['-', '_'])
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}
