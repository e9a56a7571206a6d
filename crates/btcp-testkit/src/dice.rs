//! A small generator of numbers, so that a run of random rounds can be had again.

/// Dice that fall the same way for the same seed.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice for this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `below`.
    pub fn roll(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}
