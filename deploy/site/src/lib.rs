//! The whole site in one process.

mod renderer_process;
mod services;
mod site;

pub use renderer_process::{RendererCommand, supervise};
pub use services::{SERVICES, seed, start_services};
pub use site::start;
