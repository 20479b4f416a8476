//! The examples of `proto/README.md`: each is a shell block with one `grpcurl` command, followed by a JSON block.

use std::path::Path;

/// A command and its expected output.
pub(crate) struct Example {
    pub(crate) command: String,
    pub(crate) response: serde_json::Value,
}

pub(crate) fn examples() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto/README.md");
    let blocks = blocks(&std::fs::read_to_string(path).unwrap());
    let mut examples = Vec::new();
    let mut rest = blocks.as_slice();
    while let [(kind, command), after @ ..] = rest {
        rest = after;
        if kind != "sh" {
            continue;
        }
        let Some((("json", response), after)) =
            after.split_first().map(|((kind, text), after)| ((kind.as_str(), text), after))
        else {
            panic!("no response after {command}");
        };
        rest = after;
        let response = serde_json::from_str(response).unwrap_or_else(|e| panic!("{e}: {response}"));
        examples.push(Example { command: command.clone(), response });
    }
    examples
}

/// The fenced blocks of a Markdown text: kind and content.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some((kind.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, content))) => {
                content.push_str(line);
                content.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn fenced_blocks_are_parsed() {
    let text = "a\n```sh\none \\\n two\n```\nb\n```json\n{}\n```\n";
    let expected = [("sh", "one \\\n two\n"), ("json", "{}\n")];
    let expected = expected.map(|(kind, content)| (kind.to_owned(), content.to_owned()));
    assert_eq!(blocks(text), expected);
}
