//! The content service with real databases: as a library, over its rpcs and as a program.
#![allow(clippy::unwrap_used)]
mod batches;
mod college;
mod commands;
mod drafts;
mod help;
mod images;
mod import;
mod kill;
mod member_data;
mod news;
mod news_page;
mod numbers;
mod rpc;
mod search;
mod seed;
mod seeded;
mod store;
mod support;
mod translation;
mod uploads;
