//! Lists the files of `seed/`, to embed them in the binary.
use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Folders of `seed/` whose kinds the importer knows.
const FOLDERS: [&str; 3] = ["college", "help", "news"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("seed");
    println!("cargo::rerun-if-changed=seed");
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();

    let mut code = String::from("[\n");
    for file in &files {
        let name = file.strip_prefix(&root)?.to_str().ok_or("a seed file's name is not UTF-8")?;
        writeln!(code, "    ({name:?}, include_bytes!({file:?}).as_slice()),")?;
    }
    code.push_str("]\n");
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("seed.rs"), code)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
