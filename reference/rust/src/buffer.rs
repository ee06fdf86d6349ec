//! The pure core: a buffer is a value, and a rewrite is decided whole before anything changes.

use crate::sha256::Sha256;
use crate::wire::{Cost, Hunk, Kind, Patch, Reason, Refusal};
use std::rc::Rc;

/// A line, and the turn in which the policy itself emitted it: a mark that moves with its line.
#[derive(Debug, Clone)]
struct Line {
    text: Rc<str>,
    turn: Option<u64>,
}

/// What a turn's emissions have cost and no commit has paid for yet.
#[derive(Debug, Clone, Copy, Default)]
struct Unpaid {
    rewrite: i64,
    measurement: i64,
}

/// The size of a line in tokens.
pub type Meter = fn(&str) -> i64;

pub fn utf8_bytes(text: &str) -> i64 {
    text.len() as i64 + 1
}

#[derive(Debug, Clone)]
pub struct Buffer {
    lines: Vec<Line>,
    markers: Vec<String>,
    revision: i64,
    turn: u64,
    unpaid: Unpaid,
    meter: Meter,
}

impl Buffer {
    pub fn new(lines: &[String], markers: Vec<String>, meter: Meter) -> Buffer {
        Buffer { lines: foreign(lines).collect(), markers, revision: 0, turn: 0, unpaid: Unpaid::default(), meter }
    }

    pub fn texts(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.text.to_string()).collect()
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// Each line's length goes before it, so that no two contents are hashed from the same bytes.
    pub fn base(&self) -> String {
        let mut hash = Sha256::default();
        for line in &self.lines {
            hash.update(format!("{}:", line.text.len()).as_bytes());
            hash.update(line.text.as_bytes());
        }
        hash.finish()
    }

    /// After a foreign write before line `at <= len`: never charged, never an artifact.
    #[must_use]
    pub fn written(mut self, at: usize, texts: &[String]) -> Buffer {
        self.revision += i64::from(!texts.is_empty());
        self.lines.splice(at..at, foreign(texts));
        self
    }

    /// After the policy's own tokens: at the end of the buffer, charged, and marked with the turn.
    #[must_use]
    pub fn emitted(mut self, kind: Kind, texts: &[String]) -> Buffer {
        let size = self.size(texts.iter().map(String::as_str));
        match kind {
            Kind::Measurement => self.unpaid.measurement += size,
            Kind::Rationale | Kind::ToolCall | Kind::Error => self.unpaid.rewrite += size,
        }
        self.revision += i64::from(!texts.is_empty());
        let turn = Some(self.turn);
        self.lines.extend(texts.iter().map(|text| Line { text: text.as_str().into(), turn }));
        self
    }

    /// In the next turn: what was emitted is ordinary lines, what was unpaid is dropped.
    #[must_use]
    pub fn turned(self) -> Buffer {
        Buffer { turn: self.turn + 1, unpaid: Unpaid::default(), ..self }
    }

    /// The buffer after `patch` and what it cost; a stale base is refused before all else.
    pub fn rewritten(&self, patch: &Patch) -> Result<(Buffer, Cost), Refusal> {
        self.refuse_stale(patch)?;
        let hunks = in_order(&patch.hunks, self.lines.len())?;
        let removed: Vec<&Line> = hunks.iter().flat_map(|placed| &self.lines[placed.start..placed.end]).collect();
        self.refuse_protected(&removed)?;
        self.refuse_artifacts(&removed)?;
        refuse_unattributed(patch)?;
        let inserted = hunks.iter().flat_map(|placed| placed.insert).map(String::as_str);
        let cost = Cost {
            freed: Some(self.size(removed.iter().map(|line| &*line.text))),
            rewrite: Some(self.size(inserted) + self.unpaid.rewrite),
            measurement: Some(self.unpaid.measurement),
        };
        refuse_loss(&cost)?;
        let next = Buffer {
            lines: spliced(&self.lines, &hunks),
            markers: self.markers.clone(),
            revision: self.revision + 1,
            unpaid: Unpaid::default(),
            ..*self
        };
        Ok((next, cost))
    }

    fn size<'a>(&self, texts: impl Iterator<Item = &'a str>) -> i64 {
        texts.map(self.meter).sum()
    }

    fn refuse_stale(&self, patch: &Patch) -> Result<(), Refusal> {
        let live = self.base();
        if patch.base == live {
            return Ok(());
        }
        let authored: String = patch.base.chars().take(8).collect();
        Err(Refusal::new(
            Reason::StaleBase,
            format!(
                "authored against base {authored} (revision {}), live is base {} (revision {}): read again and re-author",
                patch.revision,
                &live[..8],
                self.revision
            ),
        ))
    }

    fn refuse_protected(&self, removed: &[&Line]) -> Result<(), Refusal> {
        let held = |line: &&&Line| self.markers.iter().any(|marker| line.text.contains(marker.as_str()));
        removed.iter().find(held).map_or(Ok(()), |line| {
            let message = format!("the line {:?} holds a protected marker and would go", line.text);
            Err(Refusal::new(Reason::Protected, message))
        })
    }

    fn refuse_artifacts(&self, removed: &[&Line]) -> Result<(), Refusal> {
        removed.iter().find(|line| line.turn == Some(self.turn)).map_or(Ok(()), |line| {
            let message = format!("the line {:?} was emitted in this very turn", line.text);
            Err(Refusal::new(Reason::SelfReference, message))
        })
    }
}

/// A hunk whose range is known to lie within the buffer.
struct Placed<'a> {
    start: usize,
    end: usize,
    insert: &'a [String],
}

fn foreign(texts: &[String]) -> impl Iterator<Item = Line> + '_ {
    texts.iter().map(|text| Line { text: text.as_str().into(), turn: None })
}

/// The hunks by (start, end), then as given (the sort is stable); each begins where the one before has ended, or later.
fn in_order(hunks: &[Hunk], length: usize) -> Result<Vec<Placed<'_>>, Refusal> {
    let mut sorted: Vec<&Hunk> = hunks.iter().collect();
    sorted.sort_by_key(|hunk| (hunk.start, hunk.end));
    let mut free = 0;
    let mut placed = Vec::with_capacity(sorted.len());
    for hunk in sorted {
        let range = format!("[{}, {})", hunk.start, hunk.end);
        let bad = |why: String| Refusal::new(Reason::BadHunk, range + &why);
        let (Ok(start), Ok(end)) = (usize::try_from(hunk.start), usize::try_from(hunk.end)) else {
            return Err(bad(" has a negative bound".to_owned()));
        };
        if start > end || end > length {
            return Err(bad(format!(" is not a range of {length} lines")));
        }
        if start < free {
            return Err(bad(format!(" begins inside a hunk that ends at {free}")));
        }
        free = end;
        placed.push(Placed { start, end, insert: &hunk.insert });
    }
    Ok(placed)
}

fn spliced(lines: &[Line], hunks: &[Placed<'_>]) -> Vec<Line> {
    let mut next = Vec::with_capacity(lines.len());
    let mut at = 0;
    for hunk in hunks {
        next.extend_from_slice(&lines[at..hunk.start]);
        next.extend(foreign(hunk.insert));
        at = hunk.end;
    }
    next.extend_from_slice(&lines[at..]);
    next
}

/// A claim's figures are never used; but unknown is not zero, and a negative cost is a gain in disguise.
fn refuse_unattributed(patch: &Patch) -> Result<(), Refusal> {
    let Some(claim) = &patch.claim else { return Ok(()) };
    for (part, amount) in [("freed", claim.freed), ("rewrite", claim.rewrite), ("measurement", claim.measurement)] {
        let why = match amount {
            None => format!("the claim does not attribute {part}"),
            Some(amount) if amount < 0 => format!("the claim's {part} is negative"),
            Some(_) => continue,
        };
        return Err(Refusal::new(Reason::Unproven, why));
    }
    Ok(())
}

fn refuse_loss(cost: &Cost) -> Result<(), Refusal> {
    let (Some(freed), Some(rewrite), Some(measurement)) = (cost.freed, cost.rewrite, cost.measurement) else {
        return Err(Refusal::new(Reason::Unproven, "an amount is not attributed"));
    };
    let net = freed - rewrite - measurement;
    if net > 0 {
        return Ok(());
    }
    let sum = format!("frees {freed}, rewrite costs {rewrite}, measurement {measurement}: net {net}");
    Err(Refusal::new(Reason::NotFreed, format!("{sum}; it must be above zero")))
}
