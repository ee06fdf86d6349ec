//! A template for your own engine: a small engine of profile base in the place of yours. It works as it stands:
//!
//! ```text
//! cargo build --release --example template
//! basebound check --wire target/release/examples/template
//! ```
//!
//! Put `reference/rust` under your dependencies (`basebound-reference = { path = "..." }`) or copy its `json.rs` and
//! `wire.rs`; then replace the bodies below by calls of your engine. stdout carries the protocol and nothing else:
//! log with `eprintln!`.

use basebound_reference::wire::{self, Engine, Patch, Reason, Receipt, Refusal, Snapshot};

struct MyEngine {
    lines: Vec<String>,
    revision: i64,
}

impl Engine for MyEngine {
    const NAME: &'static str = "my-engine";

    // "protected": a line that contains a marker of `start` may not be removed.
    // "budget":    a patch must free more than it costs; then write `emit` and `end_turn` as well.
    // "atomic":    nothing can come between check and commit. True of an engine behind this shell, which runs one
    //              request at a time, but say it only if your engine is as safe where you really use it.
    const PROFILES: &'static [&'static str] = &["base"];

    // "base_lines" fills `patch.base_lines` with what the patch's author saw, for an engine that compares contents or
    // turns the hunks into a diff.
    const NEEDS: &'static [&'static str] = &[];

    fn start(lines: Vec<String>, _protected: Vec<String>) -> Self {
        MyEngine { lines, revision: 0 }
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { lines: self.lines.clone(), base: self.base(), revision: self.revision }
    }

    fn append(&mut self, lines: Vec<String>) {
        if !lines.is_empty() {
            self.lines.extend(lines);
            self.revision += 1;
        }
    }

    fn apply(&mut self, patch: Patch) -> Result<Receipt, Refusal> {
        let live = self.base();
        if patch.base != live {
            let message = format!("authored against {}, live is {live}: read again and re-author", patch.base);
            return Err(Refusal::new(Reason::StaleBase, message));
        }
        self.lines = self.spliced(patch)?;
        self.revision += 1;
        Ok(Receipt { base: self.base(), revision: self.revision, cost: None })
    }
}

impl MyEngine {
    /// The revision rises with every change and never comes back, so it names one content only: the plainest base
    /// there is. An engine whose content can change behind its back needs a hash of the content instead.
    fn base(&self) -> String {
        format!("r{}", self.revision)
    }

    /// The new content, built beside the old one, so that a bad hunk leaves everything as it was.
    fn spliced(&self, patch: Patch) -> Result<Vec<String>, Refusal> {
        let mut hunks = patch.hunks;
        hunks.sort_by_key(|hunk| (hunk.start, hunk.end));
        let (mut next, mut at) = (Vec::new(), 0);
        for hunk in hunks {
            let range = usize::try_from(hunk.start).ok().zip(usize::try_from(hunk.end).ok());
            let Some((start, end)) =
                range.filter(|&(start, end)| at <= start && start <= end && end <= self.lines.len())
            else {
                let message = format!("[{}, {}) is out of range, reversed or overlaps", hunk.start, hunk.end);
                return Err(Refusal::new(Reason::BadHunk, message));
            };
            next.extend_from_slice(&self.lines[at..start]);
            next.extend(hunk.insert);
            at = end;
        }
        next.extend_from_slice(&self.lines[at..]);
        Ok(next)
    }
}

fn main() -> std::io::Result<()> {
    wire::serve::<MyEngine>()
}
