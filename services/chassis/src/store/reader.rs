//! Connections that read.
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement,
};
use sea_orm_migration::async_trait::async_trait;

use super::health_probe::Watch;

/// Queries outside a transaction. Writing fails. When the database goes away queries fail at once,
/// those that wait for an answer too.
pub struct Reader {
    pool: DatabaseConnection,
    watch: Option<Watch>,
}

impl Reader {
    pub(super) fn new(pool: DatabaseConnection, watch: Option<Watch>) -> Reader {
        Reader { pool, watch }
    }

    pub(super) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    async fn while_up<T>(&self, asked: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        match &self.watch {
            Some(watch) => watch.while_up(asked).await,
            None => asked.await,
        }
    }
}

#[async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.while_up(self.pool.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.while_up(self.pool.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.while_up(self.pool.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.while_up(self.pool.query_all_raw(statement)).await
    }
}
