//! Building pages: [`client`] asks the renderer, [`html`] writes the document around its output, [`hydration`] is the
//! JSON that the browser continues from, and [`page_builder`] puts them together and falls back where one fails.
//! [`member_page`] builds members' pages, whose shared part [`memo`] remembers.

mod client;
pub(crate) mod html;
mod hydration;
mod member_page;
mod memo;
mod page_builder;

pub(crate) use client::Renderer;
pub(crate) use memo::RenderMemo;
pub(crate) use page_builder::PageBuilder;
