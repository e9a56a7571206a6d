//! Surfaces: the ways in, as a test sees them. The catalog itself is one; others are processes.

use std::future::Future;

use serde_json::Value;

use crate::page::{TestPage, empty};

/// A way to call actions.
pub trait Surface: Sync {
    /// Calls an action by its name.
    fn call(&self, name: &str, args: Value) -> impl Future<Output = Result<Reply, Refusal>> + Send;
}

/// What a call answered.
#[derive(Debug, Clone)]
pub struct Reply {
    /// What a model reads.
    pub text: String,
    /// The object programs get, where the surface has one.
    pub data: Option<Value>,
    /// How many pictures came along.
    pub images: usize,
}

/// Why a call did not answer.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// Its stable name.
    pub code: String,
    /// All of it, as a model reads it.
    pub text: String,
}

/// The catalog, called directly, in a session of its own.
pub struct Direct(TestPage);

impl Direct {
    /// A fresh session.
    pub async fn start() -> Self {
        Self(empty().await)
    }
}

impl Surface for Direct {
    async fn call(&self, name: &str, args: Value) -> Result<Reply, Refusal> {
        match self.0.call(name, args).await {
            Ok(outcome) => Ok(Reply {
                text: outcome.text.for_model(),
                data: Some(outcome.data),
                images: outcome.images.len(),
            }),
            Err(failure) => Err(Refusal { code: failure.code.to_owned(), text: failure.text() }),
        }
    }
}
