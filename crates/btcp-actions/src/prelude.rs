//! What every action file needs.

pub(crate) use std::sync::Arc;

pub(crate) use btcp_engine::text::{address, cut, origin, quoted};
pub(crate) use btcp_engine::{CallContext, Session, Tab, Target};
pub(crate) use schemars::{JsonSchema, Schema, json_schema};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::{Value, json};

pub(crate) use crate::action::{
    Access, Action, CatalogAction, Example, Group, Result, SessionAction, Toolset,
};
pub(crate) use crate::call::Call;
pub(crate) use crate::did::Did;
pub(crate) use crate::outcome::{Image, Output, Text, json_text, schema_of_output};
pub(crate) use crate::values::{Done, FieldText, Millis, WentTo, within};
