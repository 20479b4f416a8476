//! The command `member`: exports or erases the data that the services store about a member.

use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Subcommand;
use sahm_chassis::{
    cli,
    error::Error,
    lifecycle::Context,
    settings::{Process, Settings},
};
use sahm_proto::privacy::v1::{
    EraseMemberDataRequest, ErasedRecords, ExportMemberDataRequest, ExportMemberDataResponse,
};
use serde_json::{Value, json};

use crate::services::Services;

/// Exports or erases what all services store about a member.
#[derive(Debug, Subcommand)]
pub enum MemberCommand {
    /// Print everything that is stored about a member, one JSON object a line
    Export {
        /// The member's id
        member_id: u64,
        /// The operator's name, for the audit log
        #[arg(long, value_name = "NAME")]
        operator: String,
    },
    /// Erase everything that is stored about a member; repeat it if a service was unavailable
    Erase {
        /// The member's id
        member_id: u64,
        /// The reason, for the audit record, for example the number of the member's request
        #[arg(long)]
        reason: String,
        /// The operator's name, for the audit record and the audit log
        #[arg(long, value_name = "NAME")]
        operator: String,
    },
}

impl MemberCommand {
    /// Calls the configured services with the gateway's token, and prints their responses.
    pub fn run(&self, process: Process) -> ExitCode {
        cli::run_command(process, async |settings| self.call(settings).await)
    }

    async fn call(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let context = Context::new(settings.clone());
        let services = Services::connect(&context);
        match self {
            Self::Export { member_id, operator } => {
                let (member_id, operator) = (*member_id, operator.clone());
                export(&services, ExportMemberDataRequest { member_id, operator }).await?;
            }
            Self::Erase { member_id, reason, operator } => {
                let (member_id, reason, operator) = (*member_id, reason.clone(), operator.clone());
                erase(&services, EraseMemberDataRequest { member_id, reason, operator }).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn export(services: &Services, request: ExportMemberDataRequest) -> anyhow::Result<()> {
    for (service, mut client) in services.member_data() {
        let response = client.export_member_data(request.clone()).await;
        let mut records = response.with_context(|| service.to_string())?.into_inner();
        while let Some(record) = records.message().await.with_context(|| service.to_string())? {
            let ExportMemberDataResponse { kind, json: text } = record;
            let record = serde_json::from_str::<Value>(&text)?;
            let line = json!({ "service": service.as_str(), "kind": kind, "record": record });
            cli::print(&line.to_string());
        }
    }
    Ok(())
}

/// Erases in every available service, so that an unavailable one delays only its own part.
async fn erase(services: &Services, request: EraseMemberDataRequest) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    for (service, mut client) in services.member_data() {
        match client.erase_member_data(request.clone()).await {
            Ok(response) => {
                let erased = response.into_inner().erased.into_iter();
                let erased = erased.map(|ErasedRecords { kind, count }| format!("{count} {kind}"));
                let erased = erased.collect::<Vec<_>>();
                let erased = if erased.is_empty() { "nothing".into() } else { erased.join(", ") };
                cli::print(&format!("{service}: {erased}"));
            }
            Err(status) => failed.push(format!("{service}: {}", reason_of(&status))),
        }
    }
    ensure!(failed.is_empty(), "not erased everywhere, repeat the command: {}", failed.join("; "));
    Ok(())
}

/// Why a call failed: the invalid fields, or else the message of the status.
pub(crate) fn reason_of(status: &tonic::Status) -> String {
    let error = Error::from(status);
    let fields = error.fields().iter().map(|fault| format!("{}: {}", fault.field, fault.why));
    let fields = fields.collect::<Vec<_>>();
    if fields.is_empty() { status.message().to_owned() } else { fields.join(", ") }
}
