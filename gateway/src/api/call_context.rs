//! The context of a call: properties of the request that the gateway determines once, before it calls a service.

use std::{net::IpAddr, time::Duration};

use axum::body::Body;
use http::{Method, request::Parts};

use super::{
    body,
    cross_site::CrossSite,
    envelope::Failure,
    operation::Operation,
    params::{BodyType, Params},
};
use crate::{
    client_address::ClientAddress,
    visitor::{self, Locale},
};

/// Timeout of a whole call (docs/limits-and-timeouts.md).
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(8);

pub(super) struct CallContext<'a> {
    pub(super) parts: &'a Parts,
    pub(super) operation: &'a Operation,
    /// Field name (as in the proto) and value of each parameter in the path.
    pub(super) path_values: Vec<(String, String)>,
    /// The parameters of the query; after [`CallContext::read_body`], those of the body.
    params: Params,
    /// The locale of messages for people.
    pub(super) locale: Locale,
    /// The address that limits are counted against.
    pub(super) address: IpAddr,
}

/// The parameters of a query, and the locale of messages: from the query, else from the cookie, else English.
pub(super) fn query(parts: &Parts) -> (Params, Locale) {
    let query = Params::of_query(parts.uri.query().unwrap_or_default());
    let cookie = || visitor::cookie(&parts.headers, "lang").and_then(Locale::parse);
    let locale = query.locale().or_else(cookie).unwrap_or(Locale::EnUs);
    (query, locale)
}

impl<'a> CallContext<'a> {
    pub(super) fn new(
        parts: &'a Parts,
        operation: &'a Operation,
        path_values: Vec<(String, String)>,
        query: Params,
        locale: Locale,
    ) -> Self {
        let (params, address) =
            (query.with_one_language(), ClientAddress::for_limits(&parts.extensions));
        Self { parts, operation, path_values, params, locale, address }
    }

    /// Reads the body of a POST, after the cross-site check.
    ///
    /// # Errors
    /// 415, 413, 408, 400 for an incomplete body, 403. Malformed content is an error of [`CallContext::params`].
    pub(super) async fn read_body(
        &mut self,
        body: Body,
        cross_site: &CrossSite,
    ) -> Result<(), Failure> {
        let Parts { method, headers, .. } = self.parts;
        if matches!(*method, Method::GET | Method::HEAD) {
            return Ok(());
        }
        let kind = BodyType::of(headers).ok_or_else(body::unsupported_type)?;
        let max_bytes = self.operation.policy.max_body_bytes;
        let bytes = body::read(kind, headers, body, max_bytes).await?;
        cross_site.check(headers)?;
        self.params = Params::of_body(kind, &bytes).with_one_language();
        self.locale = self.params.locale().unwrap_or(self.locale);
        Ok(())
    }

    /// # Errors
    /// 400 for malformed parameters.
    pub(super) fn params(&self) -> Result<&Params, Failure> {
        match &self.params {
            Params::Malformed { field, why } => Err(Failure::field(*field, why)),
            params => Ok(params),
        }
    }
}
