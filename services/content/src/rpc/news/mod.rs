//! News articles, flash news, videos of the news page, and securities.

mod articles;
mod flash;
mod stocks;
mod videos;
