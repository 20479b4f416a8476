//! gRPC over TLS: mutual trust, clear errors, and reload of certificates.
use std::{fs, net::SocketAddr, path::Path, time::Duration};

use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    lifecycle::bind,
    rpc::{self, Transport},
};
use sahm_testkit::Certificates;
use tonic::{Code, Status};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

use crate::log::CapturedLog;

/// A context with the certificates of a folder.
fn context(folder: Option<&Path>, authorities: Option<&Path>) -> Context {
    let mut pairs = Vec::new();
    let mut add = |name: &str, path: &Path| {
        pairs.push((name.to_owned(), path.to_str().unwrap().to_owned()));
    };
    if let Some(folder) = folder {
        add("SAHM_TLS_CERT", &folder.join("server.pem"));
        add("SAHM_TLS_KEY", &folder.join("server.key"));
    }
    if let Some(path) = authorities {
        add("SAHM_TLS_CA", path);
    }
    Context::new(Settings::from_pairs(Process::Gateway, pairs).unwrap())
}

/// Serves a service that has only the standard health calls.
async fn serve(context: &Context) -> SocketAddr {
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    rpc::serve(listener, rpc::Builder::new(ServiceName::Content, context).build(), context);
    address
}

/// Calls the service over a new connection.
async fn call(url: String, context: &Context) -> Result<(), Status> {
    let mut client = HealthClient::new(Transport::connect(&url, context));
    let mut request = tonic::Request::new(HealthCheckRequest::default());
    request.set_timeout(Duration::from_secs(5));
    client.check(request).await.map(|_| ())
}

fn folder(certificates: &Certificates) -> std::path::PathBuf {
    certificates.certificate().parent().unwrap().to_owned()
}

/// On one thread, because the test captures this thread's log.
#[tokio::test]
async fn both_sides_verify_the_certificate_authority() {
    let (ours, other) = (Certificates::make().unwrap(), Certificates::make().unwrap());
    let (own, foreign) = (folder(&ours), folder(&other));
    let (authority, stranger) = (ours.authority(), other.authority());
    let address = serve(&context(Some(&own), Some(&authority))).await;
    let port = address.port();
    struct Case<'a> {
        name: &'a str,
        identity: Option<&'a Path>,
        trusts: &'a Path,
        url: String,
        failure: Option<&'a str>,
    }
    let tls = |host: &str| format!("https://{host}:{port}");
    let cases = [
        Case {
            name: "trusted by name",
            identity: Some(&own),
            trusts: &authority,
            url: tls("localhost"),
            failure: None,
        },
        Case {
            name: "trusted by address",
            identity: Some(&own),
            trusts: &authority,
            url: tls("127.0.0.1"),
            failure: None,
        },
        Case {
            name: "the server's authority is unknown",
            identity: Some(&own),
            trusts: &stranger,
            url: tls("127.0.0.1"),
            // Both authorities have the same name.
            failure: Some("invalid peer certificate: BadSignature"),
        },
        Case {
            name: "the certificate is for another name",
            identity: Some(&own),
            trusts: &authority,
            url: tls("127.0.0.2"),
            failure: Some("not valid for name"),
        },
        Case {
            name: "the caller has no certificate",
            identity: None,
            trusts: &authority,
            url: tls("127.0.0.1"),
            failure: Some("CertificateRequired"),
        },
        Case {
            name: "the caller's authority is unknown",
            identity: Some(&foreign),
            trusts: &authority,
            url: tls("127.0.0.1"),
            failure: Some("alert"),
        },
        Case {
            name: "the caller uses plaintext",
            identity: Some(&own),
            trusts: &authority,
            url: format!("http://127.0.0.1:{port}"),
            failure: Some(""),
        },
    ];
    // The name of another host resolves to the same server.
    let everywhere = context(Some(&own), Some(&authority));
    let listener = bind(format!("127.0.0.2:{port}").parse().unwrap()).await.unwrap();
    let service = rpc::Builder::new(ServiceName::Content, &everywhere).build();
    rpc::serve(listener, service, &everywhere);
    let log = CapturedLog::start();
    for Case { name, identity, trusts, url, failure } in cases {
        log.take();
        let outcome = call(url, &context(identity, Some(trusts))).await;
        match (outcome, failure) {
            (Ok(()), None) => {}
            (Err(status), Some(failure)) => {
                assert_eq!(status.code(), Code::Unavailable, "{name}");
                let lines = log.take();
                let message = lines.lines().find(|line| line.contains("call failed"));
                let message = message.unwrap_or_else(|| panic!("{name}: {lines}"));
                assert!(message.contains(failure), "{name}: {lines}");
                assert!(
                    message.contains(&format!(":{port}")),
                    "{name}: names the address: {lines}"
                );
            }
            (outcome, _) => panic!("{name}: {outcome:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_certificates_are_reloaded_if_usable() {
    let (first, second) = (Certificates::make().unwrap(), Certificates::make().unwrap());
    let mounted = tempfile::tempdir().unwrap();
    let authority = mounted.path().join("ca.pem");
    let install = |from: &Path, name: &str| {
        fs::copy(from.join(name), mounted.path().join("next")).unwrap();
        fs::rename(mounted.path().join("next"), mounted.path().join(name)).unwrap();
    };
    let install_all = |from: &Path| {
        for name in ["server.pem", "server.key", "ca.pem"] {
            install(from, name);
        }
    };
    install_all(&folder(&first));
    let server = context(Some(mounted.path()), Some(&authority));
    let url = format!("https://{}", serve(&server).await);
    let of_first = context(Some(&folder(&first)), Some(&first.authority()));
    let of_second = context(Some(&folder(&second)), Some(&second.authority()));
    call(url.clone(), &of_first).await.unwrap();
    call(url.clone(), &of_second).await.unwrap_err();

    // The key still belongs to the first certificate, so the previous pair stays in use.
    install(&folder(&second), "server.pem");
    call(url.clone(), &of_first).await.unwrap();

    install_all(&folder(&second));
    call(url.clone(), &of_second).await.unwrap();
    call(url.clone(), &of_first).await.unwrap_err();

    // Changed client certificates are used for new connections.
    let caller = context(Some(mounted.path()), Some(&authority));
    call(url, &caller).await.unwrap();
}

#[tokio::test]
async fn startup_fails_with_unusable_certificate_files() {
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("server.pem"), "no certificate").unwrap();
    fs::write(empty.path().join("server.key"), "no key").unwrap();
    let context = context(Some(empty.path()), None);
    serve(&context).await;
    let message = context.lifecycle.take_failure().unwrap().to_string();
    assert!(message.contains("SAHM_TLS_CERT") && message.contains("server.pem"), "{message}");
}
