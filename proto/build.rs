//! Generates messages, clients, servers, canonical JSON and the descriptor set from `sahm/**`.
use std::{
    collections::HashSet,
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use prost::Message;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};

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
    let localizations = localizations(&set);
    let requests = unary_requests(&set);
    tonic_prost_build::configure().build_transport(false).compile_fds(set)?;
    pbjson_build::Builder::new()
        .register_descriptors(&bytes)?
        // It has a field mask, for which prost's own types have no JSON form; it is gRPC only.
        .exclude([".sahm.identity.v1.SetAccountRequest"])
        .build(&packages.iter().map(|name| format!(".sahm.{name}")).collect::<Vec<_>>())?;
    fs::write(
        out.join("packages.rs"),
        modules(&packages, &out) + &servers + &localizations + &requests,
    )?;
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

/// `impl UnaryRequest` for the request of each unary rpc.
fn unary_requests(set: &FileDescriptorSet) -> String {
    let has_field = |message: &DescriptorProto, name| {
        message.field.iter().any(|field: &FieldDescriptorProto| field.name() == name)
    };
    let timed =
        messages(set).into_iter().filter(|(_, message)| has_field(message, "next_change_at"));
    let timed: HashSet<String> = timed.map(|(name, _)| name).collect();
    let services = set.file.iter().flat_map(|file| {
        file.service
            .iter()
            .map(|service| (format!("{}.{}", file.package(), service.name()), service))
    });
    let methods = services.flat_map(|(service, descriptor)| {
        descriptor
            .method
            .iter()
            .map(move |method| (format!("/{service}/{}", method.name()), method))
    });
    let unary =
        methods.filter(|(_, method)| !method.client_streaming() && !method.server_streaming());
    let requests = unary.map(|(path, method)| {
        let next_change_at = match timed.contains(method.output_type()) {
            true => {
                "fn next_change_at(response: &Self::Response) -> u32 { response.next_change_at }"
            }
            false => "",
        };
        format!(
            "impl UnaryRequest for {} {{\n    type Response = {};\n    \
             const PATH: &'static str = {path:?};\n    {next_change_at}\n}}\n",
            rust_path(method.input_type()),
            rust_path(method.output_type()),
        )
    });
    requests.collect()
}

/// All messages by full name: `.sahm.page.v1.HomePage`.
fn messages(set: &FileDescriptorSet) -> Vec<(String, &DescriptorProto)> {
    let messages = set.file.iter().flat_map(|file| {
        file.message_type
            .iter()
            .map(|message| (format!(".{}.{}", file.package(), message.name()), message))
    });
    messages.collect()
}

/// `impl Localize` for the messages of `sahm.page.v1` and for those with bilingual fields, direct or nested.
fn localizations(set: &FileDescriptorSet) -> String {
    let messages = messages(set);
    let mut localized: HashSet<&str> = messages
        .iter()
        .filter(|(name, message)| {
            name.starts_with(".sahm.page.v1.") || !bilingual_fields(message).is_empty()
        })
        .map(|(name, _)| name.as_str())
        .collect();
    loop {
        let size = localized.len();
        for (name, message) in &messages {
            if message.field.iter().any(|field| localized.contains(field.type_name())) {
                localized.insert(name);
            }
        }
        if localized.len() == size {
            break;
        }
    }
    messages
        .iter()
        .filter(|(name, _)| localized.contains(name.as_str()))
        .map(|(name, message)| localization(name, message, &localized))
        .collect()
}

/// `impl Localize` for one message.
fn localization(name: &str, message: &DescriptorProto, localized: &HashSet<&str>) -> String {
    let mut body = String::new();
    for (bare, english, arabic) in bilingual_fields(message) {
        let english = match english {
            Some(english) => format!("&mut self.{english}"),
            None => "&mut String::new()".to_owned(),
        };
        body += &format!(
            "localize::localize_field(locale, &mut self.{bare}, {english}, &mut self.{arabic});\n"
        );
        // The name in the market's second language.
        let foreign = format!("ft_{bare}");
        if message.field.iter().any(|field| field.name() == foreign) {
            body += &format!("self.{foreign}.clear();\n");
        }
    }
    for field in message.field.iter().filter(|field| localized.contains(field.type_name())) {
        body += &match field.oneof_index.filter(|_| !field.proto3_optional()) {
            None => format!(
                "self.{}.iter_mut().for_each(|value| value.localize(locale));\n",
                rust_name(field)
            ),
            Some(oneof) => {
                let oneof = message.oneof_decl[oneof as usize].name();
                let package = name.rsplit_once('.').map_or("", |(package, _)| package);
                format!(
                    "if let Some({}::{}::{}::{}(value)) = &mut self.{oneof} {{ value.localize(locale); }}\n",
                    rust_path(package),
                    snake_case(message.name()),
                    camel_case(oneof),
                    camel_case(field.name()),
                )
            }
        };
    }
    format!(
        "impl Localize for {} {{\n    #[allow(unused_variables)]\n    \
         fn localize(&mut self, locale: Locale) {{\n{body}}}\n}}\n",
        rust_path(name)
    )
}

/// The bare, English (where there is one) and Arabic field of each bilingual text.
fn bilingual_fields(message: &DescriptorProto) -> Vec<(String, Option<String>, String)> {
    let has = |name: &String| message.field.iter().any(|field| field.name() == name);
    let fields = message.field.iter().map(FieldDescriptorProto::name);
    fields
        .filter_map(|bare| {
            let english = Some(format!("{bare}_en")).filter(has);
            let arabic = [format!("{bare}_sa"), format!("sa_{bare}")].into_iter().find(has)?;
            Some((bare.to_owned(), english, arabic))
        })
        .collect()
}

/// The Rust name of a field, which differs where the name is a keyword.
fn rust_name(field: &FieldDescriptorProto) -> String {
    match field.name() {
        "type" => "r#type".to_owned(),
        name => name.to_owned(),
    }
}

/// `.sahm.page.v1.HomePage` → `page::v1::HomePage`.
fn rust_path(name: &str) -> String {
    name.trim_start_matches(".sahm.").replace('.', "::")
}

/// `support_detail` → `SupportDetail`.
fn camel_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}

/// `NewsService` → `news_service`.
fn snake_case(name: &str) -> String {
    let letters = name.char_indices().flat_map(|(at, letter)| {
        let separator = (at > 0 && letter.is_ascii_uppercase()).then_some('_');
        separator.into_iter().chain([letter.to_ascii_lowercase()])
    });
    letters.collect()
}
