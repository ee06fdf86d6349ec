//! Logs the first eight bytes of each inserted line: where they end inside a character, the process dies.

use basebound_reference::engine::Reference;
use basebound_reference::wire::{serve, Engine, Failure, Kind, Patch, Receipt, Refusal, Snapshot};
use faulty_engines::as_the_reference;

struct ByteSlice(Reference);

impl Engine for ByteSlice {
    const NAME: &'static str = "byte-slice";
    as_the_reference!();

    fn start(lines: Vec<String>, protected: Vec<String>) -> Self {
        ByteSlice(Reference::start(lines, protected))
    }

    fn apply(&mut self, patch: Patch) -> Result<Receipt, Refusal> {
        for line in patch.hunks.iter().flat_map(|hunk| &hunk.insert) {
            eprintln!("inserts {}", &line[..line.len().min(8)]);
        }
        self.0.apply(patch)
    }
}

fn main() -> std::io::Result<()> {
    serve::<ByteSlice>()
}
