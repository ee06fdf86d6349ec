//! The wire: JSON-RPC 2.0 on stdin and stdout, UTF-8, one message a line. Your engine implements [`Engine`];
//! [`serve`] does the rest. stdout carries the protocol and nothing else: log with `eprintln!`.

use crate::json::Json;
use std::io::{self, BufRead, Write};

/// What is live: other lines must have another base, and the revision rises whenever the lines change.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub lines: Vec<String>,
    pub base: String,
    pub revision: i64,
}

/// `[start, end)` of the base is replaced by `insert`. The bounds come unchecked: negative ones are bad hunks.
#[derive(Debug, Clone)]
pub struct Hunk {
    pub start: i64,
    pub end: i64,
    pub insert: Vec<String>,
}

/// Amounts in tokens; `None` is not attributed.
#[derive(Debug, Clone)]
pub struct Cost {
    pub freed: Option<i64>,
    pub rewrite: Option<i64>,
    pub measurement: Option<i64>,
}

/// A rewrite authored against `base`. All hunks count lines of that content, in any order.
#[derive(Debug, Clone)]
pub struct Patch {
    pub base: String,
    pub revision: i64,
    /// The lines of the base; only for an engine that names `base_lines` in [`Engine::NEEDS`].
    pub base_lines: Option<Vec<String>>,
    pub hunks: Vec<Hunk>,
    pub claim: Option<Cost>,
}

/// What a committed patch left.
#[derive(Debug, Clone)]
pub struct Receipt {
    pub base: String,
    pub revision: i64,
    pub cost: Option<Cost>,
}

/// The kinds of emission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Rationale,
    ToolCall,
    Measurement,
    Error,
}

/// Why a patch is refused. A stale base comes before every other reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    StaleBase,
    BadHunk,
    Protected,
    SelfReference,
    Unproven,
    NotFreed,
}

impl Reason {
    fn name(self) -> &'static str {
        match self {
            Reason::StaleBase => "stale-base",
            Reason::BadHunk => "bad-hunk",
            Reason::Protected => "protected",
            Reason::SelfReference => "self-reference",
            Reason::Unproven => "unproven",
            Reason::NotFreed => "not-freed",
        }
    }
}

/// A patch is refused, and nothing has changed. `message` is for the patch's author.
#[derive(Debug, Clone)]
pub struct Refusal {
    pub reason: Reason,
    pub message: String,
}

impl Refusal {
    pub fn new(reason: Reason, message: impl Into<String>) -> Refusal {
        Refusal { reason, message: message.into() }
    }
}

/// A request fails: refused, or with another JSON-RPC error, which is not a refusal.
#[derive(Debug, Clone)]
pub enum Failure {
    Refused(Refusal),
    Other { code: i64, message: String },
}

impl Failure {
    pub fn invalid(message: impl Into<String>) -> Failure {
        Failure::Other { code: -32602, message: message.into() }
    }

    fn unknown(method: &str) -> Failure {
        Failure::Other { code: -32601, message: format!("no method is called {method:?}") }
    }

    fn to_json(&self) -> Json {
        match self {
            Failure::Other { code, message } => {
                Json::object([("code", Json::number(*code)), ("message", Json::text(message))])
            }
            Failure::Refused(refusal) => Json::object([
                ("code", Json::number(-32001)),
                ("message", Json::text(&refusal.message)),
                ("data", Json::object([("reason", Json::text(refusal.reason.name()))])),
            ]),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

/// An engine of profile base. One request at a time reaches it, in the order they came.
pub trait Engine: Sized {
    const NAME: &'static str;
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    /// What the engine claims, of `base`, `protected`, `budget` and `atomic`. What is not claimed is not exercised.
    const PROFILES: &'static [&'static str];

    /// `base_lines` fills [`Patch::base_lines`].
    const NEEDS: &'static [&'static str] = &[];

    /// `insert`, where it is written.
    const OPTIONAL: &'static [&'static str] = &[];

    /// The most hunks that one patch may have.
    const MAX_HUNKS: Option<i64> = None;

    /// A fresh engine. `protected`: the markers, empty unless `protected` is claimed.
    fn start(lines: Vec<String>, protected: Vec<String>) -> Self;

    fn snapshot(&self) -> Snapshot;

    /// Somebody else's lines, at the end. A line may be empty, or hold line breaks.
    fn append(&mut self, lines: Vec<String>);

    /// Splices the patch into exactly the content it was authored against, or refuses it and changes nothing.
    fn apply(&mut self, patch: Patch) -> Result<Receipt, Refusal>;

    /// Optional: somebody else's lines, before line `at`.
    fn insert(&mut self, _at: usize, _lines: Vec<String>) -> Result<(), Failure> {
        Err(Failure::unknown("insert"))
    }

    /// Profile budget: the policy's own lines, at the end.
    fn emit(&mut self, _kind: Kind, _lines: Vec<String>) -> Result<(), Failure> {
        Err(Failure::unknown("emit"))
    }

    /// Profile budget: the next turn begins.
    fn end_turn(&mut self) -> Result<(), Failure> {
        Err(Failure::unknown("end_turn"))
    }
}

/// Answers every message until `shutdown` or the end of the input.
pub fn serve<E: Engine>() -> io::Result<()> {
    let mut session = Session::<E>::default();
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while session.open && input.read_until(b'\n', &mut line)? > 0 {
        if let Some(answer) = session.answer(&line) {
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// One conversation with the suite, whatever carries its messages.
pub struct Session<E> {
    engine: E,
    /// Until `shutdown` has been asked for.
    pub open: bool,
}

impl<E: Engine> Default for Session<E> {
    fn default() -> Self {
        Session { engine: E::start(Vec::new(), Vec::new()), open: true }
    }
}

impl<E: Engine> Session<E> {
    /// The answer to one message, as a line; none is due to a blank line or a notification.
    pub fn answer(&mut self, line: &[u8]) -> Option<String> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let message = match std::str::from_utf8(line).map_err(|e| e.to_string()).and_then(Json::parse) {
            Ok(message) => message,
            Err(why) => return Some(reply(Json::Null, Err(wrong(-32700, format!("not JSON: {why}"))))),
        };
        let id = message.get("id").cloned();
        let Some(Json::String(method)) = message.get("method") else {
            return Some(reply(id.unwrap_or(Json::Null), Err(wrong(-32600, "not a request"))));
        };
        let nothing = Json::Object(Vec::new());
        let outcome = self.call(method, message.get("params").unwrap_or(&nothing));
        id.map(|id| reply(id, outcome))
    }

    fn call(&mut self, method: &str, params: &Json) -> Result<Json, Failure> {
        match method {
            "initialize" => return initialized::<E>(params),
            "snapshot" => return Ok(snapshot_json(self.engine.snapshot())),
            "apply" => return Ok(receipt_json(self.engine.apply(patch(params)?)?)),
            "reset" => self.engine = E::start(texts(params, "lines")?, texts(params, "protected")?),
            "append" => self.engine.append(texts(params, "lines")?),
            "insert" => self.engine.insert(index(params, "at")?, texts(params, "lines")?)?,
            "emit" => self.engine.emit(kind(params)?, texts(params, "lines")?)?,
            "end_turn" => self.engine.end_turn()?,
            "shutdown" => self.open = false,
            _ => return Err(Failure::unknown(method)),
        }
        Ok(Json::Object(Vec::new()))
    }
}

fn wrong(code: i64, message: impl Into<String>) -> Failure {
    Failure::Other { code, message: message.into() }
}

fn reply(id: Json, outcome: Result<Json, Failure>) -> String {
    let (key, value) = match outcome {
        Ok(result) => ("result", result),
        Err(failure) => ("error", failure.to_json()),
    };
    let mut line = String::new();
    Json::object([("jsonrpc", Json::text("2.0")), ("id", id), (key, value)]).write(&mut line);
    line.push('\n');
    line
}

fn initialized<E: Engine>(params: &Json) -> Result<Json, Failure> {
    for (key, spoken) in [("protocol", "1"), ("meter", "utf8-bytes")] {
        if params.get(key) != Some(&Json::text(spoken)) {
            return Err(Failure::invalid(format!("{key}: this engine speaks {spoken:?}")));
        }
    }
    Ok(Json::object([
        ("engine", Json::object([("name", Json::text(E::NAME)), ("version", Json::text(E::VERSION))])),
        ("profiles", Json::texts(E::PROFILES.iter().copied())),
        ("needs", Json::texts(E::NEEDS.iter().copied())),
        ("optional", Json::texts(E::OPTIONAL.iter().copied())),
        ("max_hunks", amount_json(E::MAX_HUNKS)),
    ]))
}

fn snapshot_json(snapshot: Snapshot) -> Json {
    Json::object([
        ("lines", Json::texts(snapshot.lines)),
        ("base", Json::text(snapshot.base)),
        ("revision", Json::number(snapshot.revision)),
    ])
}

fn receipt_json(receipt: Receipt) -> Json {
    Json::object([
        ("base", Json::text(receipt.base)),
        ("revision", Json::number(receipt.revision)),
        ("cost", receipt.cost.map_or(Json::Null, cost_json)),
    ])
}

fn cost_json(cost: Cost) -> Json {
    Json::object([
        ("freed", amount_json(cost.freed)),
        ("rewrite", amount_json(cost.rewrite)),
        ("measurement", amount_json(cost.measurement)),
    ])
}

fn amount_json(amount: Option<i64>) -> Json {
    amount.map_or(Json::Null, Json::number)
}

fn patch(params: &Json) -> Result<Patch, Failure> {
    Ok(Patch {
        base: text(params, "base")?,
        revision: integer(params, "revision")?,
        base_lines: params.get("base_lines").map(|_| texts(params, "base_lines")).transpose()?,
        hunks: array(params, "hunks")?.iter().map(hunk).collect::<Result<_, _>>()?,
        claim: match params.get("claim") {
            None | Some(Json::Null) => None,
            Some(claim) => Some(cost(claim)?),
        },
    })
}

fn hunk(value: &Json) -> Result<Hunk, Failure> {
    let (start, end) = (integer(value, "start")?, integer(value, "end")?);
    Ok(Hunk { start, end, insert: texts(value, "insert")? })
}

fn cost(value: &Json) -> Result<Cost, Failure> {
    let amount = |key| match value.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(_) => integer(value, key).map(Some),
    };
    Ok(Cost { freed: amount("freed")?, rewrite: amount("rewrite")?, measurement: amount("measurement")? })
}

fn kind(params: &Json) -> Result<Kind, Failure> {
    match text(params, "kind")?.as_str() {
        "rationale" => Ok(Kind::Rationale),
        "tool-call" => Ok(Kind::ToolCall),
        "measurement" => Ok(Kind::Measurement),
        "error" => Ok(Kind::Error),
        other => Err(Failure::invalid(format!("kind: {other:?} is not rationale, tool-call, measurement or error"))),
    }
}

fn text(params: &Json, key: &str) -> Result<String, Failure> {
    match params.get(key) {
        Some(Json::String(value)) => Ok(value.clone()),
        _ => Err(Failure::invalid(format!("{key} is not a string"))),
    }
}

fn texts(params: &Json, key: &str) -> Result<Vec<String>, Failure> {
    let string = |item: &Json| match item {
        Json::String(value) => Ok(value.clone()),
        _ => Err(Failure::invalid(format!("{key} is not an array of strings"))),
    };
    array(params, key)?.iter().map(string).collect()
}

fn array<'a>(params: &'a Json, key: &str) -> Result<&'a [Json], Failure> {
    match params.get(key) {
        Some(Json::Array(items)) => Ok(items),
        _ => Err(Failure::invalid(format!("{key} is not an array"))),
    }
}

fn integer(params: &Json, key: &str) -> Result<i64, Failure> {
    params.get(key).and_then(Json::as_integer).ok_or_else(|| Failure::invalid(format!("{key} is not a whole number")))
}

fn index(params: &Json, key: &str) -> Result<usize, Failure> {
    usize::try_from(integer(params, key)?).map_err(|_| Failure::invalid(format!("{key} is negative")))
}
