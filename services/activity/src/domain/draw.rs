//! Draws. The winners are a pure function of the seed and the tickets, which anybody can repeat.
//! The algorithm is specified in `draw.proto`.

use hmac::{Hmac, KeyInit, Mac};
use sahm_chassis::error::{Error, Result};
use sha2::{Digest, Sha256};
use strum::IntoStaticStr;

use super::Amount;

/// The state of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum DrawState {
    /// Deposits issue tickets.
    Open,
    /// The tickets are fixed.
    Closed,
    /// The seed and the winners are public.
    Revealed,
}

/// The id of a draw: `[a-z0-9-]{1,40}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawId(String);

impl DrawId {
    /// # Errors
    /// Names the field `id`.
    pub fn parse(text: &str) -> Result<DrawId> {
        let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if (1..=40).contains(&text.len()) && text.bytes().all(fits) {
            return Ok(DrawId(text.to_owned()));
        }
        Err(Error::field("id", "1 to 40 small letters, digits and '-'"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The seed of a draw: 32 bytes, secret until the draw is revealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    pub fn random() -> Seed {
        Seed(rand::random())
    }

    /// `None` unless there are 32 bytes.
    pub fn of(bytes: &[u8]) -> Option<Seed> {
        bytes.try_into().ok().map(Seed)
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Published when a draw opens: SHA-256 in hexadecimal digits.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.0))
    }

    /// Published when a draw is revealed.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }
}

/// A draw. Its seed is exposed only after the draw is revealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Draw {
    pub id: String,
    pub activity_id: u64,
    /// Riyals, in the order in which they are drawn.
    pub prizes: Vec<Amount>,
    /// Number of tickets so far.
    pub ticket_count: u32,
    /// See [`tickets_hash`]; empty while the draw is open.
    pub tickets_hash: String,
    /// Epoch seconds.
    pub opened_at: u32,
    /// Epoch seconds; `None` if not yet closed.
    pub closed_at: Option<u32>,
    /// Epoch seconds; `None` if not yet revealed.
    pub revealed_at: Option<u32>,
    seed: Seed,
}

impl Draw {
    /// Opens a draw at `now`.
    pub fn open(id: &DrawId, activity_id: u64, prizes: Vec<Amount>, seed: Seed, now: u32) -> Draw {
        Draw {
            id: id.as_str().to_owned(),
            activity_id,
            prizes,
            ticket_count: 0,
            tickets_hash: String::new(),
            opened_at: now,
            closed_at: None,
            revealed_at: None,
            seed,
        }
    }

    pub fn state(&self) -> DrawState {
        match (self.closed_at, self.revealed_at) {
            (_, Some(_)) => DrawState::Revealed,
            (Some(_), None) => DrawState::Closed,
            (None, None) => DrawState::Open,
        }
    }

    /// The hash of the seed, public from the beginning.
    pub fn seed_hash(&self) -> String {
        self.seed.hash()
    }

    /// The seed, once it is revealed.
    pub fn revealed_seed(&self) -> Option<&Seed> {
        self.revealed_at.map(|_| &self.seed)
    }

    /// The seed, for the store only.
    pub(crate) fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The winning tickets in the order of the prizes; empty until the draw is revealed.
    pub fn wins(&self) -> Vec<u32> {
        self.revealed_seed().map_or_else(Vec::new, |seed| {
            drawn(seed, &self.id, &self.tickets_hash, self.ticket_count, self.prizes.len())
        })
    }

    /// The position and amount of the prize that a ticket won.
    pub fn prize_of(&self, number: u32) -> Option<(usize, Amount)> {
        let at = self.wins().iter().position(|won| *won == number)?;
        Some((at, *self.prizes.get(at)?))
    }
}

/// Published when a draw closes: SHA-256 over `{number} {member}\n` of all tickets in number order,
/// in hexadecimal digits.
pub fn tickets_hash(tickets: impl IntoIterator<Item = (u32, u64)>) -> String {
    let mut hash = Sha256::new();
    for (number, member) in tickets {
        hash.update(format!("{number} {member}\n"));
    }
    hex(&hash.finalize())
}

/// The winning tickets, one for each prize in order, each at most once.
pub fn drawn(
    seed: &Seed,
    draw_id: &str,
    tickets_hash: &str,
    ticket_count: u32,
    prizes: usize,
) -> Vec<u32> {
    let count = u64::from(ticket_count);
    let wanted = prizes.min(usize::try_from(ticket_count).unwrap_or(usize::MAX));
    let mut numbers = Vec::with_capacity(wanted);
    let mut values = (0_u64..).map(|block| value(seed, draw_id, tickets_hash, block));
    while numbers.len() < wanted {
        let Some(value) = values.next() else { break };
        let number = u32::try_from(value % count).unwrap_or(0) + 1;
        if value <= greatest(count) && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// The largest value up to which every remainder modulo `count` is equally likely.
fn greatest(count: u64) -> u64 {
    u64::MAX - (u64::MAX % count + 1) % count
}

fn value(seed: &Seed, draw_id: &str, tickets_hash: &str, block: u64) -> u64 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&seed.0) else { return 0 };
    mac.update(format!("{draw_id}\n{tickets_hash}\n{block}\n").as_bytes());
    let bytes = mac.finalize().into_bytes();
    bytes.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The expected values come from an independent implementation (Python's hashlib and hmac) of
    /// the algorithm in `draw.proto`.
    #[test]
    fn drawn_matches_an_independent_implementation() {
        let seed = Seed(std::array::from_fn(|at| u8::try_from(at).unwrap()));
        assert_eq!(seed.hash(), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
        let tickets = [(1, 7), (2, 7), (3, 9), (4, 12), (5, 12), (6, 12), (7, 12)];
        let hash = tickets_hash(tickets);
        assert_eq!(hash, "4c0b6945fe43f36104d97698384a32e05fe858ecadb2e6776f72a5ecbed0d871");
        assert_eq!(drawn(&seed, "2026-week-1", &hash, 7, 3), [3, 4, 5]);
        assert_eq!(drawn(&seed, "2026-week-2", &hash, 7, 3), [3, 1, 4]);
        assert_eq!(tickets_hash([]), hex(&Sha256::digest("")));
    }

    #[test]
    fn greatest_is_the_end_of_a_whole_range() {
        for (count, value) in
            [(1, u64::MAX), (2, u64::MAX), (3, u64::MAX - 1), (10, u64::MAX - 6), (7, u64::MAX - 2)]
        {
            assert_eq!(greatest(count), value, "{count}");
            assert_eq!(value % count, count - 1);
        }
    }

    #[test]
    fn draw_id_is_parsed() {
        for text in ["a", "2026-week-1", &"9".repeat(40)] {
            assert_eq!(DrawId::parse(text).unwrap().as_str(), text);
        }
        for text in ["", "A", "a b", "a_b", "a\n", &"9".repeat(41)] {
            assert!(DrawId::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_ticket_wins_equally_often() {
        let mut wins = [0_u32; 5];
        for number in 0..5000_u32 {
            let seed = Seed::of(&Sha256::digest(number.to_be_bytes())).unwrap();
            for number in drawn(&seed, "even", "", 5, 1) {
                wins[usize::try_from(number).unwrap() - 1] += 1;
            }
        }
        // Five standard deviations of a fair draw.
        assert!(wins.iter().all(|count| (860..=1140).contains(count)), "{wins:?}");
    }

    proptest! {
        #[test]
        fn drawn_tickets_are_distinct_and_reproducible(
            seed: [u8; 32], count in 0_u32..500, prizes in 0_usize..100,
        ) {
            let seed = Seed(seed);
            let numbers = drawn(&seed, "x", "h", count, prizes);
            prop_assert_eq!(numbers.len(), prizes.min(usize::try_from(count).unwrap()));
            prop_assert!(numbers.iter().all(|number| (1..=count).contains(number)));
            prop_assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
            prop_assert_eq!(&numbers, &drawn(&seed, "x", "h", count, prizes));
            // Fewer prizes do not change the winners of the first ones.
            let fewer = drawn(&seed, "x", "h", count, prizes / 2);
            prop_assert_eq!(&fewer[..], &numbers[..fewer.len()]);
        }
    }
}
