//! Feedback and complaints.

use sahm_chassis::error::{Error, Result};

use super::{Email, PictureKind, phone::digits_of};

/// Letters and digits without ones that look alike.
const TICKET_LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackHead {
    /// 1 to 100 characters.
    pub subject: String,
    /// 1 to 5,000 characters.
    pub content: String,
    /// An email or a telephone number.
    pub contact: String,
}

impl FeedbackHead {
    /// Validates the three texts.
    ///
    /// # Errors
    /// Names each invalid field of `subject`, `content` and `contact`.
    pub fn parse(subject: &str, content: &str, contact: &str) -> Result<FeedbackHead> {
        let (subject, content, contact) = (subject.trim(), content.trim(), contact.trim());
        let digits = digits_of(contact.trim_start_matches('+')).map_or(0, |digits| digits.len());
        let reachable = Email::parse(contact).is_some() || (7..=17).contains(&digits);
        let faults = [
            (within(subject, 100), "subject", "must be 1 to 100 characters"),
            (within(content, 5_000), "content", "must be 1 to 5,000 characters"),
            (
                within(contact, 100) && reachable,
                "contact",
                "must be an email or a telephone number",
            ),
        ];
        let mut faults = faults.into_iter().filter(|(fits, ..)| !fits);
        let Some((_, field, why)) = faults.next() else {
            let [subject, content, contact] = [subject, content, contact].map(str::to_owned);
            return Ok(FeedbackHead { subject, content, contact });
        };
        let first = Error::field(field, why);
        Err(faults.fold(first, |error, (_, field, why)| error.and_field(field, why)))
    }
}

fn within(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count())
}

/// A validated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedbackFile {
    /// A base name, up to 255 characters without control characters.
    pub name: String,
    /// Detected from its content.
    pub kind: PictureKind,
    pub bytes: Vec<u8>,
}

impl FeedbackFile {
    /// Reduces a file name of a client to a base name, without a path or a leading dot.
    pub fn base_name(name: &str) -> String {
        let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let visible: String = base.chars().filter(|character| !character.is_control()).collect();
        let name = visible.trim().trim_start_matches('.');
        if name.is_empty() { "file".to_owned() } else { name.chars().take(255).collect() }
    }
}

/// A feedback to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    pub ticket: Ticket,
    pub head: FeedbackHead,
    /// The member, if one was logged in.
    pub member: Option<u64>,
    /// Epoch seconds.
    pub created_at: u32,
    /// At most three.
    pub files: Vec<FeedbackFile>,
}

/// `FB-`, the day in UTC, and eight random letters and digits: `FB-261121-7Q2KX9MD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket(String);

impl Ticket {
    /// A ticket with this date and 40 random bits.
    pub fn new(now: u32, random: u64) -> Ticket {
        let day = jiff::Timestamp::from_second(now.into()).unwrap_or_default();
        let day = day.strftime("%y%m%d");
        let letter = |at: u32| {
            let index = usize::try_from((random >> (at * 5)) & 31).unwrap_or(0);
            char::from(TICKET_LETTERS[index])
        };
        Ticket(format!("FB-{day}-{}", (0..8).map(letter).collect::<String>()))
    }

    /// Parses a ticket; `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Ticket> {
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        (text.len() == 18 && text.starts_with("FB-") && text.bytes().all(fits))
            .then(|| Ticket(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_are_validated() {
        assert!(FeedbackHead::parse(" a ", "b", "a@b.co").is_ok());
        assert!(FeedbackHead::parse("شكوى", "نص", "+966 51 234 5678").is_ok());
        let long = "a".repeat(5_001);
        for (subject, content, contact, fields) in [
            ("", "b", "a@b.co", "subject"),
            (&long[..101], "b", "a@b.co", "subject"),
            ("a", "", "a@b.co", "content"),
            ("a", &long, "a@b.co", "content"),
            ("a", "b", "", "contact"),
            ("a", "b", "me", "contact"),
            (" ", " ", " ", "subject content contact"),
        ] {
            let error = FeedbackHead::parse(subject, content, contact).expect_err(fields);
            let names: Vec<_> = error.fields().iter().map(|fault| &*fault.field).collect();
            assert_eq!(names.join(" "), fields);
        }
    }

    #[test]
    fn base_name_keeps_no_path_and_is_bounded() {
        for (name, base) in [
            ("a\n\u{0}b.png", "ab.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\pictures\\order.png", "order.png"),
            ("/a/..", "file"),
            ("a/", "file"),
            ("", "file"),
            (" .hidden", "hidden"),
            ("صورة.png", "صورة.png"),
        ] {
            assert_eq!(FeedbackFile::base_name(name), base, "{name:?}");
        }
        assert_eq!(FeedbackFile::base_name(&"é".repeat(300)).chars().count(), 255);
    }

    #[test]
    fn ticket_is_printed_and_parsed() {
        let ticket = Ticket::new(1_795_219_200, 0x00ff_ffff_ffff);
        assert_eq!(ticket.as_str(), "FB-261121-ZZZZZZZZ");
        assert_eq!(Ticket::parse(ticket.as_str()), Some(ticket));
        for invalid in ["", "FB-261121-ZZZZZZZ", "fb-261121-ZZZZZZZZ", "XX-261121-ZZZZZZZZ"] {
            assert_eq!(Ticket::parse(invalid), None, "{invalid}");
        }
    }
}
