//! The policy of an operation, from the options of its rpc (`sahm.options.v1`).

use anyhow::Context as _;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor};
use sahm_chassis::error::ErrorCode;
use sahm_proto::options::v1;

use crate::limits::RateClass;

/// Maximum size of a request body if the rpc declares none (docs/limits-and-timeouts.md).
const DEFAULT_MAX_BODY_BYTES: usize = 64 << 10;

#[derive(Clone, Debug)]
pub(super) struct Policy {
    pub(super) session: v1::Session,
    pub(super) rate_class: RateClass,
    pub(super) max_body_bytes: usize,
    pub(super) counts_visitor: bool,
    /// Errors about missing items that are not logged as warnings.
    pub(super) expected_errors: Vec<ErrorCode>,
    /// Whether a missing item is an article, whatever the error code.
    pub(super) is_about_article: bool,
    /// The feature whose switch turns the operation off; if unspecified, only the switch of the whole site does.
    pub(super) feature: v1::Feature,
}

impl Policy {
    /// The policy of an operation of the gateway itself, which requires no session.
    pub(super) fn new(rate_class: RateClass) -> Self {
        Self {
            session: v1::Session::Optional,
            rate_class,
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            counts_visitor: false,
            expected_errors: Vec::new(),
            is_about_article: false,
            feature: v1::Feature::Unspecified,
        }
    }

    /// Reads the options of an rpc; `has_get`: it has a GET path.
    ///
    /// # Errors
    /// An expected error names no error code.
    pub(super) fn of_rpc(method: &MethodDescriptor, has_get: bool) -> anyhow::Result<Self> {
        let (pool, options) = (method.parent_pool(), method.options());
        let session = pool.get_extension_by_name("sahm.options.v1.session");
        let session = session.and_then(|it| options.get_extension(&it).as_enum_number());
        let declared: v1::Policy =
            message_option(pool, &options, "sahm.options.v1.policy").unwrap_or_default();
        let rate_class = match declared.rate_class() {
            v1::RateClass::Reading => RateClass::Reading,
            v1::RateClass::Events => RateClass::Events,
            v1::RateClass::Unspecified if has_get => RateClass::Reading,
            v1::RateClass::Unspecified | v1::RateClass::Other => RateClass::Other,
        };
        let expected_errors = declared.expected_errors.iter().map(|reason| {
            let code = ErrorCode::all().find(|code| code.reason() == *reason);
            code.with_context(|| format!("`{reason}` is not a reason of an error"))
        });
        let default = Self::new(rate_class);
        Ok(Self {
            session: session.and_then(|it| it.try_into().ok()).unwrap_or(default.session),
            max_body_bytes: match usize::try_from(declared.max_body_bytes) {
                Ok(bytes) if bytes > 0 => bytes,
                _ => default.max_body_bytes,
            },
            counts_visitor: declared.counts_visitor,
            expected_errors: expected_errors.collect::<anyhow::Result<_>>()?,
            is_about_article: declared.about_article,
            feature: declared.feature(),
            ..default
        })
    }

    pub(super) fn requires_session(&self) -> bool {
        self.session == v1::Session::Required
    }

    pub(super) fn ends_session(&self) -> bool {
        self.session == v1::Session::Ended
    }
}

/// The value of a message option; `None` if it is not set.
pub(super) fn message_option<T: Message + Default>(
    pool: &DescriptorPool,
    options: &DynamicMessage,
    name: &str,
) -> Option<T> {
    let extension = pool.get_extension_by_name(name).filter(|it| options.has_extension(it))?;
    options.get_extension(&extension).as_message()?.transcode_to().ok()
}
