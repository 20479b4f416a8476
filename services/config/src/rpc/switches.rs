//! Switches of operators.

use sahm_chassis::{caller, clock, error::Result, telemetry::AUDIT_TARGET};
use sahm_proto::config::v1::{SetSwitchRequest, Switch};

use super::ConfigRpc;
use crate::domain::SwitchChange;

impl ConfigRpc {
    pub(super) async fn set_switch(&self, request: SetSwitchRequest) -> Result<Vec<Switch>> {
        let (operator, reason) = (request.operator.clone(), request.reason.clone());
        let change = SwitchChange::parse(request, clock::now())?;
        let (feature, off) = (change.feature.as_str_name(), change.turned_off.is_some());
        let switches = self.store.set_switch(change).await?;
        self.changed.notify();
        let caller = caller::current().service;
        tracing::info!(target: AUDIT_TARGET, feature, off, operator, reason, caller, "switch set");
        Ok(switches)
    }
}
