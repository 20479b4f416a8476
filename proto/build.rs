//! Generates messages, clients, servers, canonical JSON and the descriptor set from `sahm/**`.
use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use prost::Message;
use prost_types::{FileDescriptorProto, FileDescriptorSet};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=sahm");
    println!("cargo::rerun-if-changed=google");

    let mut packages = Vec::new();
    let mut files = Vec::new();
    for package in fs::read_dir(root.join("sahm"))? {
        let package = package?;
        packages.push(package.file_name().into_string().map_err(|_| "a package's name")?);
        for file in fs::read_dir(package.path().join("v1"))? {
            files.push(file?.path());
        }
    }
    packages.sort();
    files.sort();

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_source_info(true).include_imports(true).open_files(&files)?;
    // The bytes as protox wrote them: prost's own types would drop the http annotations.
    let bytes = compiler.encode_file_descriptor_set();
    fs::write(out.join("descriptor.bin"), &bytes)?;
    let set = FileDescriptorSet::decode(bytes.as_slice())?;

    let servers = set.file.iter().map(servers).collect::<String>();
    tonic_prost_build::configure().build_transport(false).compile_fds(set)?;
    pbjson_build::Builder::new()
        .register_descriptors(&bytes)?
        // It has a field mask, for which prost's own types have no JSON form; it is gRPC only.
        .exclude([".sahm.identity.v1.SetAccountRequest"])
        .build(&packages.iter().map(|name| format!(".sahm.{name}")).collect::<Vec<_>>())?;
    fs::write(out.join("packages.rs"), modules(&packages, &out) + &servers)?;
    Ok(())
}

/// `pub mod <name> { pub mod v1 { … } }` for each package, of what was generated for it.
fn modules(packages: &[String], out: &Path) -> String {
    let include = |file: String| match out.join(&file).exists() {
        true => format!("include!(concat!(env!(\"OUT_DIR\"), \"/{file}\"));"),
        // A package of options alone has no messages.
        false => String::new(),
    };
    packages
        .iter()
        .map(|name| {
            let messages = include(format!("sahm.{name}.v1.rs"));
            let json = include(format!("sahm.{name}.v1.serde.rs"));
            format!("pub mod {name} {{ pub mod v1 {{ {messages} {json} }} }}\n")
        })
        .collect()
}

/// `impl Gzip` for each generated server of a file.
fn servers(file: &FileDescriptorProto) -> String {
    let module = file.package().trim_start_matches("sahm.").replace('.', "::");
    let servers = file.service.iter().map(|service| {
        let name = service.name();
        let server = format!("{module}::{}_server::{name}Server<T>", snake_case(name));
        format!(
            "impl<T> Gzip for {server} {{\n    fn with_gzip(self) -> Self {{\n        \
             let gzip = tonic::codec::CompressionEncoding::Gzip;\n        \
             self.accept_compressed(gzip).send_compressed(gzip)\n    }}\n}}\n"
        )
    });
    servers.collect()
}

/// `NewsService` → `news_service`.
fn snake_case(name: &str) -> String {
    let letters = name.char_indices().flat_map(|(at, letter)| {
        let separator = (at > 0 && letter.is_ascii_uppercase()).then_some('_');
        separator.into_iter().chain([letter.to_ascii_lowercase()])
    });
    letters.collect()
}
