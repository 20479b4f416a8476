//! Reader identifiers, which let reads and likes count once per member or visitor.

pub fn member_reader(member: u64) -> String {
    format!("m:{member}")
}

pub fn visitor_reader(visitor: &str) -> String {
    format!("v:{visitor}")
}
