#![allow(clippy::unwrap_used)]
use std::io;

use super::*;

/// A resolver of a name with fixed addresses that counts its resolutions.
struct Name(Vec<SocketAddr>, AtomicUsize);

#[tonic::async_trait]
impl Resolve for Name {
    async fn resolve(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Ok(self.0.clone())
    }
}

fn addresses(count: u16) -> Vec<SocketAddr> {
    (1..=count).map(|port| SocketAddr::from(([127, 0, 0, 1], port))).collect()
}

/// A balancer that has resolved its name once.
async fn balance(policy: Policy, count: u16) -> (Arc<Balance>, Arc<Name>) {
    let name = Arc::new(Name(addresses(count), AtomicUsize::new(0)));
    let once = Duration::from_secs(3600);
    let balance = Balance::start("http://content:7001", name.clone(), once, None, policy);
    while balance.addresses() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(name.1.load(Ordering::Relaxed), 1);
    (balance, name)
}

async fn ports<const N: usize>(balance: &Balance) -> [u16; N] {
    let mut ports = [0; N];
    for port in &mut ports {
        *port = balance.pick(&[]).await.unwrap().address.port();
    }
    ports.sort_unstable();
    ports
}

#[tokio::test(start_paused = true)]
async fn least_loaded_address_is_picked() {
    let (balance, _name) = balance(Policy::LeastLoaded, 2).await;
    assert_eq!(ports(&balance).await, [1, 1, 2, 2]);
    let busy = balance.pick(&addresses(2)[..1]).await.unwrap();
    let call = busy.run();
    assert_eq!(ports(&balance).await, [1, 1, 1, 1]);
    drop(call);
    assert_eq!(ports(&balance).await, [1, 1, 2, 2]);
}

#[tokio::test(start_paused = true)]
async fn first_address_is_picked_until_32_calls_are_in_flight() {
    let (balance, _name) = balance(Policy::PickFirst, 2).await;
    let first = balance.pick(&[]).await.unwrap();
    let mut calls: Vec<_> = (0..31).map(|_| first.run()).collect();
    assert_eq!(ports(&balance).await, [1, 1]);
    calls.push(first.run());
    assert_eq!(ports(&balance).await, [2, 2]);
    calls.pop();
    assert_eq!(ports(&balance).await, [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn unreachable_address_is_avoided_for_a_second() {
    let (balance, _name) = balance(Policy::PickFirst, 2).await;
    tokio::time::advance(Duration::from_secs(5)).await;
    let first = balance.pick(&[]).await.unwrap();
    balance.failed(&first);
    tokio::time::advance(Duration::from_millis(999)).await;
    assert_eq!(ports(&balance).await, [2]);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(ports(&balance).await, [1]);
    balance.failed(&first);
    balance.responded(&first);
    assert_eq!(ports(&balance).await, [1]);
}

#[tokio::test(start_paused = true)]
async fn name_is_resolved_early_if_all_addresses_are_tried_but_not_at_each_call() {
    let (balance, name) = balance(Policy::LeastLoaded, 2).await;
    let all = addresses(2);
    struct Case<'a> {
        advance_millis: u64,
        tried: &'a [SocketAddr],
        resolutions: usize,
    }
    for Case { advance_millis, tried, resolutions } in [
        Case { advance_millis: 99, tried: &all, resolutions: 1 },
        Case { advance_millis: 1, tried: &all[..1], resolutions: 1 },
        Case { advance_millis: 0, tried: &[], resolutions: 1 },
        Case { advance_millis: 0, tried: &all, resolutions: 2 },
        Case { advance_millis: 0, tried: &all, resolutions: 2 },
    ] {
        tokio::time::advance(Duration::from_millis(advance_millis)).await;
        balance.pick(tried).await.unwrap();
        assert_eq!(name.1.load(Ordering::Relaxed), resolutions, "{tried:?}");
    }
}
