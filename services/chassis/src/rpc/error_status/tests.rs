#![allow(clippy::unwrap_used)]
use std::time::Duration;

use super::*;

#[test]
fn every_code_survives_a_round_trip() {
    for code in ErrorCode::all() {
        let status = Status::from(Error::of(code));
        assert_eq!(status.code(), code.grpc());
        assert_eq!(Error::from(&status).code(), code, "{code:?}");
        let numbered = ErrorCode::from_number(code.number()).unwrap();
        assert_eq!(numbered.number(), code.number());
        assert_eq!(ErrorCode::from_name(code.name()), Some(code));
    }
}

#[test]
fn every_code_has_the_number_name_and_statuses_of_the_table() {
    use Code as C;
    use ErrorCode as E;
    let cases = [
        (E::Parameter, 10000003, "parameter_exception", 400, C::InvalidArgument),
        (E::TooLarge, 10000003, "too_large", 413, C::ResourceExhausted),
        (E::Rejected, 10000003, "rejected", 422, C::InvalidArgument),
        (E::NotLoggedIn, 10000006, "not_logged_in", 401, C::Unauthenticated),
        (E::SessionExpired, 10000007, "session_expired", 401, C::Unauthenticated),
        (E::SignatureInvalid, 10030001, "signature_invalid", 403, C::PermissionDenied),
        (E::Forbidden, 403, "forbidden", 403, C::PermissionDenied),
        (E::CallerTokenRequired, 403, "caller_token_required", 403, C::Unauthenticated),
        (E::GatewayOnly, 403, "gateway_only", 403, C::PermissionDenied),
        (E::ArticleNotFound, 20390030, "article_not_found", 404, C::NotFound),
        (E::CourseNotFound, 20360014, "course_not_found", 404, C::NotFound),
        (E::DocumentNotFound, 30010002, "document_not_found", 404, C::NotFound),
        (E::NotFound, 404, "not_found", 404, C::NotFound),
        (E::MethodNotAllowed, 405, "method_not_allowed", 405, C::Unimplemented),
        (E::Conflict, 409, "conflict", 409, C::AlreadyExists),
        (E::FailedPrecondition, 409, "failed_precondition", 409, C::FailedPrecondition),
        (E::TooMany, 429, "too_many_requests", 429, C::ResourceExhausted),
        (E::Internal, 500, "internal_error", 500, C::Internal),
        (E::Unimplemented, 503, "unimplemented", 503, C::Unimplemented),
        (E::Unavailable, 503, "unavailable", 503, C::Unavailable),
        (E::TurnedOff, 503, "turned_off", 503, C::FailedPrecondition),
        (E::Timeout, 504, "timeout", 504, C::DeadlineExceeded),
    ];
    assert!(cases.iter().map(|case| case.0).eq(ErrorCode::all()));
    for (code, number, name, http, grpc) in cases {
        let found = (code.number(), code.name(), code.http_status(), code.grpc());
        assert_eq!(found, (number, name, http, grpc), "{code:?}");
    }
}

#[test]
fn status_without_details_is_mapped_by_grpc_code() {
    let cases = [
        (Code::Ok, ErrorCode::Internal),
        (Code::Cancelled, ErrorCode::Unavailable),
        (Code::Unknown, ErrorCode::Internal),
        (Code::InvalidArgument, ErrorCode::Parameter),
        (Code::DeadlineExceeded, ErrorCode::Timeout),
        (Code::NotFound, ErrorCode::NotFound),
        (Code::AlreadyExists, ErrorCode::Conflict),
        (Code::PermissionDenied, ErrorCode::Forbidden),
        (Code::ResourceExhausted, ErrorCode::TooMany),
        (Code::FailedPrecondition, ErrorCode::FailedPrecondition),
        (Code::Aborted, ErrorCode::Conflict),
        (Code::OutOfRange, ErrorCode::TooLarge),
        (Code::Unimplemented, ErrorCode::Unavailable),
        (Code::Internal, ErrorCode::Internal),
        (Code::Unavailable, ErrorCode::Unavailable),
        (Code::DataLoss, ErrorCode::Internal),
        (Code::Unauthenticated, ErrorCode::NotLoggedIn),
    ];
    for (grpc, code) in cases {
        let error = Error::from(&Status::new(grpc, "host 10.0.0.7 said no"));
        assert_eq!(error.code(), code, "{grpc:?}");
        assert!(!error.message().contains("10.0.0.7"), "{error}");
        assert!(!error.to_string().contains("10.0.0.7"), "{error}");
    }
}

#[test]
fn fields_and_retry_delay_are_sent_without_the_source() {
    let error = Error::field("cursor", "not a cursor")
        .and_field("size", "at most 50")
        .with_retry_after(Duration::from_secs(3))
        .with_source("secret table");
    let status = Status::from(error);
    assert!(!format!("{status:?}").contains("secret"));
    let back = Error::from(&status);
    let fields: Vec<_> = back.fields().iter().map(|f| (&*f.field, &*f.why)).collect();
    assert_eq!(fields, [("cursor", "not a cursor"), ("size", "at most 50")]);
    assert_eq!(back.retry_after(), Some(Duration::from_secs(3)));
}

#[test]
fn error_info_has_a_stable_reason_and_the_domain_code() {
    for (code, reason, number) in [
        (ErrorCode::Parameter, "PARAMETER_EXCEPTION", "10000003"),
        (ErrorCode::Rejected, "REJECTED", "10000003"),
        (ErrorCode::ArticleNotFound, "ARTICLE_NOT_FOUND", "20390030"),
        (ErrorCode::FailedPrecondition, "FAILED_PRECONDITION", "409"),
    ] {
        let details = Status::from(Error::of(code)).get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), (reason, DOMAIN));
        assert_eq!(info.metadata["code"], number);
        assert_eq!(info.metadata["name"], code.name());
    }
}

#[test]
fn long_texts_are_cut_so_that_trailers_stay_below_4_kib() {
    let value = "\u{633}".repeat(9000);
    let mut error = Error::new(ErrorCode::Parameter, value.clone());
    for at in 0..500 {
        error = error.and_field(format!("kinds[{at}]"), format!("{value:?} is not searched"));
    }
    let status = Status::from(error.and_field(value.clone(), "is unknown"));
    let mut trailers = http::HeaderMap::new();
    status.add_header(&mut trailers).unwrap();
    let size = trailers.iter().map(|(name, value)| name.as_str().len() + value.len());
    assert!(size.sum::<usize>() < 4096, "{trailers:?}");
    let back = Error::from(&status);
    let first = &back.fields()[0];
    assert_eq!(first.field, "kinds[0]");
    assert!(first.why.ends_with("is not searched"), "{first:?}");
    for text in [status.message(), &first.why] {
        assert!(text.matches('\u{633}').count() <= 64, "{text}");
    }
}

#[test]
fn fields_are_sent_up_to_1536_bytes() {
    let mut error = Error::of(ErrorCode::Parameter);
    for _ in 0..13 {
        error = error.and_field("f".repeat(28), "w".repeat(100));
    }
    assert_eq!(Error::from(Status::from(error)).fields().len(), 12);
}
