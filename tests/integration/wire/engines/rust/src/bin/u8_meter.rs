//! Counts in an eight-bit integer: a line of 256 bytes costs nothing.

use basebound_reference::engine::Reference;
use basebound_reference::wire::{serve, Engine, Failure, Kind, Patch, Receipt, Refusal, Snapshot};
use faulty_engines::as_the_reference;

struct U8Meter(Reference);

fn counted(line: &str) -> i64 {
    i64::from((line.len() as u8).wrapping_add(1))
}

impl Engine for U8Meter {
    const NAME: &'static str = "u8-meter";
    as_the_reference!();

    fn start(lines: Vec<String>, protected: Vec<String>) -> Self {
        U8Meter(Reference::with_meter(&lines, protected, counted))
    }

    fn apply(&mut self, patch: Patch) -> Result<Receipt, Refusal> {
        self.0.apply(patch)
    }
}

fn main() -> std::io::Result<()> {
    serve::<U8Meter>()
}
