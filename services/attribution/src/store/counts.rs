//! Counts, updated in the same transactions as the events.

use sahm_chassis::error::Result;
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Select, sea_query::Expr,
};

use super::{
    EventStore,
    entities::event_count::{Column, Entity},
    to_u32, to_u64,
};
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
        let total: Option<Option<i64>> =
            filtered(query).expr(sum()).into_tuple().one(reader).await?;
        let total = to_u64(total.flatten().unwrap_or(0));
        if query.by.is_empty() {
            let row = CountRow { count: total, ..CountRow::default() };
            return Ok((if total > 0 { vec![row] } else { Vec::new() }, total));
        }
        let columns = query.by.iter().map(|dimension| column(*dimension));
        let mut select = filtered(query).expr_as(sum(), "total").order_by_desc(Expr::col("total"));
        for column in columns {
            select = select.column(column).group_by(column).order_by_asc(column);
        }
        let rows = select.limit(u64::from(query.limit)).into_model::<Row>().all(reader).await?;
        Ok((rows.into_iter().map(CountRow::from).collect(), total))
    }
}

fn filtered(query: &CountQuery) -> Select<Entity> {
    let mut select = Entity::find()
        .select_only()
        .filter(Column::Day.gte(query.from_day.as_str()))
        .filter(Column::Day.lte(query.to_day.as_str()));
    for (column, value) in [
        (Column::EventName, &query.event_name),
        (Column::Campaign, &query.campaign),
        (Column::Channel, &query.channel),
    ] {
        if !value.is_empty() {
            select = select.filter(column.eq(value.as_str()));
        }
    }
    if query.sell_client > 0 {
        select = select.filter(Column::SellClient.eq(i64::from(query.sell_client)));
    }
    select
}

/// PostgreSQL's sum of big integers is a decimal.
fn sum() -> Expr {
    Column::Events.sum().cast_as("bigint")
}

fn column(dimension: Dimension) -> Column {
    match dimension {
        Dimension::Day => Column::Day,
        Dimension::EventName => Column::EventName,
        Dimension::Campaign => Column::Campaign,
        Dimension::Channel => Column::Channel,
        Dimension::SellClient => Column::SellClient,
    }
}

/// A row of counts; columns that the query does not select are `None`.
#[derive(FromQueryResult)]
struct Row {
    day: Option<String>,
    event_name: Option<String>,
    campaign: Option<String>,
    channel: Option<String>,
    sell_client: Option<i32>,
    total: i64,
}

impl From<Row> for CountRow {
    fn from(row: Row) -> Self {
        Self {
            day: row.day.unwrap_or_default(),
            event_name: row.event_name.unwrap_or_default(),
            campaign: row.campaign.unwrap_or_default(),
            channel: row.channel.unwrap_or_default(),
            sell_client: to_u32(row.sell_client.unwrap_or(0).into()),
            count: to_u64(row.total),
        }
    }
}
