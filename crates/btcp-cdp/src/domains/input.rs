//! `Input`: trusted mouse and keyboard events.

use serde::Serialize;

/// Moves, presses, releases or turns the wheel.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchMouseEvent {
    /// What happens.
    #[serde(rename = "type")]
    pub kind: MouseEventType,
    /// From the viewport's left, in CSS pixels.
    pub x: f64,
    /// From the viewport's top, in CSS pixels.
    pub y: f64,
    /// Keys held: Alt 1, Ctrl 2, Meta 4, Shift 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<u8>,
    /// The button this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub button: Option<MouseButton>,
    /// Buttons held: left 1, right 2, middle 4, back 8, forward 16.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buttons: Option<u8>,
    /// 2 for the second press of a double click.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub click_count: Option<u32>,
    /// Wheel to the right, in CSS pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_x: Option<f64>,
    /// Wheel down, in CSS pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_y: Option<f64>,
}

command!(DispatchMouseEvent, "Input.dispatchMouseEvent");

/// What a mouse does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseEventType {
    /// The pointer moved.
    #[default]
    MouseMoved,
    /// A button went down.
    MousePressed,
    /// A button went up.
    MouseReleased,
    /// The wheel turned.
    MouseWheel,
}

/// A mouse button.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseButton {
    /// No button: the pointer only moves.
    None,
    /// The main one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one for context menus.
    Right,
    /// Back in history.
    Back,
    /// Forward in history.
    Forward,
}

/// Presses or releases a key.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchKeyEvent<'a> {
    /// What happens.
    #[serde(rename = "type")]
    pub kind: KeyEventType,
    /// Keys held: Alt 1, Ctrl 2, Meta 4, Shift 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifiers: Option<u8>,
    /// What it types; none for keys that type nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// What it would type without modifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmodified_text: Option<&'a str>,
    /// `KeyboardEvent.key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'a str>,
    /// `KeyboardEvent.code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'a str>,
    /// `KeyboardEvent.keyCode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows_virtual_key_code: Option<u32>,
    /// The code of this system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_virtual_key_code: Option<u32>,
    /// Held down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_repeat: Option<bool>,
    /// On the number pad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_keypad: Option<bool>,
    /// `KeyboardEvent.location`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<u8>,
    /// Editing commands it stands for, such as `selectAll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<&'a [&'a str]>,
}

command!(DispatchKeyEvent<'_>, "Input.dispatchKeyEvent");

/// What a key does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyEventType {
    /// Down, and types its text.
    #[default]
    KeyDown,
    /// Down, types nothing.
    RawKeyDown,
    /// Up.
    KeyUp,
    /// Types its text without going down.
    Char,
}

/// Enters text at the caret as an input method would, without key events.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct InsertText<'a> {
    /// The text.
    pub text: &'a str,
}

command!(InsertText<'_>, "Input.insertText");

/// Keeps input from the page, a person's too.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct SetIgnoreInputEvents {
    /// Whether to ignore it.
    pub ignore: bool,
}

command!(SetIgnoreInputEvents, "Input.setIgnoreInputEvents");

/// Drags something over the page and lets it go there.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DispatchDragEvent<'a> {
    /// What happens.
    #[serde(rename = "type")]
    pub kind: DragEventType,
    /// In CSS pixels of the viewport.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// What is dragged.
    pub data: DragData<'a>,
}

command!(DispatchDragEvent<'_>, "Input.dispatchDragEvent");

/// A moment of dragging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DragEventType {
    /// It comes.
    DragEnter,
    /// It moves.
    DragOver,
    /// It is let go.
    Drop,
    /// It is given up.
    DragCancel,
}

/// Files that are dragged.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DragData<'a> {
    /// Text and links: none.
    pub items: [(); 0],
    /// Paths.
    pub files: &'a [&'a str],
    /// 1: they may be copied.
    pub drag_operations_mask: u32,
}
