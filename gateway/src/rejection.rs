//! Why a request is rejected before its handler.

use axum::{body::Body, response::Response};
use http::{StatusCode, header};
use sahm_proto::config::v1::Switch;

use crate::{
    http::error_response::{retry_after, text, unavailable},
    switches,
};

pub(crate) enum Rejection {
    /// Its head is invalid: the status and the reason.
    InvalidHead(StatusCode, &'static str),
    Overloaded,
    /// The site is turned off by this switch.
    Maintenance(Switch),
}

impl Rejection {
    /// The response as a line of text.
    pub(crate) fn text(&self) -> Response<Body> {
        match self {
            Self::InvalidHead(status, reason) => text(*status, reason),
            Self::Overloaded => unavailable(),
            Self::Maintenance(switch) => {
                let line = "maintenance, try again later\n";
                let mut response = text(StatusCode::SERVICE_UNAVAILABLE, line);
                let wait = retry_after(switches::retry_after(switch));
                response.headers_mut().insert(header::RETRY_AFTER, wait);
                response
            }
        }
    }
}
