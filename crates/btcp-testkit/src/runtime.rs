//! The one runtime on which everything lives that outlasts a test: server, Chrome, sessions.

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Never dropped: statics are not, and Chrome ends when its pipe does, with the process.
static RUNTIME: OnceLock<Runtime> = OnceLock::new();

pub(crate) fn runtime() -> &'static Runtime {
    RUNTIME.get_or_init(|| {
        Builder::new_multi_thread().enable_all().build().expect("a runtime can be made")
    })
}

/// Runs work on the shared runtime; to drop what comes back is to drop the work.
pub fn on_runtime<F>(work: F) -> impl Future<Output = F::Output> + Send + use<F>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    Task(runtime().spawn(work))
}

/// A task that ends with whoever waits for it. A bare `JoinHandle` would let it run on,
/// and no test could show that dropping a call cancels it.
struct Task<T>(JoinHandle<T>);

impl<T> Future for Task<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        Pin::new(&mut self.0).poll(context).map(|joined| match joined {
            Ok(value) => value,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => unreachable!("only its own drop aborts a task: {error}"),
            },
        })
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
