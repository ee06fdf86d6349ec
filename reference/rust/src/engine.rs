//! The shell: it holds the live buffer. [`crate::wire`] hands it one request at a time, so that nothing comes between
//! check and commit.

use crate::buffer::{utf8_bytes, Buffer, Meter};
use crate::wire::{Engine, Failure, Kind, Patch, Receipt, Refusal, Snapshot};

pub struct Reference {
    buffer: Buffer,
}

impl Reference {
    /// A fresh engine that counts with `meter`.
    pub fn with_meter(lines: &[String], protected: Vec<String>, meter: Meter) -> Self {
        Reference { buffer: Buffer::new(lines, protected, meter) }
    }

    fn change(&mut self, next: impl FnOnce(Buffer) -> Buffer) {
        self.buffer = next(self.buffer.clone());
    }
}

impl Engine for Reference {
    const NAME: &'static str = "basebound-reference-rust";
    const PROFILES: &'static [&'static str] = &["base", "protected", "budget", "atomic"];
    const OPTIONAL: &'static [&'static str] = &["insert"];

    fn start(lines: Vec<String>, protected: Vec<String>) -> Self {
        Reference::with_meter(&lines, protected, utf8_bytes)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { lines: self.buffer.texts(), base: self.buffer.base(), revision: self.buffer.revision() }
    }

    fn append(&mut self, lines: Vec<String>) {
        let end = self.buffer.len();
        self.change(|buffer| buffer.written(end, &lines));
    }

    fn insert(&mut self, at: usize, lines: Vec<String>) -> Result<(), Failure> {
        if at > self.buffer.len() {
            return Err(Failure::invalid(format!("at {at}: there are {} lines", self.buffer.len())));
        }
        self.change(|buffer| buffer.written(at, &lines));
        Ok(())
    }

    fn emit(&mut self, kind: Kind, lines: Vec<String>) -> Result<(), Failure> {
        self.change(|buffer| buffer.emitted(kind, &lines));
        Ok(())
    }

    fn end_turn(&mut self) -> Result<(), Failure> {
        self.change(Buffer::turned);
        Ok(())
    }

    fn apply(&mut self, patch: Patch) -> Result<Receipt, Refusal> {
        let (buffer, cost) = self.buffer.rewritten(&patch)?;
        self.buffer = buffer;
        Ok(Receipt { base: self.buffer.base(), revision: self.buffer.revision(), cost: Some(cost) })
    }
}
