//! What the protos' own options say (`sahm/options/v1`): which calls need a session, and which
//! fields stay with the gateway.

use std::collections::HashMap;

use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor, ReflectMessage, Value};

const REQUIRED: i32 = 2;

/// The field of an answer that becomes the session cookie.
const SESSION_TOKEN: &str = "session_token";

/// Whether only a member may call it.
pub(super) fn needs_session(method: &MethodDescriptor) -> bool {
    let pool = method.parent_pool();
    let Some(option) = pool.get_extension_by_name("sahm.options.v1.session") else { return false };
    method.options().get_extension(&option).as_enum_number() == Some(REQUIRED)
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
