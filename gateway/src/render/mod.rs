//! Builds pages: [`client`] calls the renderer, [`html`] writes the document around its output, [`hydration`]
//! serialises the data for the browser, and [`page_builder`] combines them, with fallbacks. [`member_page`] builds
//! members' pages, whose shared bodies [`memo`] memoises.

mod client;
pub(crate) mod html;
mod hydration;
mod member_page;
mod memo;
mod page_builder;

pub(crate) use client::Renderer;
pub(crate) use memo::RenderMemo;
pub(crate) use page_builder::PageBuilder;
