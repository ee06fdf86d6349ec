//! Reads each `\u` escape for itself: a character beyond U+FFFF, which comes as two, becomes two U+FFFD.

use basebound_reference::engine::Reference;
use basebound_reference::wire::Session;
use std::io::{self, BufRead, Write};

/// `text` with every escaped surrogate replaced by an escaped U+FFFD.
fn without_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escape = rest.get(at..at + 6).unwrap_or("");
        let surrogate = escape
            .get(2..4)
            .is_some_and(|hex| escape.starts_with("\\u") && ("d8".."e0").contains(&hex.to_ascii_lowercase().as_str()));
        let length = if surrogate { 6 } else { 2 };
        out.push_str(&rest[..at]);
        out.push_str(if surrogate { "\\ufffd" } else { &rest[at..at + length] });
        rest = &rest[at + length..];
    }
    out + rest
}

fn main() -> io::Result<()> {
    let mut session = Session::<Reference>::default();
    for line in io::stdin().lock().split(b'\n') {
        let text = without_surrogates(&String::from_utf8_lossy(&line?));
        if let Some(answer) = session.answer(text.as_bytes()) {
            io::stdout().write_all(answer.as_bytes())?;
            io::stdout().flush()?;
        }
        if !session.open {
            break;
        }
    }
    Ok(())
}
