//! Programs that are killed under load, again and again: what they acknowledged must be there.
use std::{
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;

/// A round's load that has not gone through by then will not.
const LOAD_LIMIT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(3);

/// A program of ours; killed with SIGKILL when this is dropped.
#[derive(Debug)]
pub struct Program(Child);

impl Program {
    /// Starts it with no settings but those of the command, its standard output closed.
    pub fn start(command: &mut Command) -> anyhow::Result<Program> {
        own_settings(command);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        child.map(Program).with_context(|| format!("cannot run {command:?}"))
    }
}

impl Program {
    /// Ends it with SIGTERM and waits until it has exited.
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

/// Takes the settings of whoever runs the tests out of a command's environment.
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

/// What the workers of a round share; `T` is what was acknowledged.
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

    /// Calls again and again until the call is answered; `None` when the round is over before.
    pub async fn until_answered<A, E, F>(&self, mut call: impl FnMut() -> F) -> Option<A>
    where
        F: Future<Output = Result<A, E>>,
    {
        while !self.is_over() {
            match call().await {
                Ok(answer) => return Some(answer),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
        None
    }

    /// Remembers what was acknowledged.
    pub fn acknowledge(&self, item: T) {
        self.items().push(item);
    }

    fn items(&self) -> MutexGuard<'_, Vec<T>> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a program, has `workers` load it, and kills it in the middle of their work, each round at
/// another moment. `work` is given the round and the worker, and ends when the load is over.
///
/// Gives what was acknowledged in all [`rounds`]. Errors: the program does not start, or does not
/// answer.
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
        let loaded = tokio::time::timeout(LOAD_LIMIT, async {
            while load.items().len() < enough {
                tokio::time::sleep(PAUSE).await;
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
