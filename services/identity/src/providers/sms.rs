//! Text messages.
//!
//! HTTP: `POST` with `{"to": "+966…", "text": "…", "scene": 1}` and the bearer token; any 2xx means
//! that the message was accepted. Local: the code is printed on the terminal and appended to
//! `outbox/sms.jsonl` in the data directory.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use sahm_chassis::{
    error::{Error, Result},
    outbound::Outbound,
    settings::Endpoint,
};
use serde_json::json;

use crate::domain::{AuthCode, Phone, Scene};

/// A message with a code.
pub struct TextMessage<'a> {
    /// The recipient.
    pub phone: &'a Phone,
    /// The purpose of the code.
    pub scene: Scene,
    /// The code.
    pub code: &'a AuthCode,
    /// Whether the message is in Arabic.
    pub in_arabic: bool,
    /// Epoch seconds.
    pub now: u32,
}

impl TextMessage<'_> {
    /// The text of the message.
    fn text(&self) -> String {
        let code = self.code.digits();
        if self.in_arabic {
            return format!("رمز التحقق لتطبيق سهم: {code}. صالح لمدة 5 دقائق. لا تشاركه مع أحد.");
        }
        format!("Your Sahm verification code is {code}. Valid for 5 minutes. Never share it.")
    }
}

/// Sends text messages.
#[derive(Clone, Debug)]
pub enum Sms {
    /// Over HTTP.
    Http(Box<(Outbound, Endpoint)>),
    /// To the terminal and this file.
    Local(PathBuf),
}

impl Sms {
    /// Sends a message.
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn send(&self, message: TextMessage<'_>) -> Result<()> {
        match self {
            Sms::Http(provider) => {
                let (client, endpoint) = &**provider;
                let body = json!({
                    "to": message.phone.e164(),
                    "text": message.text(),
                    "scene": message.scene.number(),
                });
                let response = client.post_json(endpoint, &body).await;
                let status =
                    response.map_err(|e| Error::unavailable(e.context("sms provider")))?.status;
                if !status.is_success() {
                    return Err(Error::unavailable(format!("sms provider: {status}")));
                }
                Ok(())
            }
            Sms::Local(path) => {
                let line = json!({
                    "telCode": message.phone.tel_code(),
                    "phone": message.phone.national(),
                    "scene": message.scene.number(),
                    "code": message.code.digits(),
                    "time": message.now,
                });
                let shown = format!(
                    "sms to {} (scene {}): code {}\n",
                    message.phone.e164(),
                    message.scene.number(),
                    message.code.digits()
                );
                let path = path.clone();
                let appended =
                    tokio::task::spawn_blocking(move || append_line(&path, &line.to_string()));
                appended.await.map_err(Error::internal)?.map_err(Error::unavailable)?;
                // Not logged, because codes must not reach readers of the log. A closed terminal
                // does not prevent the login.
                let _ = io::stdout().write_all(shown.as_bytes());
                Ok(())
            }
        }
    }
}

/// Appends a whole line, also concurrently with other processes.
fn append_line(path: &Path, line: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}
