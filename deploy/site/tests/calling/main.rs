#![allow(clippy::unwrap_used, missing_docs)]
//! Runs the examples of `proto/README.md` against the real services, by reflection.

mod grpcurl;
mod readme;
mod shape;

use std::{collections::BTreeSet, net::SocketAddr};

use sahm_chassis::{Context, Process, ServiceName, Settings, lifecycle, rpc};

use self::{grpcurl::Command, readme::Example, shape::difference};

/// Every service on a free port, with the address that the README names.
struct Services {
    context: Context,
    addresses: Vec<(ServiceName, SocketAddr, SocketAddr)>,
    _data: tempfile::TempDir,
}

impl Services {
    async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().to_str().unwrap().to_owned())];
        let settings = Settings::from_pairs(Process::Site, pairs).unwrap();
        let context = Context::new(settings);
        let mut addresses = Vec::new();
        for service in sahm_site::start_services(&context).await.unwrap() {
            let listener = lifecycle::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
            let named = context.settings.service_listen(service.name);
            addresses.push((service.name, named, listener.local_addr().unwrap()));
            rpc::serve(listener, service, &context);
        }
        Self { context, addresses, _data: data }
    }

    /// The service with this default address in the README, and its actual address.
    fn at(&self, named: &str) -> (ServiceName, SocketAddr) {
        let found = self.addresses.iter().find(|(_, default, _)| default.to_string() == named);
        let (name, _, address) = found.unwrap_or_else(|| panic!("no service at {named}"));
        (*name, *address)
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readme_examples_work_unchanged() {
    let services = Services::start().await;
    let examples = readme::examples();
    let mut shown = BTreeSet::new();
    for Example { command, response: expected } in &examples {
        let command = Command::parse(command);
        let (name, address) = services.at(&command.address);
        shown.insert(name);
        let response = command.run(address).await;
        let difference = difference(expected, &response);
        assert!(
            difference.is_none(),
            "{command:?}\n{}\nin {response:#}",
            difference.unwrap_or_default()
        );
    }
    let all = sahm_site::SERVICES.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>();
    assert_eq!(shown, all, "an example for each service");
}
