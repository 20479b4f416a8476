//! Settings of TLS between processes (docs/operations/tls.md).
use std::path::PathBuf;

use super::reader::Reader;

/// PEM files of TLS between processes.
#[derive(Clone, Debug, Default)]
pub struct TlsSettings {
    /// The certificate of this process; unset: services serve plaintext.
    pub identity: Option<TlsIdentity>,
    /// File of the certificate authorities that both sides trust; unset: callers trust the system's
    /// roots, and services require no client certificate.
    pub authorities: Option<PathBuf>,
}

/// A certificate chain and its private key.
#[derive(Clone, Debug)]
pub struct TlsIdentity {
    /// The file of the chain, the process's own certificate first.
    pub certificate: PathBuf,
    /// The file of the key.
    pub key: PathBuf,
}

impl TlsSettings {
    pub(super) fn read(r: &mut Reader) -> TlsSettings {
        const CERT_SETTING: &str = "SAHM_TLS_CERT";
        const KEY_SETTING: &str = "SAHM_TLS_KEY";
        let (certificate, key) = (r.optional(CERT_SETTING), r.optional(KEY_SETTING));
        for (name, other, is_lone) in [
            (CERT_SETTING, KEY_SETTING, certificate.is_none() && key.is_some()),
            (KEY_SETTING, CERT_SETTING, key.is_none() && certificate.is_some()),
        ] {
            if is_lone {
                r.fault(name, format!("required with {other}"));
            }
        }
        let identity = certificate.zip(key).map(|(certificate, key)| TlsIdentity {
            certificate: certificate.into(),
            key: key.into(),
        });
        TlsSettings { identity, authorities: r.optional("SAHM_TLS_CA").map(PathBuf::from) }
    }
}
