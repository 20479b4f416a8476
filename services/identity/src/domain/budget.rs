//! Rate-limit budgets (docs/limits-and-timeouts.md): sliding windows, so that no window of a rule's
//! length exceeds its limit.

use std::net::IpAddr;

use super::Phone;

const MINUTE: u32 = 60;
const HOUR: u32 = 3600;

/// At most `limit` events in any `seconds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub limit: u32,
    pub seconds: u32,
}

/// A counted key and its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The counted key, the same on every replica.
    pub key: String,
    pub rules: Vec<Rule>,
    /// Events are counted in buckets of this many seconds.
    pub bucket_seconds: u32,
    /// Number of events in the longest window from which a proof is required.
    pub suspect_at: u32,
}

impl Budget {
    fn new(key: String, rules: &[(u32, u32)], bucket_seconds: u32, suspect_at: u32) -> Budget {
        let rules = rules.iter().map(|&(limit, seconds)| Rule { limit, seconds }).collect();
        Budget { key, rules, bucket_seconds, suspect_at }
    }

    /// The budgets of sending a code. Many people share an address behind a mobile network, and a
    /// range of numbers has 10,000 owners; more than these limits is automated.
    pub fn of_code(phone: &Phone, address: Option<IpAddr>) -> Vec<Budget> {
        let mut budgets = vec![
            Budget::new("code all".into(), &[(5_000, HOUR)], MINUTE, 2_500),
            Budget::new(format!("code range {}", phone.range()), &[(200, HOUR)], MINUTE, 100),
            Budget::new(format!("code phone {}", phone.e164()), &[(1, MINUTE), (5, HOUR)], 1, 3),
        ];
        if !phone.is_saudi() {
            let key = format!("code country {}", phone.tel_code());
            budgets.push(Budget::new(key, &[(500, HOUR)], MINUTE, 100));
        }
        if let Some(address) = address {
            let key = format!("code address {}", network_of(address));
            budgets.push(Budget::new(key, &[(300, HOUR)], MINUTE, 100));
        }
        budgets
    }

    /// The budgets of a password attempt. `account` is one key for all names of a member. One
    /// address can lock an account for itself only; the limit over all addresses is for distributed
    /// guessing.
    pub fn of_password_login(account: &str, address: Option<IpAddr>) -> Vec<Budget> {
        let mut budgets = Budget::of_login("password", account, address);
        let key = format!("login account {account}");
        budgets.push(Budget::new(key, &[(100, HOUR)], MINUTE, 100));
        budgets
    }

    /// The budgets of a code attempt, for any purpose of the code. They are separate from those of
    /// passwords, so that failed passwords do not prevent a login by code. A code allows few
    /// attempts, which limits guesses from many addresses.
    pub fn of_code_login(phone: &Phone, address: Option<IpAddr>) -> Vec<Budget> {
        Budget::of_login("code", &phone.e164(), address)
    }

    fn of_login(method: &str, account: &str, address: Option<IpAddr>) -> Vec<Budget> {
        let network = address.map(network_of);
        let pair = format!("login {method} {account} {}", network.as_deref().unwrap_or("-"));
        let mut budgets = vec![Budget::new(pair, &[(10, 5 * MINUTE)], 1, 10)];
        if let Some(network) = network {
            let key = format!("login address {network}");
            budgets.push(Budget::new(key, &[(60, 5 * MINUTE)], 1, 60));
        }
        budgets
    }

    /// The budget of setting a password.
    pub fn of_password(member: u64) -> Budget {
        Budget::new(format!("password {member}"), &[(10, 5 * MINUTE)], 1, 10)
    }

    /// The budgets of feedback.
    pub fn of_feedback(address: Option<IpAddr>) -> Vec<Budget> {
        let mut budgets = vec![Budget::new("feedback all".into(), &[(1_000, HOUR)], MINUTE, 1_000)];
        if let Some(address) = address {
            let key = format!("feedback address {}", network_of(address));
            budgets.push(Budget::new(key, &[(20, HOUR)], MINUTE, 20));
        }
        budgets
    }

    /// How long an event is counted, in seconds.
    pub fn retention_seconds(&self) -> u32 {
        self.rules.iter().map(|rule| rule.seconds).max().unwrap_or(0) + self.bucket_seconds
    }
}

/// The network of one customer: an IPv4 address, or an IPv6 /64, which every household has.
pub(crate) fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// A sliding-window counter: the beginning of each bucket in epoch seconds, and its count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowCounter(Vec<(u32, u32)>);

impl WindowCounter {
    /// Parses the output of [`WindowCounter::text`]; malformed parts are ignored.
    pub fn read(text: &str) -> WindowCounter {
        let bucket = |bucket: &str| {
            let (begin, count) = bucket.split_once(':')?;
            Some((begin.parse().ok()?, count.parse().ok()?))
        };
        WindowCounter(text.split(',').filter_map(bucket).collect())
    }

    pub fn text(&self) -> String {
        let buckets = self.0.iter().map(|(begin, count)| format!("{begin}:{count}"));
        buckets.collect::<Vec<_>>().join(",")
    }

    /// Seconds until one more event fits every rule; 0 if it fits now.
    pub fn wait(&self, budget: &Budget, now: u32) -> u32 {
        let waits =
            budget.rules.iter().map(|rule| self.wait_for(*rule, budget.bucket_seconds, now));
        waits.max().unwrap_or(0)
    }

    fn wait_for(&self, rule: Rule, bucket_seconds: u32, now: u32) -> u32 {
        // A bucket counts until its last second has left the window.
        let ends =
            |begin: u32| u64::from(begin) + u64::from(bucket_seconds) - 1 + u64::from(rule.seconds);
        let now = u64::from(now);
        let mut live: Vec<_> = self.0.iter().filter(|(begin, _)| ends(*begin) > now).collect();
        live.sort_unstable();
        let mut count: u64 = live.iter().map(|(_, count)| u64::from(*count)).sum();
        let mut wait = 0;
        for (begin, many) in live {
            if count < u64::from(rule.limit) {
                break;
            }
            count -= u64::from(*many);
            wait = ends(*begin) - now;
        }
        u32::try_from(wait).unwrap_or(u32::MAX)
    }

    /// Number of events in the longest window.
    pub fn used(&self, budget: &Budget, now: u32) -> u32 {
        let live = self.0.iter().filter(|(begin, _)| {
            u64::from(*begin) + u64::from(budget.retention_seconds()) > u64::from(now)
        });
        live.map(|(_, count)| count).sum()
    }

    /// Counts one event and forgets those outside all windows.
    pub fn add(&mut self, budget: &Budget, now: u32) {
        let begin = now - now % budget.bucket_seconds.max(1);
        self.0.retain(|(begin, _)| {
            u64::from(*begin) + u64::from(budget.retention_seconds()) > u64::from(now)
        });
        match self.0.iter_mut().find(|(at, _)| *at == begin) {
            Some((_, count)) => *count += 1,
            None => self.0.push((begin, 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const NOW: u32 = 1_795_219_200;

    fn phone_budget() -> Budget {
        let phone = Phone::parse("966", "512345678").unwrap();
        Budget::of_code(&phone, None).remove(2)
    }

    #[test]
    fn budget_allows_one_per_minute_and_five_per_hour() {
        let budget = phone_budget();
        let mut counter = WindowCounter::default();
        for round in 0..5 {
            let now = NOW + round * 60;
            assert_eq!(counter.wait(&budget, now), 0, "{round}");
            counter.add(&budget, now);
            assert_eq!(counter.wait(&budget, now), if round == 4 { 3360 } else { 60 });
            counter = WindowCounter::read(&counter.text());
        }
        assert_eq!(counter.wait(&budget, NOW + 300), 3300);
        assert_eq!(counter.wait(&budget, NOW + 3599), 1);
        assert_eq!(counter.wait(&budget, NOW + 3600), 0);
        assert_eq!(counter.used(&budget, NOW + 300), 5);
    }

    #[test]
    fn event_is_counted_for_the_longest_window_and_its_bucket() {
        let budget = phone_budget();
        let mut counter = WindowCounter::default();
        counter.add(&budget, NOW);
        for (later, used, buckets) in [(0, 1, 1), (3_600, 1, 2), (3_601, 0, 1)] {
            let now = NOW + later;
            assert_eq!(counter.used(&budget, now), used, "{later}");
            let mut both = counter.clone();
            both.add(&budget, now);
            assert_eq!(both.text().split(',').count(), buckets, "{later}");
            assert_eq!(both.used(&budget, now), used + 1, "{later}");
        }
    }

    #[test]
    fn addresses_of_one_network_share_a_budget() {
        for (left, right, same) in [
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("2001:db8::1", "2001:db8::2", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
        ] {
            let networks = [left, right].map(|text| network_of(text.parse().unwrap()));
            assert_eq!(networks[0] == networks[1], same, "{left} {right}");
        }
    }

    #[test]
    fn of_code_has_budgets_for_number_range_and_address() {
        let keys = |code, phone, address: &str| {
            let phone = Phone::parse(code, phone).unwrap();
            let budgets = Budget::of_code(&phone, address.parse().ok());
            budgets.into_iter().map(|budget| budget.key).collect::<Vec<_>>()
        };
        assert_eq!(
            keys("966", "512345678", "192.0.2.1"),
            [
                "code all",
                "code range 96651234",
                "code phone +966512345678",
                "code address 192.0.2.1"
            ]
        );
        assert!(keys("1", "2025550134", "").contains(&"code country 1".to_owned()));
    }

    #[test]
    fn password_and_code_logins_have_separate_budgets() {
        let address = "192.0.2.1".parse().ok();
        let phone = Phone::parse("966", "512345678").unwrap();
        let rows = |budgets: Vec<Budget>| -> Vec<(String, Vec<(u32, u32)>)> {
            let rules = |budget: &Budget| {
                budget.rules.iter().map(|rule| (rule.limit, rule.seconds)).collect()
            };
            budgets.iter().map(|budget| (budget.key.clone(), rules(budget))).collect()
        };
        let row = |key: &str, limit, seconds| (key.to_owned(), vec![(limit, seconds)]);
        let of_address = row("login address 192.0.2.1", 60, 300);
        assert_eq!(
            rows(Budget::of_password_login("+966512345678", address)),
            [
                row("login password +966512345678 192.0.2.1", 10, 300),
                of_address.clone(),
                row("login account +966512345678", 100, 3600),
            ]
        );
        assert_eq!(
            rows(Budget::of_code_login(&phone, address)),
            [row("login code +966512345678 192.0.2.1", 10, 300), of_address]
        );
        assert_eq!(
            rows(Budget::of_code_login(&phone, None)),
            [row("login code +966512345678 -", 10, 300)]
        );
    }

    /// The columns of the table below.
    fn row(budget: &Budget) -> (&str, Vec<(u32, u32)>, u32, u32) {
        let rules = budget.rules.iter().map(|rule| (rule.limit, rule.seconds)).collect();
        (&budget.key, rules, budget.bucket_seconds, budget.suspect_at)
    }

    #[test]
    fn budgets_have_their_rules_buckets_and_threshold() {
        let address = "192.0.2.1".parse().ok();
        let phone = Phone::parse("1", "2025550134").unwrap();
        let budgets = [
            Budget::of_code(&phone, address),
            Budget::of_password_login("7", address),
            Budget::of_code_login(&phone, address),
            vec![Budget::of_password(7)],
            Budget::of_feedback(address),
        ]
        .concat();
        let rows: Vec<_> = budgets.iter().map(row).collect();
        assert_eq!(
            rows,
            [
                ("code all", vec![(5_000, 3_600)], 60, 2_500),
                ("code range 1202555", vec![(200, 3_600)], 60, 100),
                ("code phone +12025550134", vec![(1, 60), (5, 3_600)], 1, 3),
                ("code country 1", vec![(500, 3_600)], 60, 100),
                ("code address 192.0.2.1", vec![(300, 3_600)], 60, 100),
                ("login password 7 192.0.2.1", vec![(10, 300)], 1, 10),
                ("login address 192.0.2.1", vec![(60, 300)], 1, 60),
                ("login account 7", vec![(100, 3_600)], 60, 100),
                ("login code +12025550134 192.0.2.1", vec![(10, 300)], 1, 10),
                ("login address 192.0.2.1", vec![(60, 300)], 1, 60),
                ("password 7", vec![(10, 300)], 1, 10),
                ("feedback all", vec![(1_000, 3_600)], 60, 1_000),
                ("feedback address 192.0.2.1", vec![(20, 3_600)], 60, 20),
            ]
        );
        assert_eq!(Budget::of_feedback(None).len(), 1);
        assert_eq!(budgets[2].retention_seconds(), 3_601);
    }

    proptest! {
        /// Holds for any sequence of attempts.
        #[test]
        fn no_window_exceeds_its_limit(
            gaps in proptest::collection::vec(0_u32..200, 1..200),
            limit in 1_u32..6,
            seconds in 1_u32..900,
            bucket_seconds in 1_u32..61,
        ) {
            let rules = vec![Rule { limit, seconds }];
            let budget = Budget { key: String::new(), rules, bucket_seconds, suspect_at: 0 };
            let (mut counter, mut now, mut taken) = (WindowCounter::default(), NOW, Vec::new());
            for gap in gaps {
                now += gap;
                let wait = counter.wait(&budget, now);
                if wait == 0 {
                    counter.add(&budget, now);
                    taken.push(now);
                } else {
                    // An event is accepted after the announced wait, and not a second earlier.
                    prop_assert_eq!(counter.wait(&budget, now + wait), 0);
                    prop_assert!(counter.wait(&budget, now + wait - 1) > 0);
                }
            }
            for (at, begin) in taken.iter().enumerate() {
                let within = taken[at..].iter().filter(|time| **time < begin + seconds).count();
                prop_assert!(within <= limit as usize);
            }
        }
    }
}
