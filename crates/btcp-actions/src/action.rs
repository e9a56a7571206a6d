//! What an action is, and how the registry holds one.
//!
//! An action is a struct of parameters with one of three traits, by the lane it takes:
//! `Action` works on a tab in that tab's turn, `SessionAction` goes round it on the
//! control lane, `CatalogAction` needs no browser. `Entry` is what all three become.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use btcp_engine::{CallContext, Session, Tab, Target};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call::Call;
use crate::error::{CallError, Fault};
use crate::outcome::Output;
use crate::params;

/// What actions answer with.
pub type Result<T, E = Fault> = std::result::Result<T, E>;

/// Which family an action belongs to; also the name of a toolset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Going to pages.
    Navigation,
    /// Acting on elements.
    Interaction,
    /// Finding elements by what they mean.
    Locators,
    /// Reading the page.
    Reading,
    /// Waiting for something.
    Waiting,
    /// Screenshots and pictures.
    Pictures,
    /// What a session keeps, and what it is asked: dialogs, downloads.
    State,
    /// Going into frames.
    Frames,
    /// Running JavaScript.
    Script,
    /// Looking at what the page and the protocol do.
    Debugging,
    /// Tabs and sessions.
    Tabs,
    /// What pages themselves offer to do.
    Page,
}

impl Group {
    /// Its name in `--toolset` and in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::Interaction => "interaction",
            Self::Locators => "locators",
            Self::Reading => "reading",
            Self::Waiting => "waiting",
            Self::Pictures => "pictures",
            Self::State => "state",
            Self::Frames => "frames",
            Self::Script => "script",
            Self::Debugging => "debugging",
            Self::Tabs => "tabs",
            Self::Page => "page",
        }
    }

    /// Every group, in the order of the documentation.
    pub const ALL: &[Self] = &[
        Self::Navigation,
        Self::Interaction,
        Self::Locators,
        Self::Reading,
        Self::Waiting,
        Self::Pictures,
        Self::State,
        Self::Frames,
        Self::Script,
        Self::Debugging,
        Self::Tabs,
        Self::Page,
    ];
}

/// The smallest preset that has an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolset {
    /// Reading only.
    Minimal,
    /// Everyday work.
    Standard,
    /// Scripts, frames, debugging.
    Full,
    /// Only in `all`, `agent`, a group, or by name.
    All,
}

/// Whether an action changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It looks.
    Reads,
    /// It acts; its errors say whether it happened.
    Changes,
}

/// An example: documentation and test at once.
#[derive(Debug, Clone)]
pub struct Example {
    /// What it shows, in a few words.
    pub says: &'static str,
    /// The call's arguments. `{origin}` stands for the test server's address, `{files}` for a folder.
    pub args: Value,
    /// What was called before, in the same session: it shows how that is undone.
    pub after: Option<(&'static str, Value)>,
    /// What must come of it.
    pub expect: Expect,
}

/// What an example expects.
#[derive(Debug, Clone)]
pub enum Expect {
    /// It succeeds and this JavaScript expression is true in the page afterwards, and not before.
    Does(&'static str),
    /// It succeeds and this expression is true afterwards as it was before: nothing was to be done.
    Keeps(&'static str),
    /// It succeeds and its data contains this (objects by subset).
    Gives(Value),
    /// It fails with this code.
    Fails(&'static str),
}

impl Example {
    /// A call that changes the page, and a predicate that is true afterwards, and not before.
    pub fn does(says: &'static str, args: Value, then: &'static str) -> Self {
        Self::new(says, args, Expect::Does(then))
    }

    /// A call that finds things as they are wanted, and a predicate that is true all along.
    pub fn keeps(says: &'static str, args: Value, still: &'static str) -> Self {
        Self::new(says, args, Expect::Keeps(still))
    }

    /// A call that answers with something.
    pub fn gives(says: &'static str, args: Value, data: Value) -> Self {
        Self::new(says, args, Expect::Gives(data))
    }

    /// A call that cannot be done, and the code it fails with.
    pub fn fails(says: &'static str, args: Value, code: &'static str) -> Self {
        Self::new(says, args, Expect::Fails(code))
    }

    /// The same after another call, whose effect it takes back.
    #[must_use]
    pub fn after(self, action: &'static str, args: Value) -> Self {
        Self { after: Some((action, args)), ..self }
    }

    fn new(says: &'static str, args: Value, expect: Expect) -> Self {
        Self { says, args, after: None, expect }
    }
}

/// The three traits share what describes an action; only `run` and its lane differ.
macro_rules! kind_of_action {
    ($(#[$doc:meta])* $name:ident { $($lane:tt)* }) => {
        $(#[$doc])*
        pub trait $name: DeserializeOwned + JsonSchema + Send + Sized + 'static {
            /// Its snake-case name.
            const NAME: &'static str;
            /// Further names it answers to.
            const ALIASES: &'static [&'static str] = &[];
            /// Its family.
            const GROUP: Group;
            /// The smallest preset that has it.
            const TOOLSET: Toolset;
            /// Whether it changes anything.
            const ACCESS: Access;
            /// Call parameters that pay to be listed in its schema.
            const LISTED: &'static [&'static str] = &[];
            /// Call parameters it reads itself.
            const OWN: &'static [&'static str] = &[];
            /// Whether it is there, whatever the toolset, where a protocol keeps no session.
            const STATELESS: bool = false;
            /// Whether its answer may be so long that it is told in parts.
            const LONG: bool = false;
            /// Notes for `describe` beyond the description.
            const TIPS: &'static [&'static str] = &[];
            /// Parameters too seldom needed to be paid for in the schema, and what they say.
            const UNLISTED: &'static [(&'static str, &'static str)] = &[];
            /// The parameter that is a list of calls of other actions.
            const STEPS: Option<&'static str> = None;
            /// What it answers with.
            type Output: Output;

            /// Examples: documentation, and tests run through every surface.
            fn examples() -> Vec<Example>;

            $($lane)*
        }
    };
}

kind_of_action! {
    /// An action on a tab, run in that tab's turn.
    Action {
        /// It answers what blocks the page, so it runs while a dialog is open.
        const UNBLOCKS: bool = false;
        /// It can do something even while a dialog is open.
        const SEES_DIALOGS: bool = false;

        /// The target whose ref decides which tab this goes to.
        fn target(&self) -> Option<&Target> {
            None
        }

        /// Every target it names; one with a ref decides the tab.
        fn targets(&self) -> Vec<&Target> {
            self.target().into_iter().collect()
        }

        /// The action it runs as, where that is another one; judged as that one.
        fn runs(&self) -> Option<&'static str> {
            None
        }

        /// How long it waits on purpose; its deadline moves back by that.
        fn delay(&self) -> Duration {
            Duration::ZERO
        }

        /// Does it.
        fn run(self, tab: &mut Tab) -> impl Future<Output = Result<Self::Output>> + Send;
    }
}

kind_of_action! {
    /// An action on the session, on the control lane: a busy page never delays it.
    SessionAction {
        /// Does it.
        fn run(
            self,
            session: &Arc<Session>,
            call: &CallContext,
        ) -> impl Future<Output = Result<Self::Output>> + Send;
    }
}

kind_of_action! {
    /// An action that needs no browser.
    CatalogAction {
        /// Does it.
        fn run(self, call: &Call<'_>) -> impl Future<Output = Result<Self::Output>> + Send;
    }
}

/// One action of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Snake-case name.
    pub name: &'static str,
    /// Further names.
    pub aliases: &'static [&'static str],
    /// Family.
    pub group: Group,
    /// Smallest preset that has it.
    pub toolset: Toolset,
    /// Whether it changes anything.
    pub access: Access,
    /// Call parameters listed in its schema.
    pub listed: &'static [&'static str],
    /// Call parameters it reads itself.
    pub own: &'static [&'static str],
    /// Whether it is there, whatever the toolset, where a protocol keeps no session.
    pub stateless: bool,
    /// Whether its answer may be so long that it is told in parts.
    pub long: bool,
    /// Notes for `describe`.
    pub tips: &'static [&'static str],
    /// Parameters that the schema leaves out, and what they say.
    pub unlisted: &'static [(&'static str, &'static str)],
    /// The parameter that is a list of calls of other actions.
    pub steps: Option<&'static str>,
    /// Whether it works on a page, so that hostile pages are worth trying on it.
    pub on_page: bool,
    /// Whether it is about a session, so that naming one makes sense.
    pub in_session: bool,
    /// Its parameters, as schemars sees them.
    pub schema: fn() -> Schema,
    /// The object it answers with, where that is known.
    pub result: fn() -> Option<Schema>,
    /// Its examples.
    pub examples: fn() -> Vec<Example>,
    pub(crate) prepare: fn(Value) -> Result<Prepared, CallError>,
}

/// An entry's constants, the same three times over.
macro_rules! entry {
    ($kind:ident, $action:ty, $on_page:expr, $in_session:expr, $prepare:expr) => {
        Self {
            name: <$action as $kind>::NAME,
            aliases: <$action as $kind>::ALIASES,
            group: <$action as $kind>::GROUP,
            toolset: <$action as $kind>::TOOLSET,
            access: <$action as $kind>::ACCESS,
            listed: <$action as $kind>::LISTED,
            own: <$action as $kind>::OWN,
            stateless: <$action as $kind>::STATELESS,
            long: <$action as $kind>::LONG,
            tips: <$action as $kind>::TIPS,
            unlisted: <$action as $kind>::UNLISTED,
            steps: <$action as $kind>::STEPS,
            on_page: $on_page,
            in_session: $in_session,
            schema: schema_of::<$action>,
            result: <<$action as $kind>::Output as Output>::schema,
            examples: <$action as $kind>::examples,
            prepare: $prepare,
        }
    };
}

impl Entry {
    /// An action on a tab.
    pub const fn of<A: Action>() -> Self {
        entry!(Action, A, !A::UNBLOCKS, true, prepare_action::<A>)
    }

    /// An action on the session.
    pub const fn of_session<A: SessionAction>() -> Self {
        entry!(SessionAction, A, false, true, prepare_session::<A>)
    }

    /// An action without a browser.
    pub const fn of_catalog<A: CatalogAction>() -> Self {
        entry!(
            CatalogAction,
            A,
            false,
            A::STATELESS || matches!(A::ACCESS, Access::Changes),
            prepare_catalog::<A>
        )
    }

    /// The name of its tool.
    pub fn tool_name(&self) -> String {
        match self.name {
            "read_image" | "web_fetch" => self.name.to_owned(),
            name => format!("browser_{name}"),
        }
    }

    /// Its description: the doc comment of its struct.
    pub fn description(&self) -> String {
        let schema = (self.schema)();
        schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
pub(crate) type OnTab =
    Box<dyn for<'t> FnOnce(&'t mut Tab) -> Boxed<'t, Result<Box<dyn Output>>> + Send>;
pub(crate) type OnSession = Box<
    dyn for<'s> FnOnce(&'s Arc<Session>, &'s CallContext) -> Boxed<'s, Result<Box<dyn Output>>>
        + Send,
>;
pub(crate) type OnCatalog =
    Box<dyn for<'c> FnOnce(&'c Call<'c>) -> Boxed<'c, Result<Box<dyn Output>>> + Send>;

/// An action with its parameters read, waiting for its lane.
pub(crate) enum Prepared {
    /// For a tab.
    Tab {
        /// The targets it names; the first with a ref decides which tab.
        targets: Vec<Target>,
        /// See `Action::UNBLOCKS`.
        unblocks: bool,
        /// See `Action::SEES_DIALOGS`.
        sees_dialogs: bool,
        /// See `Action::runs`.
        runs: Option<&'static str>,
        /// See `Action::delay`.
        delay: Duration,
        /// The work.
        run: OnTab,
    },
    /// For the control lane.
    Session(OnSession),
    /// For the catalog itself.
    Catalog(OnCatalog),
}

fn schema_of<A: JsonSchema>() -> Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<A>()
}

fn prepare_action<A: Action>(args: Value) -> Result<Prepared, CallError> {
    let action: A = params::read(params::without_nulls(args, schema_of::<A>))?;
    Ok(Prepared::Tab {
        targets: action.targets().into_iter().cloned().collect(),
        unblocks: A::UNBLOCKS,
        sees_dialogs: A::SEES_DIALOGS,
        runs: action.runs(),
        delay: action.delay(),
        run: Box::new(move |tab| Box::pin(async move { Ok(boxed(action.run(tab).await?)) })),
    })
}

fn prepare_session<A: SessionAction>(args: Value) -> Result<Prepared, CallError> {
    let action: A = params::read(params::without_nulls(args, schema_of::<A>))?;
    Ok(Prepared::Session(Box::new(move |session, call| {
        Box::pin(async move { Ok(boxed(action.run(session, call).await?)) })
    })))
}

fn prepare_catalog<A: CatalogAction>(args: Value) -> Result<Prepared, CallError> {
    let action: A = params::read(params::without_nulls(args, schema_of::<A>))?;
    Ok(Prepared::Catalog(Box::new(move |call| {
        Box::pin(async move { Ok(boxed(action.run(call).await?)) })
    })))
}

fn boxed<O: Output>(output: O) -> Box<dyn Output> {
    Box::new(output)
}
