use super::*;

/// Codes that callers of the JSON API need not distinguish by number.
const SHARED_NUMBERS: [&[ErrorCode]; 4] = [
    &[ErrorCode::Parameter, ErrorCode::TooLarge, ErrorCode::Rejected],
    &[ErrorCode::Forbidden, ErrorCode::CallerTokenRequired, ErrorCode::GatewayOnly],
    &[ErrorCode::Conflict, ErrorCode::FailedPrecondition],
    &[ErrorCode::Unimplemented, ErrorCode::Unavailable, ErrorCode::TurnedOff],
];

#[test]
fn names_are_unique_and_numbers_are_shared_only_as_listed() {
    for (at, code) in ErrorCode::ALL.into_iter().enumerate() {
        for other in &ErrorCode::ALL[at + 1..] {
            let shares_number = SHARED_NUMBERS
                .iter()
                .any(|shared| shared.contains(&code) && shared.contains(other));
            assert_eq!(code.number() == other.number(), shares_number, "{code:?} {other:?}");
            assert_ne!(code.name(), other.name());
        }
    }
    assert_eq!(ErrorCode::from_number(1), None);
}
