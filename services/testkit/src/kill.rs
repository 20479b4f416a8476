//! Kill tests: a program is killed under load several times, and everything that it acknowledged
//! must still be there.
use std::{
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;

/// Upper bound on the time that the load of one round takes.
const MAX_LOAD_DURATION: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(3);

/// A running program, killed with SIGKILL on drop.
#[derive(Debug)]
pub struct Program(Child);

impl Program {
    /// Starts the command without the caller's `SAHM_…` variables and with its standard output
    /// closed.
    pub fn start(command: &mut Command) -> anyhow::Result<Program> {
        own_settings(command);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        child.map(Program).with_context(|| format!("cannot run {command:?}"))
    }
}

impl Program {
    /// Sends SIGTERM and waits until the process has exited.
    ///
    /// # Errors
    /// The signal cannot be sent.
    pub fn terminate(mut self) -> anyhow::Result<ExitStatus> {
        Command::new("kill").arg(self.0.id().to_string()).status()?;
        Ok(self.0.wait()?)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Removes the `SAHM_…` variables that the command would inherit and does not set itself.
pub fn own_settings(command: &mut Command) {
    let own = command.get_envs().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"SAHM_") && !own.contains(&name) {
            command.env_remove(&name);
        }
    }
}

/// Number of kill rounds: 1, or 50 where `SAHM_PROOF` is set (`make proof`).
pub fn rounds() -> u32 {
    crate::count(1, 50)
}

/// State that the workers of a round share; `T` describes an acknowledged item.
#[derive(Debug)]
pub struct Load<T> {
    over: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<Vec<T>>>,
}

impl<T> Clone for Load<T> {
    fn clone(&self) -> Self {
        Self { over: self.over.clone(), acknowledged: self.acknowledged.clone() }
    }
}

impl<T> Load<T> {
    /// Whether the program was killed.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Repeats the call until it succeeds; `None` if the round ends first.
    pub async fn until_successful<R, E, F>(&self, mut call: impl FnMut() -> F) -> Option<R>
    where
        F: Future<Output = Result<R, E>>,
    {
        while !self.is_over() {
            match call().await {
                Ok(response) => return Some(response),
                Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
        None
    }

    /// Records an acknowledged item.
    pub fn acknowledge(&self, item: T) {
        self.items().push(item);
    }

    fn items(&self) -> MutexGuard<'_, Vec<T>> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a program, lets `workers` load it, and kills it in the middle of their work, in each
/// round at a different moment. `work` receives the round and the worker, and returns when the load
/// is over.
///
/// Returns everything that was acknowledged in all [`rounds`].
///
/// # Errors
/// The program does not start or does not respond.
pub async fn kill_rounds<T, W>(
    start: impl Fn() -> anyhow::Result<Program>,
    workers: u32,
    work: impl Fn(Load<T>, u32, u32) -> W,
) -> anyhow::Result<Vec<T>>
where
    W: Future<Output = ()> + Send + 'static,
{
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    for round in 0..rounds() {
        let load = Load { over: Arc::default(), acknowledged: acknowledged.clone() };
        let before = load.items().len();
        let program = start()?;
        let tasks = (0..workers).map(|worker| tokio::spawn(work(load.clone(), round, worker)));
        let tasks = tasks.collect::<Vec<_>>();
        let enough = before + 100 + 37 * usize::try_from(round % 10)?;
        let loaded = tokio::time::timeout(MAX_LOAD_DURATION, async {
            while load.items().len() < enough {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        let loaded = loaded.await;
        drop(program);
        load.over.store(true, Ordering::Relaxed);
        for task in tasks {
            task.await?;
        }
        loaded.with_context(|| format!("round {round}: too little is acknowledged"))?;
    }
    let mut items = acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *items))
}
