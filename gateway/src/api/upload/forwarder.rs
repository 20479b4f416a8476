//! Forwards the parts of a multipart form as messages of the rpc.

use std::{sync::OnceLock, time::Duration};

use http::StatusCode;
use multer::{Field, Multipart};
use prost_reflect::{Kind, MessageDescriptor};
use sahm_chassis::error::Error;
use sahm_proto::identity::v1::{
    FeedbackHead, FileHead, SubmitFeedbackRequest, submit_feedback_request::Part,
};
use tokio::sync::mpsc::Sender;

use crate::{
    api::{
        call_context::CALL_TIMEOUT,
        envelope::Failure,
        logging::logged_failure,
        operation::Operation,
        params::{Params, REPEATED},
        request,
    },
    dynamic_grpc_client::Rpc,
    visitor::Locale,
};

/// Maximum number of files in a form (docs/limits-and-timeouts.md).
pub(in crate::api) const MAX_FILES: usize = 3;

const MAX_FILE_BYTES: usize = 5 << 20;

/// Maximum total size of the texts of a form, as of any other body.
const MAX_TEXT_BYTES: usize = 64 << 10;

/// Added to the size of each text, to bound the number of empty texts.
const TEXT_OVERHEAD_BYTES: usize = 32;

/// Maximum size of one message to the service, bytes.
const MAX_CHUNK_BYTES: usize = 64 << 10;

/// Timeout of each read: of a part's head, and of each chunk.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(30);

/// A message to the service; `None` ends a complete form.
pub(super) type Forwarded = Option<SubmitFeedbackRequest>;

pub(super) struct MultipartForwarder<'a> {
    operation: &'a Operation,
    /// Descriptor of the message with the texts.
    head: Option<MessageDescriptor>,
    sender: Sender<Forwarded>,
    locale: &'a OnceLock<Locale>,
    texts: Vec<(String, String)>,
    text_bytes: usize,
    files: usize,
    is_head_sent: bool,
}

impl<'a> MultipartForwarder<'a> {
    /// Forwards to `sender`, and sets `locale` to the locale that the form names.
    pub(super) fn new(
        rpc: &Rpc,
        operation: &'a Operation,
        sender: Sender<Forwarded>,
        locale: &'a OnceLock<Locale>,
    ) -> Self {
        let head = rpc.input().get_field_by_name("head").map(|field| field.kind());
        let head = head.and_then(|kind| match kind {
            Kind::Message(descriptor) => Some(descriptor),
            _ => None,
        });
        Self {
            operation,
            head,
            sender,
            locale,
            texts: Vec::new(),
            text_bytes: 0,
            files: 0,
            is_head_sent: false,
        }
    }

    /// Reads the form to its end. Texts that precede all files are sent first, so that the service validates them
    /// early.
    ///
    /// # Errors
    /// The form is invalid, or the service timed out.
    pub(super) async fn run(&mut self, mut form: Multipart<'_>) -> Result<(), Failure> {
        while let Some(field) = in_time(form.next_field()).await? {
            match field.file_name().map(str::to_owned) {
                Some(name) => self.file(field, name).await?,
                None => self.text(field).await?,
            }
        }
        self.send_head().await?;
        self.send(None).await
    }

    async fn text(&mut self, mut field: Field<'_>) -> Result<(), Failure> {
        let name = field.name().unwrap_or_default().to_owned();
        if self.is_head_sent && self.head_texts().any(|known| known == name) {
            return Err(Failure::field(name, REPEATED));
        }
        self.count_text(name.len() + TEXT_OVERHEAD_BYTES)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = in_time(field.chunk()).await? {
            self.count_text(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.texts.push((name, text)),
            Err(_) => return Err(Failure::field(name, "is not UTF-8")),
        }
        Ok(())
    }

    fn count_text(&mut self, bytes: usize) -> Result<(), Failure> {
        self.text_bytes += bytes;
        if self.text_bytes <= MAX_TEXT_BYTES {
            return Ok(());
        }
        let why = "holds more than 64 KB of text";
        Err(Failure::body(StatusCode::PAYLOAD_TOO_LARGE, why))
    }

    async fn file(&mut self, mut field: Field<'_>, name: String) -> Result<(), Failure> {
        let content_type = field.content_type().map(ToString::to_string).unwrap_or_default();
        let mut first = None;
        while name.is_empty() && first.is_none() {
            match in_time(field.chunk()).await? {
                // Browsers send an empty file without a name if no file was chosen.
                None => return Ok(()),
                Some(bytes) => first = Some(bytes).filter(|bytes| !bytes.is_empty()),
            }
        }
        if self.files == MAX_FILES {
            return Err(Failure::field("files", format!("must be at most {MAX_FILES}")));
        }
        if self.head_texts().all(|name| self.texts.iter().any(|(known, _)| *known == name)) {
            self.send_head().await?;
        }
        self.send_part(Part::File(FileHead { name, content_type })).await?;
        let mut size = 0;
        while let Some(mut bytes) = match first.take() {
            Some(bytes) => Some(bytes),
            None => in_time(field.chunk()).await?,
        } {
            size += bytes.len();
            if size > MAX_FILE_BYTES {
                return Err(Failure::field(
                    format!("files[{}]", self.files),
                    "is larger than 5 MB",
                ));
            }
            while !bytes.is_empty() {
                let chunk = bytes.split_to(bytes.len().min(MAX_CHUNK_BYTES));
                self.send_part(Part::Chunk(chunk.into())).await?;
            }
        }
        self.files += 1;
        Ok(())
    }

    /// Sends the message with the texts, once.
    async fn send_head(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.is_head_sent, true) {
            return Ok(());
        }
        let texts = Params::Pairs(std::mem::take(&mut self.texts));
        if let Some(locale) = texts.locale() {
            self.locale.get_or_init(|| locale);
        }
        let misdeclared = |error: Error| logged_failure(self.operation, &error);
        let descriptor = self.head.as_ref();
        let descriptor =
            descriptor.ok_or_else(|| misdeclared(Error::internal("the rpc has no `head`")))?;
        let (head, errors) = request::read(descriptor, &texts, &[]);
        if !errors.is_empty() {
            return Err(Failure::fields(errors));
        }
        let head = head.transcode_to::<FeedbackHead>().map_err(Error::internal);
        self.send_part(Part::Head(head.map_err(misdeclared)?)).await
    }

    /// The texts of the head, by their names in the form.
    fn head_texts(&self) -> impl Iterator<Item = String> {
        let fields = self.head.iter().flat_map(MessageDescriptor::fields);
        fields.map(|field| field.json_name().to_owned())
    }

    async fn send_part(&self, part: Part) -> Result<(), Failure> {
        self.send(Some(SubmitFeedbackRequest { part: Some(part) })).await
    }

    async fn send(&self, message: Forwarded) -> Result<(), Failure> {
        match tokio::time::timeout(CALL_TIMEOUT, self.sender.send(message)).await {
            Ok(Ok(())) => Ok(()),
            // The service has responded early; the caller returns that response.
            Ok(Err(_)) => std::future::pending().await,
            // The service has stopped reading.
            Err(_) => Err(logged_failure(self.operation, &Error::timeout())),
        }
    }
}

/// 413 for a form that is larger than `max_bytes`.
pub(super) fn too_large(max_bytes: u64) -> Failure {
    let why = format!("is larger than {} MB", max_bytes >> 20);
    Failure::body(StatusCode::PAYLOAD_TOO_LARGE, &why)
}

async fn in_time<T>(read: impl Future<Output = multer::Result<T>>) -> Result<T, Failure> {
    let read = tokio::time::timeout(PROGRESS_TIMEOUT, read).await;
    let late = || Failure::body(StatusCode::REQUEST_TIMEOUT, "did not arrive in time");
    read.map_err(|_| late())?.map_err(|error| match error {
        multer::Error::StreamSizeExceeded { limit } => too_large(limit),
        multer::Error::StreamReadFailed(_) => Failure::body(StatusCode::BAD_REQUEST, "broke off"),
        _ => Failure::body(StatusCode::BAD_REQUEST, "is not a whole multipart form"),
    })
}
