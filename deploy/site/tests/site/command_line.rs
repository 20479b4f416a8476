//! Arguments of every program, and commands of the services' programs that are commands of `sahm` too.

use std::thread;

use sahm_chassis::telemetry::VERSION;
use sahm_testkit::free_port;

use crate::kit::{Folder, Pairs, pairs, root, run};

struct Program {
    name: &'static str,
    commands: &'static [&'static str],
}

const SITE: Program = Program {
    name: "sahm",
    commands: &[
        "serve",
        "seed",
        "cache",
        "member",
        "switch",
        "content",
        "quotes",
        "identity",
        "config",
        "activity",
        "attribution",
    ],
};
const GATEWAY: Program =
    Program { name: "sahm-gateway", commands: &["serve", "cache", "member", "switch"] };
const SERVICES: [Program; 6] = [
    Program {
        name: "sahm-content",
        commands: &["serve", "migrate", "seed", "import", "discard", "withdraw"],
    },
    Program { name: "sahm-quotes", commands: &["serve", "migrate", "seed", "import"] },
    Program { name: "sahm-identity", commands: &["serve", "migrate", "seed"] },
    Program { name: "sahm-config", commands: &["serve", "migrate", "seed", "import"] },
    Program { name: "sahm-activity", commands: &["serve", "migrate", "seed", "import"] },
    Program { name: "sahm-attribution", commands: &["serve", "migrate", "seed", "replay"] },
];

/// Exit code, standard output and standard error.
fn output(name: &str, arguments: &[&str], settings: &Pairs) -> (Option<i32>, String, String) {
    let output = run(name, arguments, settings);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The commands that `--help` lists.
fn listed(name: &str, path: &[&str]) -> Vec<String> {
    let arguments = [path, &["--help"]].concat();
    let (code, help, error) = output(name, &arguments, &Vec::new());
    assert_eq!((code, &*error), (Some(0), ""), "{name} {arguments:?}");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| line.starts_with("  "));
    let names = commands.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

fn assert_arguments_are_handled(Program { name, commands }: &Program) {
    let dev = pairs([("SAHM_ENV", "dev")]);
    assert_eq!(listed(name, &[]), *commands, "{name}");
    for command in *commands {
        let (code, help, _) = output(name, &[command, "--help"], &dev);
        assert_eq!(code, Some(0), "{name} {command}");
        assert!(help.contains(&format!("Usage: {name} {command}")), "{help}");
    }
    assert_eq!(output(name, &["--version"], &dev).1, format!("{name} {VERSION}\n"));
    let (code, settings, _) = output(name, &["--print-settings"], &dev);
    assert_eq!(code, Some(0), "{name}");
    assert!(settings.lines().any(|line| line == "SAHM_ENV=dev"), "{name}: {settings}");
    let valid = format!("{name}: the settings are valid\n");
    assert_eq!(output(name, &["--check-config"], &dev), (Some(0), valid, String::new()));
    for unknown in ["--unknown", "unknown"] {
        let (code, out, error) = output(name, &[unknown], &dev);
        assert_eq!((code, &*out), (Some(2), ""), "{name} {unknown}");
        assert!(error.contains(&format!("'{unknown}'")), "{name}: {error}");
    }
    let (code, _, error) = output(name, &[commands[0], "--unknown"], &dev);
    assert_eq!(code, Some(2), "{name}");
    assert!(error.contains("'--unknown'"), "{name}: {error}");
}

#[test]
fn every_program_describes_itself_and_rejects_unknown_arguments() {
    thread::scope(|scope| {
        for program in [&SITE, &GATEWAY].into_iter().chain(&SERVICES) {
            scope.spawn(move || assert_arguments_are_handled(program));
        }
    });
}

#[test]
fn commands_of_single_programs_are_commands_of_sahm() {
    for command in GATEWAY.commands {
        assert!(SITE.commands.contains(command), "{command}");
    }
    for command in ["cache", "member", "switch"] {
        assert_eq!(listed("sahm", &[command]), listed("sahm-gateway", &[command]), "{command}");
    }
    for Program { name, commands } in &SERVICES {
        let service = name.strip_prefix("sahm-").unwrap();
        assert_eq!(listed("sahm", &[service]), *commands, "{name}");
    }
}

#[test]
fn commands_of_services_have_the_same_effect_in_either_program() {
    let folder = Folder::new();
    let data = folder.join("data");
    let settings = pairs([
        ("SAHM_DATA_DIR", data.to_str().unwrap()),
        ("SAHM_ADMIN_LISTEN", &format!("127.0.0.1:{}", free_port().unwrap())),
    ]);
    let file = |path: &str| root().join("services").join(path).to_str().unwrap().to_owned();
    let (fees, securities) = (file("config/seed/fees.json"), file("quotes/seed/securities.jsonl"));
    struct Case<'a> {
        service: &'a str,
        arguments: &'a [&'a str],
        code: i32,
        /// A part of the output; the second program finds the first one's change.
        shown: [&'a str; 2],
    }
    let cases = [
        Case {
            service: "config",
            arguments: &["import", &fees],
            code: 0,
            shown: ["changed: config:fees\n", "nothing to change\n"],
        },
        Case {
            service: "config",
            arguments: &["migrate"],
            code: 0,
            shown: ["sahm-config: the schema is up to date\n"; 2],
        },
        Case {
            service: "quotes",
            arguments: &["import", &securities],
            code: 0,
            shown: [" securities, 0 announcements\n"; 2],
        },
        Case {
            service: "quotes",
            arguments: &["import", &fees],
            code: 1,
            shown: ["fees.json: not one of securities.jsonl, announcements.jsonl\n"; 2],
        },
        Case {
            service: "activity",
            arguments: &["seed"],
            code: 0,
            shown: [
                "sahm-activity: the samples are in the store\n",
                "sahm-activity: the store is not empty: nothing is added\n",
            ],
        },
        Case {
            service: "attribution",
            arguments: &["replay", "none"],
            code: 1,
            shown: ["sahm-attribution: no sink 'none'\n"; 2],
        },
    ];
    for Case { service, arguments, code, shown } in cases {
        let single = format!("sahm-{service}");
        let in_site = [&[service], arguments].concat();
        for ((name, arguments), shown) in
            [(&*single, arguments), ("sahm", &in_site)].into_iter().zip(shown)
        {
            let (exit, out, error) = output(name, arguments, &settings);
            assert_eq!(exit, Some(code), "{name} {arguments:?}: {error}");
            assert!(format!("{out}{error}").ends_with(shown), "{name} {arguments:?}: {out}{error}");
        }
    }
}
