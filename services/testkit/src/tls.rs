//! TLS servers with certificates of a test's own certificate authority.
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use anyhow::{Context, ensure};
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

const KEY_PARAMETERS: [&str; 6] =
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-batch"];
/// Validity of the certificates in days.
const DAYS: &str = "2";

/// A certificate authority and its certificate for `localhost` and 127.0.0.1.
#[derive(Debug)]
pub struct Certificates {
    folder: TempDir,
}

impl Certificates {
    /// Creates the certificates with the program `openssl`.
    ///
    /// # Errors
    /// The program is missing.
    pub fn make() -> anyhow::Result<Certificates> {
        let folder = tempfile::Builder::new().prefix("sahm-tls-").tempdir()?;
        // The tests' servers read these files directly; PostgreSQL's user reads copies.
        let certificates = Certificates { folder };
        let extensions = "basicConstraints=CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n";
        fs::write(certificates.file("extensions"), extensions)?;
        let authority =
            ["-x509", "-days", DAYS, "-subj", "/CN=Test authority", "-keyout", "ca.key"];
        certificates
            .openssl("req", &[&KEY_PARAMETERS[..], &authority, &["-out", "ca.pem"]].concat())?;
        let request = ["-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"];
        certificates.openssl("req", &[&KEY_PARAMETERS[..], &request].concat())?;
        let sign = ["-req", "-days", DAYS, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
        let files = ["-in", "server.csr", "-extfile", "extensions", "-out", "server.pem"];
        certificates.openssl("x509", &[&sign[..], &files].concat())?;
        Ok(certificates)
    }

    /// The authority's certificate, for `SSL_CERT_FILE` or `sslrootcert`.
    pub fn authority(&self) -> PathBuf {
        self.file("ca.pem")
    }

    /// Path of the server's certificate.
    pub fn certificate(&self) -> PathBuf {
        self.file("server.pem")
    }

    /// Path of the server's private key.
    pub fn key(&self) -> PathBuf {
        self.file("server.key")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn openssl(&self, command: &str, arguments: &[&str]) -> anyhow::Result<()> {
        let output = Command::new("openssl")
            .arg(command)
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .context("cannot run openssl: install the Debian package openssl")?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "openssl {command}: {message}");
        Ok(())
    }

    /// Starts a TLS proxy for HTTP/1.1 and HTTP/2 in front of the server at `behind` and returns
    /// the proxy's address. It ends with the runtime.
    ///
    /// # Errors
    /// No port is free.
    pub async fn proxy(&self, behind: SocketAddr) -> anyhow::Result<SocketAddr> {
        self.proxy_at("127.0.0.1", behind).await
    }

    /// Same as [`Certificates::proxy`], but the proxy listens on this address.
    ///
    /// # Errors
    /// No port is free.
    pub async fn proxy_at(&self, host: &str, behind: SocketAddr) -> anyhow::Result<SocketAddr> {
        let chain = read(&self.certificate())?;
        let key = PrivateKeyDer::from_pem_file(self.key())?;
        let mut config = ServerConfig::builder_with_provider(ring::default_provider().into())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind((host, 0)).await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    // A client that does not trust the certificate closes the connection.
                    let mut outside = acceptor.accept(stream).await?;
                    let mut inside = TcpStream::connect(behind).await?;
                    tokio::io::copy_bidirectional(&mut outside, &mut inside).await
                });
            }
        });
        Ok(address)
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<CertificateDer<'static>>> {
    Ok(CertificateDer::pem_file_iter(path)?.collect::<Result<_, _>>()?)
}
