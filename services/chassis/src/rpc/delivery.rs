//! Whether a failed call may be sent again.
use std::error::Error;

use crate::error::causes;

/// How far a call without a response got: whether a handler may have received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// There was no connection to send it over.
    NotConnected,
    /// The connection closed before the call was sent, or the server refused it unprocessed: with
    /// `REFUSED_STREAM`, or as a stream after the last one of its GOAWAY (RFC 9113, 6.8 and 8.7).
    Refused,
    /// The call was sent, or may have been.
    Unknown,
}

impl Delivery {
    /// Derives it from the error of a channel.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Delivery {
        if causes(error).any(|cause| cause.is::<tonic::ConnectError>()) {
            return Delivery::NotConnected;
        }
        let refused = causes(error).any(|cause| {
            // This is how hyper reports calls that it has not handed to the connection.
            cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled)
                || cause.downcast_ref::<h2::Error>().is_some_and(is_refused)
        });
        if refused { Delivery::Refused } else { Delivery::Unknown }
    }
}

/// A GOAWAY ends only streams that the server has not processed; the others continue.
fn is_refused(error: &h2::Error) -> bool {
    let is_unseen = error.is_go_away() || error.reason() == Some(h2::Reason::REFUSED_STREAM);
    error.is_remote() && is_unseen
}

/// Whether an error, or one of its sources, has this type.
pub(super) fn has_cause<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| cause.is::<E>())
}
