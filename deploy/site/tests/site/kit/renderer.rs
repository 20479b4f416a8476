//! The real renderer. It is stateless, so one process serves all sites of the test process.

use std::{net::SocketAddr, path::PathBuf, sync::LazyLock};

use sahm_chassis::lifecycle::Lifecycle;
use sahm_site::{RendererCommand, supervise};
use tokio::{runtime::Runtime, sync::OnceCell};

use super::root;

/// A runtime for what tests share, which must outlive each test's own runtime.
pub(super) static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

static LIFE: LazyLock<Lifecycle> = LazyLock::new(Lifecycle::new);
static SHARED: OnceCell<SocketAddr> = OnceCell::const_new();

/// The Node program: `SAHM_NODE`, else that of the npm package, else that of the machine.
pub(crate) fn node() -> PathBuf {
    let package = root().join("deploy/node/node_modules/node/bin/node");
    match std::env::var_os("SAHM_NODE") {
        Some(node) => node.into(),
        None if package.exists() => package,
        None => "node".into(),
    }
}

/// The built frontend.
pub(crate) fn site_dir() -> PathBuf {
    let folder = root().join("frontend/dist");
    assert!(
        folder.join("site.json").exists() && folder.join("server/renderer.js").exists(),
        "the frontend is not built: run deploy/setup.sh node frontend (make test does)"
    );
    folder
}

/// The address of the shared renderer.
pub(super) async fn shared() -> SocketAddr {
    let start = async || {
        let command = RendererCommand {
            node: node(),
            script: site_dir().join("server/renderer.js"),
            listen: ([127, 0, 0, 1], 0).into(),
        };
        let started = RUNTIME.spawn(async { supervise(command, &LIFE).await });
        started.await.unwrap().unwrap()
    };
    *SHARED.get_or_init(start).await
}
