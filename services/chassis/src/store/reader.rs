//! Read-only connections.
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement,
};
use tonic::async_trait;

use super::health_probe::Watch;

/// Executes queries outside a transaction; writing fails. When the database becomes unavailable,
/// all queries fail immediately, including those in progress.
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

    async fn while_available<T>(
        &self,
        query: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        match &self.watch {
            Some(watch) => watch.while_available(query).await,
            None => query.await,
        }
    }
}

#[async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.while_available(self.pool.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.while_available(self.pool.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.while_available(self.pool.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.while_available(self.pool.query_all_raw(statement)).await
    }
}
