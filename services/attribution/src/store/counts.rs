//! Counts, updated in the same transactions as the events.

use sahm_chassis::error::Result;
use sea_orm::{
    ConnectionTrait, DbErr, ExprTrait, QueryResult,
    sea_query::{Expr, Func, Order, Query, SelectStatement},
};

use super::{EventStore, to_u32, to_u64};
use crate::domain::{CountQuery, Dimension};

/// A row; dimensions that it is not grouped by are empty (0).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountRow {
    /// `YYYY-MM-DD` in Asia/Riyadh.
    pub day: String,
    pub event_name: String,
    pub campaign: String,
    pub channel: String,
    pub sell_client: u32,
    pub count: u64,
}

impl EventStore {
    /// Counts events: the rows with the most events first, and the total.
    pub async fn count(&self, query: &CountQuery) -> Result<(Vec<CountRow>, u64)> {
        let reader = self.store.reader();
        let mut total = filtered(query);
        total.expr(sum());
        let total = match reader.query_one(&total).await? {
            Some(row) => to_u64(row.try_get_by_index::<Option<i64>>(0)?.unwrap_or(0)),
            None => 0,
        };
        let mut rows = filtered(query);
        for dimension in &query.by {
            rows.column(column(*dimension)).add_group_by([Expr::col(column(*dimension))]);
        }
        rows.expr_as(sum(), "total").order_by("total", Order::Desc);
        for dimension in &query.by {
            rows.order_by(column(*dimension), Order::Asc);
        }
        rows.limit(u64::from(query.limit));
        if query.by.is_empty() {
            let row = CountRow { count: total, ..CountRow::default() };
            return Ok((if total > 0 { vec![row] } else { Vec::new() }, total));
        }
        let found = reader.query_all(&rows).await?;
        let found = found.iter().map(|row| count_row(row, &query.by));
        Ok((found.collect::<Result<Vec<_>, DbErr>>()?, total))
    }
}

fn filtered(query: &CountQuery) -> SelectStatement {
    let mut select = Query::select();
    select.from("event_count");
    select.and_where(Expr::col("day").gte(query.from_day.as_str()));
    select.and_where(Expr::col("day").lte(query.to_day.as_str()));
    for (name, value) in [
        ("event_name", &query.event_name),
        ("campaign", &query.campaign),
        ("channel", &query.channel),
    ] {
        if !value.is_empty() {
            select.and_where(Expr::col(name).eq(value.as_str()));
        }
    }
    if query.sell_client > 0 {
        select.and_where(Expr::col("sell_client").eq(i64::from(query.sell_client)));
    }
    select
}

/// PostgreSQL's sum of big integers is a decimal.
fn sum() -> Expr {
    Expr::expr(Func::sum(Expr::col("events"))).cast_as("bigint")
}

fn column(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Day => "day",
        Dimension::EventName => "event_name",
        Dimension::Campaign => "campaign",
        Dimension::Channel => "channel",
        Dimension::SellClient => "sell_client",
    }
}

fn count_row(found: &QueryResult, by: &[Dimension]) -> Result<CountRow, DbErr> {
    let mut row = CountRow::default();
    for (at, dimension) in by.iter().enumerate() {
        match dimension {
            Dimension::Day => row.day = found.try_get_by_index(at)?,
            Dimension::EventName => row.event_name = found.try_get_by_index(at)?,
            Dimension::Campaign => row.campaign = found.try_get_by_index(at)?,
            Dimension::Channel => row.channel = found.try_get_by_index(at)?,
            Dimension::SellClient => {
                row.sell_client = to_u32(i64::from(found.try_get_by_index::<i32>(at)?));
            }
        }
    }
    row.count = to_u64(found.try_get_by_index(by.len())?);
    Ok(row)
}
