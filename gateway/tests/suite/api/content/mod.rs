//! The content calls of the JSON API with the real service in process.

mod readers;
mod refusals;

use sahm_chassis::{clock::Clock, service::Service};
use sahm_content::Content;

use crate::api::kit::Site;

/// 2026-11-21.
const NOW: u32 = 1_795_219_200;

async fn start() -> Site {
    Site::start([(Content::start, Clock::fixed(NOW))]).await
}
