//! Choosing in lists that pages make themselves: opened, read and clicked as a person would.
//!
//! The page code finds the list that belongs to a control and the options in it; here the control
//! and the options are clicked, and words are typed where the control takes them.

use std::time::Duration;

use crate::element::{Hit, How, millis};
use crate::error::{Error, Result};
use crate::input::{Button, Modifiers};
use crate::page::ops::{ChoicesReply, ChoicesRequest, FillPlan, Named, Purpose};
use crate::page::{Answer, Place};
use crate::tab::Tab;
use crate::target::Target;

/// How often a list that closes itself is opened again; one for each option, and some.
const OPENED: usize = 50;

/// How often an option may be made anew while it is being clicked.
const LOST: usize = 20;

/// How far choosing has come.
#[derive(Default)]
struct Choosing {
    /// How often it was opened.
    opened: usize,
    /// It was opened and nothing clicked since: worth waiting for.
    open: bool,
    typed: bool,
    clicked: Vec<String>,
    /// What there was to choose before words were typed.
    options: Vec<String>,
    /// How often an option was made anew under our hands.
    lost: usize,
}

impl Tab {
    /// Chooses options of the list a control has; `hit` is the control.
    pub async fn choose_options(
        &mut self,
        target: &Target,
        hit: &Hit,
        choices: &[String],
    ) -> Result<()> {
        let acted = self.memory.acted.clone();
        let chosen = self.choose_in(target, hit, choices).await;
        // What is read back is the control's value.
        self.memory.acted = acted;
        chosen
    }

    async fn choose_in(&mut self, target: &Target, hit: &Hit, choices: &[String]) -> Result<()> {
        let control = hit.element.place.clone();
        let mut so_far = Choosing::default();
        loop {
            match self.choices(target, &control, choices, so_far.open).await? {
                ChoicesReply::Closed if so_far.opened < OPENED => {
                    self.click_on(target, &control).await?;
                    so_far.opened += 1;
                    so_far.open = true;
                }
                ChoicesReply::Closed => return Err(self.too_late("the list to stay open")),
                ChoicesReply::Options { click } => {
                    let next = click.iter().find(|one| !so_far.clicked.contains(&one.what));
                    let Some(Named { id, what }) = next else { return Ok(()) };
                    match self.click_on(target, &Place { id: *id, ..control.clone() }).await {
                        // A list that makes its rows as it scrolls has another one there now.
                        Err(Error::StaleRef { .. }) if so_far.lost < LOST => {
                            so_far.lost += 1;
                            continue;
                        }
                        clicked => clicked?,
                    }
                    so_far.clicked.push(what.clone());
                    if choices.len() == 1 && click.len() == 1 {
                        return Ok(());
                    }
                    // It may have closed itself.
                    so_far.open = false;
                }
                ChoicesReply::Missing { choice, typable: true, options } if !so_far.typed => {
                    so_far.typed = true;
                    so_far.open = true;
                    so_far.options = options;
                    self.type_in(target, &control, &choice).await?;
                }
                ChoicesReply::Missing { choice, mut options, .. } => {
                    self.close_list(target, &control, &so_far).await;
                    if options.is_empty() {
                        options = so_far.options;
                    }
                    let (target, value) = (target.to_string(), choice);
                    return Err(Error::NoSuchOption { target, value, options });
                }
                ChoicesReply::Single => {
                    let (value, what) = (choices.join(", "), hit.element.name());
                    return Err(Error::BadValue { value, what, wants: "one option".into() });
                }
            }
        }
    }

    /// What is to be clicked in the list.
    async fn choices(
        &mut self,
        target: &Target,
        control: &Place,
        choices: &[String],
        opened: bool,
    ) -> Result<ChoicesReply> {
        let token = self.token();
        // The deadline is the call's; what is left of it is for clicking.
        let timeout = millis(self.context.left().saturating_sub(Duration::from_millis(500)));
        let request = ChoicesRequest { id: control.id, choices, opened, timeout, token };
        match self.op_once(&control.frame, "choices", &request, Some(token)).await? {
            Answer::Is(reply, document) if document == control.document => Ok(reply),
            _ => Err(Error::StaleRef {
                target: target.to_string(),
                was: "the list".into(),
                similar: Vec::new(),
            }),
        }
    }

    async fn click_on(&mut self, target: &Target, place: &Place) -> Result<()> {
        loop {
            let hit = self.ready_at(target, place, Purpose::Click, How::default()).await?;
            if self.click_at(hit.point, Button::Left, 1, Modifiers::default()).await? {
                return Ok(());
            }
            self.may_press_again(target)?;
        }
    }

    async fn type_in(&mut self, target: &Target, place: &Place, text: &str) -> Result<()> {
        let how = How { value: Some(text), ..How::default() };
        let hit = self.ready_at(target, place, Purpose::Fill, how).await?;
        match hit.fill {
            Some(FillPlan::Insert) => self.insert_text(text).await,
            Some(FillPlan::Delete) => self.press("Delete").await,
            _ => Ok(()),
        }
    }

    /// Leaves the control as it was: what cannot be chosen must not stay open or half typed.
    async fn close_list(&mut self, target: &Target, control: &Place, so_far: &Choosing) {
        if so_far.typed {
            // The field may be gone by now; then there is nothing to take back.
            let _ = self.type_in(target, control, "").await;
        }
        let opened = so_far.opened > 0 || so_far.typed;
        if opened && self.press("Escape").await.is_ok() && so_far.clicked.is_empty() {
            self.context.progress.undone();
        }
    }
}
