//! The tables, one file each. Columns are named after the domain's fields, which are documented
//! there. The derives generate public items, hence `unreachable_pub`.
#![allow(unreachable_pub)]

pub(super) mod article_listing;
pub(super) mod article_text;
pub(super) mod draft;
pub(super) mod entry;
pub(super) mod entry_count;
pub(super) mod entry_like;
pub(super) mod entry_listing;
pub(super) mod entry_reader;
pub(super) mod media;
pub(super) mod news_tab;
pub(super) mod seed_mark;
pub(super) mod video_progress;
