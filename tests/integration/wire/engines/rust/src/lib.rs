//! What the faulty engines share: the reference engine, handed through method by method.

/// Implements the methods of `Engine` by those of the field `0`; `start` and `apply` are the engine's own.
#[macro_export]
macro_rules! as_the_reference {
    () => {
        const PROFILES: &'static [&'static str] = Reference::PROFILES;
        const OPTIONAL: &'static [&'static str] = Reference::OPTIONAL;

        fn snapshot(&self) -> Snapshot {
            self.0.snapshot()
        }

        fn append(&mut self, lines: Vec<String>) {
            self.0.append(lines);
        }

        fn insert(&mut self, at: usize, lines: Vec<String>) -> Result<(), Failure> {
            self.0.insert(at, lines)
        }

        fn emit(&mut self, kind: Kind, lines: Vec<String>) -> Result<(), Failure> {
            self.0.emit(kind, lines)
        }

        fn end_turn(&mut self) -> Result<(), Failure> {
            self.0.end_turn()
        }
    };
}
