//! The protos' own options (`sahm/options/v1`): the policy of each call, and the fields that only the gateway may see.

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor, ReflectMessage, Value};
use sahm_chassis::error::ErrorCode;

use crate::limits::RateClass;

/// The field of an answer that becomes the session cookie.
const SESSION_TOKEN: &str = "session_token";

/// Maximum size of a request body, bytes, where a policy declares none (docs/limits-and-timeouts.md).
const MAX_BODY_BYTES: usize = 64 << 10;

/// What a call requires of the caller's session, or does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionPolicy {
    Optional,
    Required,
    Ended,
}

/// How the gateway treats a call.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    pub(super) session: SessionPolicy,
    pub(super) rate_class: RateClass,
    pub(super) max_body_bytes: usize,
    pub(super) counts_visitor: bool,
    /// Errors about missing items that occur in normal use.
    pub(super) expected_errors: Vec<ErrorCode>,
    /// Whether a missing item is an article, whichever code says so.
    pub(super) is_about_article: bool,
}

impl Policy {
    /// Reads the options of an rpc; `reads`: it has a GET path.
    ///
    /// # Errors
    /// An expected error is no reason that services answer with.
    pub(super) fn read(method: &MethodDescriptor, reads: bool) -> Result<Self, String> {
        let pool = method.parent_pool();
        let options = method.options();
        let extension = |name: &str| {
            let extension = pool.get_extension_by_name(name)?;
            Some(options.get_extension(&extension).into_owned())
        };
        let session = match extension("sahm.options.v1.session").and_then(|it| it.as_enum_number())
        {
            Some(2) => SessionPolicy::Required,
            Some(3) => SessionPolicy::Ended,
            _ => SessionPolicy::Optional,
        };
        let policy = extension("sahm.options.v1.policy");
        let field = |name: &str| {
            let field = policy.as_ref()?.as_message()?.get_field_by_name(name)?;
            Some(field.into_owned())
        };
        let flag = |name: &str| field(name).and_then(|it| it.as_bool()).unwrap_or_default();
        let rate_class = match field("rate_class").and_then(|it| it.as_enum_number()) {
            Some(1) => RateClass::Reading,
            Some(2) => RateClass::Events,
            None | Some(0) if reads => RateClass::Reading,
            _ => RateClass::Other,
        };
        let max_body_bytes = field("max_body_bytes").and_then(|it| it.as_u32());
        let max_body_bytes = max_body_bytes.and_then(|bytes| usize::try_from(bytes).ok());
        let reasons = field("expected_errors");
        let reasons = reasons.as_ref().and_then(Value::as_list).unwrap_or_default();
        let expected_errors = reasons.iter().filter_map(Value::as_str).map(|reason| {
            let code = ErrorCode::ALL.into_iter().find(|code| code.reason() == reason);
            code.ok_or_else(|| format!("`{reason}` is not a reason of an error"))
        });
        Ok(Self {
            session,
            rate_class,
            max_body_bytes: max_body_bytes.filter(|bytes| *bytes > 0).unwrap_or(MAX_BODY_BYTES),
            counts_visitor: flag("counts_visitor"),
            expected_errors: expected_errors.collect::<Result<_, _>>()?,
            is_about_article: flag("about_article"),
        })
    }
}

/// The fields that never leave over HTTP, by message.
#[derive(Debug, Default)]
pub(super) struct GatewayOnly(HashMap<String, Vec<u32>>);

impl GatewayOnly {
    /// Reads the options of every field in the pool.
    pub(super) fn read(pool: &DescriptorPool) -> Self {
        let Some(option) = pool.get_extension_by_name("sahm.options.v1.gateway_only") else {
            return Self::default();
        };
        let mut fields = HashMap::new();
        for message in pool.all_messages() {
            let hidden = message.fields().filter(|field| {
                field.options().get_extension(&option).as_bool().unwrap_or_default()
            });
            let hidden = hidden.map(|field| field.number()).collect::<Vec<_>>();
            if !hidden.is_empty() {
                fields.insert(message.full_name().to_owned(), hidden);
            }
        }
        Self(fields)
    }

    /// The numbers of a message's fields that stay here.
    pub(super) fn of(&self, message: &str) -> &[u32] {
        self.0.get(message).map_or(&[], Vec::as_slice)
    }

    /// The session that an answer begins.
    pub(super) fn session_token(&self, answer: &DynamicMessage) -> Option<String> {
        let field = answer.descriptor().get_field_by_name(SESSION_TOKEN)?;
        let ours = self.of(answer.descriptor().full_name()).contains(&field.number());
        let value = answer.get_field(&field);
        let token = Value::as_str(&value).filter(|token| ours && !token.is_empty())?;
        Some(token.to_owned())
    }
}
