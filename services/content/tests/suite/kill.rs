//! The program is killed while readers like an article: no acknowledged like is lost or counted
//! twice.
use std::{collections::BTreeSet, process::Command};

use sahm_chassis::{Context, rpc::Transport};
use sahm_content::domain::EntryKind;
use sahm_proto::content::v1::{OperateLikeRequest, news_service_client::NewsServiceClient};
use sahm_testkit::{
    free_port,
    kill::{Load, Program, kill_rounds},
};
use sea_orm::{ConnectionTrait, Statement};

use crate::{on_both_engines, seeded::visiting, support::Base};

const ARTICLE: u64 = 1001;
const READERS: u32 = 6;

on_both_engines!(acknowledged_likes_survive_kills);

/// Likes the article as one visitor after another, retrying each call until it succeeds.
async fn like(transport: Transport, name: String, load: Load<String>) {
    for at in 0.. {
        let visitor = format!("{name}-{at}");
        let liked = load.until_successful(|| {
            let (mut news, visitor) = (NewsServiceClient::new(transport.clone()), visitor.clone());
            let request = OperateLikeRequest { content_id: ARTICLE, like: Some(true) };
            async move { visiting(&visitor, news.operate_like(request)).await }
        });
        if liked.await.is_none() {
            return;
        }
        load.acknowledge(visitor);
    }
}

async fn acknowledged_likes_survive_kills(base: Base) {
    let port = free_port().unwrap();
    let (address, pairs) = (format!("127.0.0.1:{port}"), base.pairs());
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-content"));
        command
            .env_clear()
            .envs(pairs.clone())
            .env("SAHM_CONTENT_LISTEN", &address)
            .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
            .env("RUST_LOG", "error");
        Program::start(&mut command)
    };
    let context: Context = base.context();
    let transport = Transport::connect(&format!("http://{address}"), &context);
    let work = |load, round, reader| like(transport.clone(), format!("{round}-{reader}"), load);
    let acknowledged = kill_rounds(start, READERS, work).await.unwrap();

    let store = base.open().await;
    let sql = "SELECT voter FROM entry_like WHERE shelf = 'news'";
    let db = store.store().reader();
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await;
    let rows = rows.unwrap();
    let kept: BTreeSet<String> = rows.iter().map(|row| row.try_get("", "voter").unwrap()).collect();
    for visitor in &acknowledged {
        assert!(kept.contains(&format!("v:{visitor}")), "{visitor} is lost");
    }
    // Likes in flight when the program was killed may also be stored: one per reader and round.
    let most = acknowledged.len() + (READERS * sahm_testkit::kill::rounds()) as usize;
    assert!((acknowledged.len()..=most).contains(&kept.len()));
    let counts = store.counts(EntryKind::News, &[ARTICLE]).await.unwrap();
    assert_eq!(counts[&ARTICLE].likes, kept.len() as u64);
}
