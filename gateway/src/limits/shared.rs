//! Budgets in Redis, shared by all gateways.

use std::{sync::LazyLock, time::Duration};

use redis::Script;

use super::{Address, RateClass};
use crate::redis_connection::{Redis, RedisCall};

const KEY_PREFIX: &str = "sahm:limit:";

/// [`super::gcra`] on Redis's clock.
static CHECK: LazyLock<Script> =
    LazyLock::new(|| Script::new(include_str!("scripts/check_rate_limit.lua")));

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
    let call = RedisCall::BriefScript("check_rate_limit");
    let send = |mut redis| async move { script.invoke_async(&mut redis).await };
    match redis.call(call, timeout, send).await? {
        0_u64 => Some(Ok(())),
        wait => Some(Err(Duration::from_micros(wait))),
    }
}
