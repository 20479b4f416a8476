//! Generates messages, clients, servers, canonical JSON and the descriptor set from `sahm/**`.
use std::{env, error::Error, fs, path::PathBuf};

use prost::Message;
use prost_types::FileDescriptorSet;

const PACKAGES: [&str; 4] = ["changes", "config", "content", "page"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=sahm");
    println!("cargo::rerun-if-changed=google");

    let mut files = Vec::new();
    for package in PACKAGES {
        for entry in fs::read_dir(root.join("sahm").join(package).join("v1"))? {
            files.push(entry?.path());
        }
    }
    files.sort();

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_source_info(true).include_imports(true).open_files(&files)?;
    // The bytes as protox wrote them: prost's own types would drop the http annotations.
    let bytes = compiler.encode_file_descriptor_set();
    fs::write(out.join("descriptor.bin"), &bytes)?;
    let set = prost_types_of(&bytes)?;

    tonic_prost_build::configure().build_transport(false).compile_fds(set)?;
    pbjson_build::Builder::new()
        .register_descriptors(&bytes)?
        .build(&PACKAGES.map(|name| format!(".sahm.{name}")))?;
    Ok(())
}

fn prost_types_of(bytes: &[u8]) -> Result<FileDescriptorSet, Box<dyn Error>> {
    Ok(FileDescriptorSet::decode(bytes)?)
}
