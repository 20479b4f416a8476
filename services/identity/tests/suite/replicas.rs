//! Two replicas on one PostgreSQL database.
use futures_util::future::join_all;
use sahm_chassis::{ErrorCode, clock::Clock};
use sahm_proto::identity::v1::{AuthCodeScene, LogoutRequest};

use crate::support::{NOW, Site, acting, fresh_database, got};

const PHONE: &str = "512345678";

async fn two() -> (Site, Site) {
    let (url, clock) = (fresh_database().await, Clock::fixed(NOW));
    // Concurrently: migrations and seed happen once.
    tokio::join!(Site::on(&url, clock.clone()), Site::on(&url, clock))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_concurrent_attempts_uses_a_code() {
    let (one, two) = two().await;
    let code = one.send(PHONE, AuthCodeScene::Verification).await.unwrap();
    let tries = (0..10).map(|at| {
        let site = if at % 2 == 0 { &one } else { &two };
        site.log_in(PHONE, &code)
    });
    let outcomes = join_all(tries).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let list = sahm_proto::identity::v1::ListMembersRequest::default();
    let members = got(two.members().list_members(list).await).unwrap().items;
    assert_eq!(members.len(), 8, "seven of the seed and one new");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_and_budgets_are_shared_by_replicas() {
    let (one, two) = two().await;
    let sends = [&one, &two, &one, &two].map(|site| site.send(PHONE, AuthCodeScene::Verification));
    let outcomes = join_all(sends).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let codes: Vec<_> = one.sent().into_iter().chain(two.sent()).collect();
    assert_eq!(codes.len(), 1);
    let code = codes[0]["code"].as_str().unwrap();
    let wrong_code = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let tries = (0..5).map(|at| if at % 2 == 0 { &one } else { &two }.log_in(PHONE, &wrong_code));
    assert!(join_all(tries).await.iter().all(Result::is_err));
    assert_eq!(two.log_in(PHONE, code).await.unwrap_err().code(), ErrorCode::Rejected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logout_takes_effect_on_all_replicas() {
    let (one, two) = two().await;
    let (login, caller) = one.member(PHONE).await;
    two.check(&login.session_token).await.unwrap();
    got(acting(&caller, two.passport().logout(LogoutRequest {})).await).unwrap();
    let error = one.check(&login.session_token).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::SessionExpired);
}
