//! The gateway and all services in one process, with the renderer as its child process.

mod renderer_process;
mod services;
mod site;

pub use renderer_process::{RendererCommand, supervise};
pub use services::{SERVICES, seed, start_services};
pub use site::start;
