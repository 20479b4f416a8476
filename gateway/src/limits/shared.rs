//! Budgets in Redis, shared by all gateways.

use std::{sync::LazyLock, time::Duration};

use redis::Script;

use super::{Address, RateClass};
use crate::redis_connection::{Operation, Redis};

const KEY_PREFIX: &str = "sahm:limit:";

/// [`super::gcra`] on Redis's clock, in microseconds. Keys: the budget. Arguments: interval, burst. Returns 0, or the
/// time until the next request is allowed.
static CHECK: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval = tonumber(ARGV[1])
local until_ = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
local latest = now + interval * tonumber(ARGV[2])
if until_ > latest then return until_ - latest end
redis.call('SET', KEYS[1], string.format('%.0f', until_), 'PX', math.ceil((until_ - now) / 1000))
return 0",
    )
});

/// Counts a request against a budget; `None` if Redis does not respond within `timeout`.
pub(super) async fn check(
    redis: &Redis,
    class: RateClass,
    address: Address,
    timeout: Duration,
) -> Option<Result<(), Duration>> {
    let address = match address {
        Address::V4(address) => format!("4:{address:x}"),
        Address::V6(network) => format!("6:{network:x}"),
        Address::V6Site(site) => format!("6s:{site:x}"),
    };
    let mut script = CHECK.prepare_invoke();
    script
        .key(format!("{KEY_PREFIX}{}:{address}", class.name()))
        .arg(class.interval().as_micros())
        .arg(class.burst());
    let check = async |redis: &mut _| script.invoke_async::<u64>(redis).await;
    match redis.call_briefly(Operation::script("check_rate_limit"), timeout, check).await? {
        0 => Some(Ok(())),
        wait => Some(Err(Duration::from_micros(wait))),
    }
}
