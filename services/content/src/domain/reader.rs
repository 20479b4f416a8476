//! The names by which readings and likes are counted once for each member and visitor.

/// The name of a member.
pub fn member_reader(member: u64) -> String {
    format!("m:{member}")
}

/// The name of a visitor.
pub fn visitor_reader(visitor: &str) -> String {
    format!("v:{visitor}")
}
