//! TLS between processes (docs/operations/tls.md): gRPC servers with a certificate, optionally with
//! client authentication, and clients with a certificate. Certificates are reloaded when their
//! files change.
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::Context;
use futures_util::{Stream, StreamExt, future::ready};
use hyper_rustls::ConfigBuilderExt;
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
    server::WebPkiClientVerifier,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, TlsConnector, client, server};
use tonic::transport::server::{Connected, TcpConnectInfo};

use crate::settings::{TlsIdentity, TlsSettings};

const HTTP2: &[u8] = b"h2";
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_CONCURRENT_HANDSHAKES: usize = 256;

/// TLS of a server with the settings' certificate.
pub(crate) struct ServerTls(Reloading<ServerConfig>);

impl ServerTls {
    /// TLS according to the settings; `None` without a certificate.
    ///
    /// # Errors
    /// A file is invalid; the error names its setting.
    pub(crate) fn load(settings: &TlsSettings) -> anyhow::Result<Option<Arc<ServerTls>>> {
        let Some(identity) = settings.identity.clone() else { return Ok(None) };
        let authorities = settings.authorities.clone();
        let build = move || server_config(&identity, authorities.as_deref());
        Ok(Some(Arc::new(ServerTls(Reloading::new(files(settings), build)?))))
    }

    /// Performs the handshakes of connections. Failed ones are logged and closed.
    pub(crate) fn accept<S>(
        self: Arc<Self>,
        connections: impl Stream<Item = S>,
    ) -> impl Stream<Item = server::TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Connected<ConnectInfo = TcpConnectInfo> + Unpin,
    {
        connections
            .map(move |connection| {
                let acceptor = TlsAcceptor::from(self.0.current());
                async move {
                    let peer = connection.connect_info().remote_addr();
                    let handshake = acceptor.accept(connection).into_fallible();
                    let failure = match timeout(HANDSHAKE_TIMEOUT, handshake).await {
                        Ok(Ok(stream)) => return Some(stream),
                        Ok(Err((error, mut connection))) => {
                            // The client reads the alert with the reason before the connection
                            // closes.
                            let _ = connection.shutdown().await;
                            error.to_string()
                        }
                        Err(_) => format!("no handshake within {HANDSHAKE_TIMEOUT:?}"),
                    };
                    tracing::warn!(?peer, error = failure, "TLS handshake failed");
                    None
                }
            })
            .buffer_unordered(MAX_CONCURRENT_HANDSHAKES)
            .filter_map(ready)
    }
}

/// TLS of a client, with the settings' certificate if there is one.
pub(crate) struct ClientTls(Reloading<ClientConfig>);

impl ClientTls {
    /// TLS according to the settings.
    ///
    /// # Errors
    /// A file is invalid; the error names its setting. The system has no root certificates.
    pub(crate) fn load(settings: &TlsSettings) -> anyhow::Result<Arc<ClientTls>> {
        let own = settings.clone();
        let build = move || client_config(own.identity.as_ref(), own.authorities.as_deref());
        Ok(Arc::new(ClientTls(Reloading::new(files(settings), build)?)))
    }

    /// Performs the handshake of a connection to `host`.
    ///
    /// # Errors
    /// The peer is not trusted, or rejects the handshake.
    pub(crate) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        host: ServerName<'static>,
        connection: S,
    ) -> std::io::Result<client::TlsStream<S>> {
        TlsConnector::from(self.0.current()).connect(host, connection).await
    }
}

/// Checks the files of the settings.
///
/// # Errors
/// A file is invalid; the error names its setting.
pub(crate) fn check(settings: &TlsSettings) -> anyhow::Result<()> {
    ServerTls::load(settings)?;
    if settings.authorities.is_some() {
        ClientTls::load(settings)?;
    }
    Ok(())
}

/// A configuration that is loaded from files and reloaded when one of them changes. While the
/// changed files are invalid, the last good configuration stays in use.
struct Reloading<C> {
    files: Vec<PathBuf>,
    build: Box<dyn Fn() -> anyhow::Result<C> + Send + Sync>,
    state: Mutex<(Vec<Version>, Arc<C>)>,
}

/// Device, inode, time of change with nanoseconds, and length of a file; `None` without a file.
type Version = Option<(u64, u64, i64, i64, u64)>;

impl<C> Reloading<C> {
    fn new(
        files: Vec<PathBuf>,
        build: impl Fn() -> anyhow::Result<C> + Send + Sync + 'static,
    ) -> anyhow::Result<Reloading<C>> {
        let state = (versions(&files), Arc::new(build()?));
        Ok(Reloading { files, build: Box::new(build), state: Mutex::new(state) })
    }

    fn current(&self) -> Arc<C> {
        let now = versions(&self.files);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 != now {
            state.0 = now;
            match (self.build)() {
                Ok(config) => {
                    state.1 = Arc::new(config);
                    tracing::info!(files = ?self.files, "TLS files reloaded");
                }
                Err(error) => tracing::error!(
                    error = format!("{error:#}"),
                    "changed TLS files cannot be used; the previous ones stay in use"
                ),
            }
        }
        state.1.clone()
    }
}

fn versions(files: &[PathBuf]) -> Vec<Version> {
    let version = |path: &PathBuf| {
        let file = fs::metadata(path).ok()?;
        Some((file.dev(), file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
    };
    files.iter().map(version).collect()
}

fn files(settings: &TlsSettings) -> Vec<PathBuf> {
    let identity = settings.identity.iter();
    let identity = identity.flat_map(|own| [own.certificate.clone(), own.key.clone()]);
    identity.chain(settings.authorities.clone()).collect()
}

fn server_config(
    identity: &TlsIdentity,
    authorities: Option<&Path>,
) -> anyhow::Result<ServerConfig> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?;
    let builder = match authorities {
        Some(path) => {
            let roots = Arc::new(roots(path)?);
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build()?;
            builder.with_client_cert_verifier(verifier)
        }
        None => builder.with_no_client_auth(),
    };
    let (chain, key) = chain_and_key(identity)?;
    let mut config = builder.with_single_cert(chain, key).with_context(|| mismatch(identity))?;
    config.alpn_protocols = vec![HTTP2.to_vec()];
    Ok(config)
}

fn client_config(
    identity: Option<&TlsIdentity>,
    authorities: Option<&Path>,
) -> anyhow::Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()?;
    let builder = match authorities {
        Some(path) => builder.with_root_certificates(roots(path)?),
        None => builder.with_native_roots()?,
    };
    let mut config = match identity {
        Some(own) => {
            let (chain, key) = chain_and_key(own)?;
            builder.with_client_auth_cert(chain, key).with_context(|| mismatch(own))?
        }
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = vec![HTTP2.to_vec()];
    Ok(config)
}

fn mismatch(identity: &TlsIdentity) -> String {
    let (certificate, key) = (identity.certificate.display(), identity.key.display());
    format!("SAHM_TLS_CERT: {certificate} and SAHM_TLS_KEY {key} are no pair")
}

fn roots(path: &Path) -> anyhow::Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates("SAHM_TLS_CA", path)? {
        roots.add(certificate).with_context(|| format!("SAHM_TLS_CA: {}", path.display()))?;
    }
    Ok(roots)
}

fn certificates(setting: &str, path: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    let read = || CertificateDer::pem_file_iter(path)?.collect::<Result<Vec<_>, _>>();
    let found = read().with_context(|| format!("{setting}: {}", path.display()))?;
    anyhow::ensure!(!found.is_empty(), "{setting}: {} holds no certificate", path.display());
    Ok(found)
}

fn chain_and_key(
    identity: &TlsIdentity,
) -> anyhow::Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)> {
    let path = &identity.key;
    let key = PrivateKeyDer::from_pem_file(path)
        .with_context(|| format!("SAHM_TLS_KEY: {}", path.display()));
    Ok((certificates("SAHM_TLS_CERT", &identity.certificate)?, key?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sahm_testkit::Certificates;

    use super::*;

    #[test]
    fn check_names_the_setting_of_an_unusable_file() {
        let (one, two) = (Certificates::make().unwrap(), Certificates::make().unwrap());
        struct Case {
            certificate: PathBuf,
            key: PathBuf,
            authorities: Option<PathBuf>,
            error: Option<String>,
        }
        let usable = || Case {
            certificate: one.certificate(),
            key: one.key(),
            authorities: None,
            error: None,
        };
        let certificate = one.certificate();
        let pair = format!(
            "SAHM_TLS_CERT: {} and SAHM_TLS_KEY {} are no pair",
            certificate.display(),
            two.key().display()
        );
        let no_certificate = |setting, path: PathBuf| {
            Some(format!("{setting}: {} holds no certificate", path.display()))
        };
        let cases = [
            usable(),
            Case { authorities: Some(one.authority()), ..usable() },
            Case { key: two.key(), error: Some(pair), ..usable() },
            Case {
                certificate: one.key(),
                error: no_certificate("SAHM_TLS_CERT", one.key()),
                ..usable()
            },
            Case {
                key: certificate.clone(),
                error: Some(format!("SAHM_TLS_KEY: {}", certificate.display())),
                ..usable()
            },
            Case {
                authorities: Some(one.key()),
                error: no_certificate("SAHM_TLS_CA", one.key()),
                ..usable()
            },
        ];
        for Case { certificate, key, authorities, error } in cases {
            let identity = Some(TlsIdentity { certificate, key });
            let settings = TlsSettings { identity, authorities };
            let found = check(&settings).err().map(|error| error.to_string());
            assert_eq!(found, error, "{settings:?}");
        }
        // A client without a certificate.
        let authorities = Some(one.key());
        let found = check(&TlsSettings { identity: None, authorities }).unwrap_err().to_string();
        assert_eq!(Some(found), no_certificate("SAHM_TLS_CA", one.key()));
    }
}
