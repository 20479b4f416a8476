//! The identifiers by which readings and likes are counted once for each member and visitor.

pub fn member_reader(member: u64) -> String {
    format!("m:{member}")
}

pub fn visitor_reader(visitor: &str) -> String {
    format!("v:{visitor}")
}
