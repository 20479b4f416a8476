//! Redacted fields (`sahm.options.v1.gateway_only`), which JSON responses and OpenAPI omit.

use std::collections::HashMap;

use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, MessageDescriptor, ReflectMessage,
};

/// The redacted field with the token of the session cookie.
const SESSION_TOKEN: &str = "session_token";

/// The numbers of the redacted fields, by the full name of their message.
#[derive(Debug, Default)]
pub(super) struct RedactedFields(HashMap<String, Vec<u32>>);

impl RedactedFields {
    /// Reads the options of every field in the pool.
    pub(super) fn read(pool: &DescriptorPool) -> Self {
        let Some(option) = pool.get_extension_by_name("sahm.options.v1.gateway_only") else {
            return Self::default();
        };
        let mut redacted = HashMap::<_, Vec<_>>::new();
        for field in pool.all_messages().flat_map(|message| message.fields().collect::<Vec<_>>()) {
            if field.options().get_extension(&option).as_bool().unwrap_or_default() {
                let message = field.parent_message().full_name().to_owned();
                redacted.entry(message).or_default().push(field.number());
            }
        }
        Self(redacted)
    }

    /// The fields of a message that HTTP responses contain, in the order of the proto.
    pub(super) fn public_fields<'a>(
        &'a self,
        message: &'a MessageDescriptor,
    ) -> impl Iterator<Item = FieldDescriptor> + 'a {
        let redacted = self.0.get(message.full_name()).map_or(&[][..], Vec::as_slice);
        message.fields().filter(|field| !redacted.contains(&field.number()))
    }

    /// The token of the session that a response begins.
    pub(super) fn session_token(&self, response: &DynamicMessage) -> Option<String> {
        let descriptor = response.descriptor();
        let field = descriptor.get_field_by_name(SESSION_TOKEN)?;
        let is_redacted = self.0.get(descriptor.full_name())?.contains(&field.number());
        let value = response.get_field(&field);
        let token = value.as_str().filter(|token| is_redacted && !token.is_empty())?;
        Some(token.to_owned())
    }
}
