//! Forwards the parts of a form as messages of the rpc.

use std::time::Duration;

use http::StatusCode;
use multer::{Field, Multipart};
use prost_reflect::{DynamicMessage, Kind, MessageDescriptor, ReflectMessage, Value};
use sahm_chassis::error::Error;
use tokio::sync::mpsc::Sender;

use super::{CALL_TIME, FILES, PATH, too_large};
use crate::{
    api::{
        envelope::Failure,
        fill_locale,
        logging::log_failure,
        params::Params,
        request::{self, Faults},
    },
    visitor::Locale,
};

/// One file.
const FILE_BYTES: usize = 5 << 20;

/// All texts of a form; as much as any other body may hold.
const TEXT_BYTES: usize = 64 << 10;

/// What a text counts for besides its bytes, so that empty ones end too.
const TEXT_COSTS: usize = 32;

/// One message to the service.
const CHUNK_BYTES: usize = 64 << 10;

/// Time without progress after which a form is given up: no part's head and no bytes of a part.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads a form and sends it on.
pub(super) struct Feed<L> {
    input: MessageDescriptor,
    sender: Sender<DynamicMessage>,
    locale: L,
    texts: Vec<(String, String)>,
    text_bytes: usize,
    files: usize,
    head_sent: bool,
}

impl<L: FnMut(&Params) -> Locale> Feed<L> {
    /// Feeds messages of the type `input`, which has `head`, `file` and `chunk`.
    pub(super) fn new(input: MessageDescriptor, sender: Sender<DynamicMessage>, locale: L) -> Self {
        let (texts, text_bytes) = (Vec::new(), 0);
        Self { input, sender, locale, texts, text_bytes, files: 0, head_sent: false }
    }

    /// Reads to the end. The head that the texts make is sent before the files where all texts stand
    /// before them, so that the service judges it early, else behind them.
    pub(super) async fn run(&mut self, multipart: &mut Multipart<'_>) -> Result<(), Failure> {
        while let Some(field) = in_time(multipart.next_field()).await? {
            match field.file_name().map(str::to_owned) {
                Some(name) => self.file(field, name).await?,
                None => self.text(field).await?,
            }
        }
        self.head().await
    }

    async fn text(&mut self, mut field: Field<'_>) -> Result<(), Failure> {
        let name = field.name().unwrap_or_default().to_owned();
        if self.head_sent && self.texts_of_head()?.any(|known| known == name) {
            return Err(fault(name, "is given more than once"));
        }
        self.room(name.len() + TEXT_COSTS)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = in_time(field.chunk()).await? {
            self.room(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.texts.push((name, text)),
            Err(_) => return Err(fault(name, "is not UTF-8")),
        }
        Ok(())
    }

    fn room(&mut self, bytes: usize) -> Result<(), Failure> {
        self.text_bytes += bytes;
        if self.text_bytes <= TEXT_BYTES {
            return Ok(());
        }
        let why = "holds more than 64 KB of text";
        Err(Failure::body(StatusCode::PAYLOAD_TOO_LARGE, why))
    }

    async fn file(&mut self, mut field: Field<'_>, name: String) -> Result<(), Failure> {
        let kind = field.content_type().map(ToString::to_string).unwrap_or_default();
        let mut first = None;
        while name.is_empty() && first.is_none() {
            match in_time(field.chunk()).await? {
                // How browsers send a file field that nothing was chosen for.
                None => return Ok(()),
                Some(bytes) => first = Some(bytes).filter(|bytes| !bytes.is_empty()),
            }
        }
        if self.files == FILES {
            return Err(fault("files", "must be at most 3"));
        }
        let mut missing = self.texts_of_head()?;
        if missing.all(|name| self.texts.iter().any(|(known, _)| *known == name)) {
            self.head().await?;
        }
        let mut head = self.part("file")?;
        for (field, value) in [("name", &name), ("file_name", &name), ("content_type", &kind)] {
            // Which of them the message has is its own affair.
            let _ = head.try_set_field_by_name(field, Value::String(value.clone()));
        }
        self.send("file", Value::Message(head)).await?;
        let mut size = 0;
        loop {
            let mut bytes = match first.take() {
                Some(bytes) => bytes,
                None => match in_time(field.chunk()).await? {
                    Some(bytes) => bytes,
                    None => break,
                },
            };
            size += bytes.len();
            if size > FILE_BYTES {
                return Err(fault(format!("files[{}]", self.files), "is larger than 5 MB"));
            }
            while !bytes.is_empty() {
                let chunk = bytes.split_to(bytes.len().min(CHUNK_BYTES));
                self.send("chunk", Value::Bytes(chunk)).await?;
            }
        }
        self.files += 1;
        Ok(())
    }

    /// Sends the texts, once.
    async fn head(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.head_sent, true) {
            return Ok(());
        }
        let params = Params::Pairs(std::mem::take(&mut self.texts));
        let locale = (self.locale)(&params);
        let descriptor = self.part("head")?.descriptor();
        let mut head = request::message(descriptor, &params, &[]).map_err(Failure::fields)?;
        fill_locale(&mut head, locale);
        self.send("head", Value::Message(head)).await
    }

    /// The texts that the head holds, by the names under which they are sent.
    fn texts_of_head(&self) -> Result<impl Iterator<Item = String> + use<L>, Failure> {
        let fields = self.part("head")?.descriptor();
        let named = |name: &String| name != "locale";
        let names = fields.fields().map(|field| field.json_name().to_owned());
        Ok(names.filter(named).collect::<Vec<_>>().into_iter())
    }

    /// An empty message of a part's type.
    fn part(&self, name: &str) -> Result<DynamicMessage, Failure> {
        let field = self.input.get_field_by_name(name);
        match field.map(|field| field.kind()) {
            Some(Kind::Message(descriptor)) => Ok(DynamicMessage::new(descriptor)),
            _ => Err(misdeclared(name)),
        }
    }

    async fn send(&self, name: &str, value: Value) -> Result<(), Failure> {
        let mut message = DynamicMessage::new(self.input.clone());
        message.try_set_field_by_name(name, value).map_err(|_| misdeclared(name))?;
        match tokio::time::timeout(CALL_TIME, self.sender.send(message)).await {
            Ok(Ok(())) => Ok(()),
            // The service has answered already, and that answer is given.
            Ok(Err(_)) => std::future::pending().await,
            // The service takes no more.
            Err(_) => {
                let error = Error::timeout();
                log_failure(PATH, &[], &error, None);
                Err(Failure::of(&error, str::to_owned))
            }
        }
    }
}

fn misdeclared(name: &str) -> Failure {
    let error = Error::internal(format!("the upload's rpc has no part `{name}`"));
    error.log();
    Failure::of(&error, str::to_owned)
}

fn fault(field: impl Into<String>, why: &str) -> Failure {
    Failure::fields(Faults::from([(field.into(), why.to_owned())]))
}

async fn in_time<T>(read: impl Future<Output = multer::Result<T>>) -> Result<T, Failure> {
    let read = tokio::time::timeout(PROGRESS_TIMEOUT, read).await;
    let read =
        read.map_err(|_| Failure::body(StatusCode::REQUEST_TIMEOUT, "did not arrive in time"))?;
    read.map_err(|error| match error {
        multer::Error::StreamSizeExceeded { .. } => too_large(),
        multer::Error::StreamReadFailed(_) => Failure::body(StatusCode::BAD_REQUEST, "broke off"),
        _ => Failure::body(StatusCode::BAD_REQUEST, "is not a whole multipart form"),
    })
}
