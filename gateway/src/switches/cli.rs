//! The command `switch`: turns features off and on (docs/operations/switches.md).

use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use sahm_chassis::{
    cli,
    lifecycle::Context,
    settings::{Process, Settings},
};
use sahm_proto::{
    config::v1::{ListSwitchesRequest, SetSwitchRequest, Switch},
    options::v1::Feature,
};

use super::name_of;
use crate::{member_data::reason_of, services::Services};

/// Turns features off and on, on all gateways.
#[derive(Debug, Subcommand)]
pub enum SwitchCommand {
    /// List the features that are turned off
    List,
    /// Turn a feature off
    Off {
        /// The feature to turn off
        feature: FeatureName,
        /// Operator and reason
        #[command(flatten)]
        by: Author,
        /// Message to visitors in English; needs --message-ar
        #[arg(long, requires = "message_ar", default_value = "")]
        message_en: String,
        /// Message to visitors in Arabic; needs --message-en
        #[arg(long, requires = "message_en", default_value = "")]
        message_ar: String,
        /// Seconds after which callers may try again
        #[arg(long, value_name = "SECONDS", default_value_t = 60)]
        retry_after: u32,
    },
    /// Turn a feature on again
    On {
        /// The feature to turn on
        feature: FeatureName,
        /// Operator and reason
        #[command(flatten)]
        by: Author,
    },
}

/// Operator and reason, for the audit log.
#[derive(Debug, Args)]
pub struct Author {
    /// The operator's name, for the audit log
    #[arg(long, value_name = "NAME")]
    operator: String,
    /// The reason, for the audit log
    #[arg(long)]
    reason: String,
}

/// A feature, as the command names it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FeatureName {
    /// Everything: the site shows the maintenance page
    Site,
    /// Logging in
    Login,
    /// Becoming a member
    SignUp,
    /// Verification codes by text message
    Codes,
    /// Feedback and its files
    Uploads,
    /// Streams of prices
    Streams,
}

impl FeatureName {
    pub(super) fn feature(self) -> Feature {
        match self {
            Self::Site => Feature::Site,
            Self::Login => Feature::Login,
            Self::SignUp => Feature::SignUp,
            Self::Codes => Feature::Codes,
            Self::Uploads => Feature::Uploads,
            Self::Streams => Feature::Streams,
        }
    }
}

impl SwitchCommand {
    /// Calls config with the gateway's token, and prints the resulting switches.
    pub fn run(self, process: Process) -> ExitCode {
        cli::run_command(process, async |settings| self.call(settings).await)
    }

    async fn call(self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let context = Context::new(settings.clone());
        let services = Services::connect(&context);
        let turned_off = match self.request() {
            None => services.call(ListSwitchesRequest {}).await.map(|list| list.turned_off),
            Some(request) => services.call(request).await.map(|list| list.turned_off),
        };
        let turned_off = turned_off.map_err(|status| anyhow::anyhow!(reason_of(&status)))?;
        Ok(cli::print(&lines(&turned_off)))
    }

    /// The request to config; `None` for a list.
    fn request(self) -> Option<SetSwitchRequest> {
        let (feature, off, by, message_en, message_ar, retry_after_seconds) = match self {
            Self::List => return None,
            Self::Off { feature, by, message_en, message_ar, retry_after } => {
                (feature, true, by, message_en, message_ar, retry_after)
            }
            Self::On { feature, by } => (feature, false, by, String::new(), String::new(), 0),
        };
        let Author { operator, reason } = by;
        let feature = feature.feature().into();
        Some(SetSwitchRequest {
            feature,
            off,
            message_en,
            message_ar,
            retry_after_seconds,
            operator,
            reason,
        })
    }
}

fn lines(turned_off: &[Switch]) -> String {
    if turned_off.is_empty() {
        return "everything is on".to_owned();
    }
    let line = |switch: &Switch| {
        format!("{} is off: {} ({})", name_of(switch.feature()), switch.reason, switch.operator)
    };
    turned_off.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(subcommand)]
        command: SwitchCommand,
    }

    #[test]
    fn off_and_on_need_an_operator_a_reason_and_both_messages_or_none() {
        for (line, is_valid) in [
            ("list", true),
            ("off site --operator reem --reason r", true),
            ("off sign-up --operator reem --reason r --retry-after 900", true),
            ("off codes --operator reem --reason r --message-en a --message-ar b", true),
            ("on streams --operator reem --reason r", true),
            ("off site", false),
            ("off site --operator reem", false),
            ("off site --operator reem --reason r --message-en a", false),
            ("off site --operator reem --reason r --message-ar a", false),
            ("off everything --operator reem --reason r", false),
            ("on --operator reem --reason r", false),
        ] {
            assert_eq!(Line::try_parse_from(line.split(' ')).is_ok(), is_valid, "{line}");
        }
    }

    #[test]
    fn list_names_features_as_the_command_does() {
        let off = Switch {
            feature: Feature::SignUp.into(),
            operator: "reem".to_owned(),
            reason: "R-1".to_owned(),
            ..Switch::default()
        };
        assert_eq!(lines(&[off]), "sign-up is off: R-1 (reem)");
        assert_eq!(lines(&[]), "everything is on");
    }
}
