//! Refs: the short names (`e5`) under which a snapshot shows elements.
//!
//! A ref lives as long as its element, not as long as its snapshot, so an agent may act on
//! an old snapshot as long as the page kept the element. The page code numbers the elements
//! of its own document; here those numbers become session-wide ones, given when a line is
//! first printed and never used again. Deciding which elements get one is the page code's.

use std::collections::HashMap;

/// Where an element is: which document of which tab, and the page code's number for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) tab: u32,
    pub(crate) frame: String,
    /// Serial number of the document in that frame, so that a new page's numbers are not the old one's.
    pub(crate) document: u64,
    pub(crate) id: u32,
}

/// An issued ref.
#[derive(Debug, Clone)]
pub(crate) struct Issued {
    pub(crate) place: Place,
    /// Role and name as last printed, for when it is gone.
    pub(crate) what: String,
    /// For a fold: the element it is in, 0 for the whole document. It begins at `place`.
    pub(crate) within: Option<u32>,
}

/// All refs of a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refs {
    issued: Vec<Issued>,
    numbers: HashMap<Place, u32>,
    /// A fold and the element it begins with have a ref each.
    folds: HashMap<(Place, u32), u32>,
}

impl Refs {
    /// The ref of an element: the one it has, or a new one.
    pub(crate) fn issue(&mut self, place: Place, what: &str) -> u32 {
        if let Some(number) = self.numbers.get(&place) {
            let issued = &mut self.issued[*number as usize - 1];
            if issued.what != what {
                what.clone_into(&mut issued.what);
            }
            return *number;
        }
        let number = self.add(&place, what, None);
        self.numbers.insert(place, number);
        number
    }

    /// The ref of a fold that begins with an element.
    pub(crate) fn issue_fold(&mut self, place: Place, within: u32, what: &str) -> u32 {
        if let Some(number) = self.folds.get(&(place.clone(), within)) {
            return *number;
        }
        let number = self.add(&place, what, Some(within));
        self.folds.insert((place, within), number);
        number
    }

    fn add(&mut self, place: &Place, what: &str, within: Option<u32>) -> u32 {
        self.issued.push(Issued { place: place.clone(), what: what.to_owned(), within });
        self.issued.len() as u32
    }

    /// The element a ref was issued for.
    pub(crate) fn get(&self, number: u32) -> Option<&Issued> {
        self.issued.get((number as usize).checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(document: u64, id: u32) -> Place {
        Place { tab: 1, frame: "main".into(), document, id }
    }

    #[test]
    fn an_element_keeps_its_number_and_numbers_rise() {
        let mut refs = Refs::default();
        assert_eq!(refs.issue(place(1, 7), "button \"A\""), 1);
        assert_eq!(refs.issue(place(1, 8), "button \"B\""), 2);
        assert_eq!(refs.issue(place(1, 7), "button \"A2\""), 1);
        assert_eq!(refs.get(1).unwrap().what, "button \"A2\"");
    }

    #[test]
    fn a_new_document_never_takes_over_an_old_number() {
        let mut refs = Refs::default();
        let old = refs.issue(place(1, 1), "link");
        let new = refs.issue(place(2, 1), "link");
        assert_ne!(old, new);
        assert_eq!(refs.get(old).unwrap().place.document, 1);
        assert!(refs.get(0).is_none() && refs.get(99).is_none());
    }
}
