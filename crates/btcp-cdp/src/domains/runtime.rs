//! `Runtime`: JavaScript in a page, its values, its console.
//!
//! Pages can notice a standing [`Enable`]; calls into isolated worlds work without it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Reports console and exceptions, starting with all that Chrome has kept.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Enable;

command!(Enable, "Runtime.enable");

/// Stops the reports.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Disable;

command!(Disable, "Runtime.disable");

/// Lets a target go that was held at its start.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RunIfWaitingForDebugger;

command!(RunIfWaitingForDebugger, "Runtime.runIfWaitingForDebugger");

/// Ends the script that runs now, a loop without end too.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TerminateExecution;

command!(TerminateExecution, "Runtime.terminateExecution");

/// Runs an expression.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate<'a> {
    /// The expression.
    pub expression: &'a str,
    /// The world to run it in; the page's own if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_id: Option<i64>,
    /// The value as JSON rather than a handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_by_value: Option<bool>,
    /// Waits for the promise it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub await_promise: Option<bool>,
    /// Counts as a person's action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_gesture: Option<bool>,
    /// Milliseconds after which it is ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Top-level `await`, and `let` may be repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repl_mode: Option<bool>,
    /// Exceptions do not reach the console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<bool>,
    /// Runs despite the page's policy; Chrome's default.
    #[serde(rename = "allowUnsafeEvalBlockedByCSP", skip_serializing_if = "Option::is_none")]
    pub allow_unsafe_eval_blocked_by_csp: Option<bool>,
    /// How the value is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serialization_options: Option<SerializationOptions>,
}

impl<'a> Evaluate<'a> {
    /// The expression, in the page's own world.
    pub const fn of(expression: &'a str) -> Self {
        Self {
            expression,
            context_id: None,
            return_by_value: None,
            await_promise: None,
            user_gesture: None,
            timeout: None,
            repl_mode: None,
            silent: None,
            allow_unsafe_eval_blocked_by_csp: None,
            serialization_options: None,
        }
    }
}

command!(Evaluate<'_>, "Runtime.evaluate" => Evaluated);

/// Calls a function, with arguments.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFunctionOn<'a> {
    /// Source of the function.
    pub function_declaration: &'a str,
    /// What `this` is; also says in which world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<&'a str>,
    /// The world, if there is no object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution_context_id: Option<i64>,
    /// What it is called with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<&'a [Argument<'a>]>,
    /// The value as JSON rather than a handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub return_by_value: Option<bool>,
    /// Waits for the promise it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub await_promise: Option<bool>,
    /// Counts as a person's action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_gesture: Option<bool>,
    /// Exceptions do not reach the console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<bool>,
    /// How the value is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serialization_options: Option<SerializationOptions>,
    /// A name under which its handle can be given back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_group: Option<&'a str>,
}

command!(CallFunctionOn<'_>, "Runtime.callFunctionOn" => Evaluated);

/// One argument: a value or a handle; neither is `undefined`.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Argument<'a> {
    /// A value as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<&'a RawValue>,
    /// What JSON cannot say: `NaN`, `-0`, `Infinity`, `1n`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unserializable_value: Option<&'a str>,
    /// A handle to an object of the same world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<&'a str>,
}

/// How a value is told.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SerializationOptions {
    /// The way.
    pub serialization: Serialization,
    /// How deep, for [`Serialization::Deep`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
    /// How nodes are told, for [`Serialization::Deep`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_parameters: Option<NodeSerialization>,
}

/// How a deeply serialized node is told.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSerialization {
    /// How deep; 0 for the node alone.
    pub max_node_depth: u32,
}

/// A way to tell a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Serialization {
    /// As a tree that knows dates, maps, nodes and cycles.
    #[default]
    Deep,
    /// As JSON.
    Json,
    /// As a handle only.
    IdOnly,
}

/// Answer to [`Evaluate`] and [`CallFunctionOn`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    /// The value, or what was thrown.
    pub result: RemoteObject,
    /// Set if it threw.
    pub exception_details: Option<ExceptionDetails>,
}

/// A JavaScript value as Chrome tells it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoteObject {
    /// What `typeof` says.
    #[serde(rename = "type")]
    pub kind: String,
    /// `array`, `null`, `node`, `error`, `promise` and more.
    pub subtype: Option<String>,
    /// Name of its constructor.
    pub class_name: Option<String>,
    /// The value as JSON, if asked for or primitive; none for `null` too.
    pub value: Option<Box<RawValue>>,
    /// What JSON cannot say: `NaN`, `-0`, `Infinity`, `1n`.
    pub unserializable_value: Option<String>,
    /// As the console prints it; for errors with their stack.
    pub description: Option<String>,
    /// Handle to the object.
    pub object_id: Option<String>,
    /// The tree that [`Serialization::Deep`] asks for.
    pub deep_serialized_value: Option<DeepSerializedValue>,
}

/// A value told as a tree.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeepSerializedValue {
    /// `object`, `array`, `map`, `node`, `date` and more.
    #[serde(rename = "type")]
    pub kind: String,
    /// The value or its parts, which look the same.
    pub value: Option<serde_json::Value>,
    /// Handle to the object.
    pub object_id: Option<String>,
}

/// An uncaught exception.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionDetails {
    /// What Chrome puts in front, usually `Uncaught`.
    #[serde(default)]
    pub text: String,
    /// Line, from zero.
    #[serde(default)]
    pub line_number: i64,
    /// Column, from zero.
    #[serde(default)]
    pub column_number: i64,
    /// The script, if it has an address.
    pub url: Option<String>,
    /// What was thrown.
    pub exception: Option<RemoteObject>,
    /// Where it was thrown.
    pub stack_trace: Option<StackTrace>,
}

/// Where in the script something happened.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    /// Innermost first.
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

/// One function on the stack.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame {
    /// Its name, if it has one.
    #[serde(default)]
    pub function_name: String,
    /// The script.
    #[serde(default)]
    pub url: String,
    /// Line, from zero.
    #[serde(default)]
    pub line_number: i64,
    /// Column, from zero.
    #[serde(default)]
    pub column_number: i64,
}

/// Gives a handle back.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseObject<'a> {
    /// The handle.
    pub object_id: &'a str,
}

command!(ReleaseObject<'_>, "Runtime.releaseObject");

/// Gives all handles of a group back.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseObjectGroup<'a> {
    /// The group.
    pub object_group: &'a str,
}

command!(ReleaseObjectGroup<'_>, "Runtime.releaseObjectGroup");

/// Lists what an object has.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetProperties<'a> {
    /// The object.
    pub object_id: &'a str,
    /// Not what it inherits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_properties: Option<bool>,
}

command!(GetProperties<'_>, "Runtime.getProperties" => Properties);

/// Answer to [`GetProperties`].
#[derive(Debug, Clone, Deserialize)]
pub struct Properties {
    /// The properties.
    pub result: Vec<Property>,
}

/// One property of an object.
#[derive(Debug, Clone, Deserialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its value; none behind a getter.
    pub value: Option<RemoteObject>,
    /// Whether loops see it.
    #[serde(default)]
    pub enumerable: bool,
}

/// The page wrote to the console.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleAPICalled {
    /// `log`, `warning`, `error` and more.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it wrote.
    #[serde(default)]
    pub args: Vec<RemoteObject>,
    /// From which world.
    pub execution_context_id: Option<i64>,
    /// Milliseconds since 1970.
    pub timestamp: f64,
    /// From where.
    pub stack_trace: Option<StackTrace>,
}

event!(ConsoleAPICalled, "Runtime.consoleAPICalled");

/// An exception nobody caught.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionThrown {
    /// Milliseconds since 1970.
    pub timestamp: f64,
    /// The exception.
    pub exception_details: ExceptionDetails,
}

event!(ExceptionThrown, "Runtime.exceptionThrown");

/// A world was made in a frame.
#[derive(Debug, Clone, Deserialize)]
pub struct ExecutionContextCreated {
    /// The world.
    pub context: ExecutionContext,
}

event!(ExecutionContextCreated, "Runtime.executionContextCreated");

/// A JavaScript world.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionContext {
    /// For [`Evaluate`] and [`CallFunctionOn`].
    pub id: i64,
    /// Its name; the page's own world has none.
    #[serde(default)]
    pub name: String,
    /// Which frame it is in.
    pub aux_data: Option<ContextData>,
}

/// What Chrome adds about a world.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextData {
    /// Whether it is the page's own.
    #[serde(default)]
    pub is_default: bool,
    /// The frame.
    pub frame_id: Option<String>,
}

/// Gives back all objects that console messages hold.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DiscardConsoleEntries;

command!(DiscardConsoleEntries, "Runtime.discardConsoleEntries");

/// Names the engine that runs a page's scripts.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetIsolateId;

command!(GetIsolateId, "Runtime.getIsolateId" => IsolateId);

/// Answer to [`GetIsolateId`].
#[derive(Debug, Clone, Deserialize)]
pub struct IsolateId {
    /// The same for all pages that share it.
    pub id: String,
}

/// Asks how much memory that engine has taken.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GetHeapUsage;

command!(GetHeapUsage, "Runtime.getHeapUsage" => HeapUsage);

/// Answer to [`GetHeapUsage`], in bytes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeapUsage {
    /// Of scripts.
    pub used_size: f64,
    /// Of documents.
    #[serde(default)]
    pub embedder_heap_used_size: f64,
    /// Of buffers.
    #[serde(default)]
    pub backing_storage_size: f64,
}

impl HeapUsage {
    /// All of it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a sum of sizes, which JSON has as numbers with a point"
    )]
    pub fn bytes(self) -> u64 {
        (self.used_size + self.embedder_heap_used_size + self.backing_storage_size) as u64
    }
}
