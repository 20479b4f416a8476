//! The whole site in one process, and the test kit that boots it.

mod renderer_process;
mod services;
mod site;

pub use renderer_process::{RendererCommand, supervise};
pub use services::{SERVICES, seed, start_services};
pub use site::start;
