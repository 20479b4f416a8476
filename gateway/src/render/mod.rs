//! Building pages: [`client`] asks the renderer, [`html`] writes the document around its output, [`hydration`] is the
//! JSON that the browser continues from, and [`page_builder`] puts them together and falls back where one fails.

mod client;
pub(crate) mod html;
mod hydration;
mod page_builder;

pub(crate) use client::Renderer;
pub(crate) use page_builder::PageBuilder;
