//! The entities of all stores: SeaORM's prelude with an empty `Relation`, and the macro that
//! declares them.
pub use sea_orm::entity::prelude::*;

/// Empty: no query joins tables through SeaORM.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

/// Declares a SeaORM entity for each table, in a module that the parent module can use. The types
/// of columns are those of the fields; the migrations define the schema.
///
/// ```text
/// tables! {
///     /// The countries of members.
///     member_country("member_country") {
///         #[sea_orm(primary_key, auto_increment = false)]
///         pub member_id: i64,
///         pub country_code: String,
///     }
/// }
/// ```
#[macro_export]
macro_rules! tables {
    ($($(#[$doc:meta])* $module:ident($table:literal) { $($columns:tt)* })*) => {
        $(
            $(#[$doc])*
            #[allow(unreachable_pub, reason = "the derive generates public items")]
            pub(super) mod $module {
                use $crate::store::entity::*;

                #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
                #[sea_orm(table_name = $table)]
                pub struct Model {
                    $($columns)*
                }

                impl ActiveModelBehavior for ActiveModel {}
            }
        )*
    };
}
