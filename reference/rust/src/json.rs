//! JSON (RFC 8259), as much as the wire needs: any valid text is read, and what is written is valid.

use std::fmt::Write;

/// A JSON value. A number keeps its literal, so that an id is given back exactly as it came.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Deeper than any message of the wire; deeper texts are refused, since reading recurses.
const MAX_DEPTH: usize = 64;

impl Json {
    pub fn text(value: impl Into<String>) -> Json {
        Json::String(value.into())
    }

    pub fn number(value: i64) -> Json {
        Json::Number(value.to_string())
    }

    pub fn texts<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Json {
        Json::Array(values.into_iter().map(Json::text).collect())
    }

    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The field `key` of an object; of a key that stands twice, the last.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A whole number; beyond `i64` it is clipped, which keeps its sign and its size beyond any buffer's.
    pub fn as_integer(&self) -> Option<i64> {
        let Json::Number(literal) = self else { return None };
        let exact = literal.parse::<i64>().ok();
        exact.or_else(|| literal.parse::<f64>().ok().filter(|value| value.fract() == 0.0).map(|value| value as i64))
    }

    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.wrong("more text after the value"));
        }
        Ok(value)
    }

    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(literal) => out.push_str(literal),
            Json::String(value) => write_string(value, out),
            Json::Array(items) => write_all(out, ('[', ']'), items, |item, out| item.write(out)),
            Json::Object(fields) => write_all(out, ('{', '}'), fields, |(key, value), out| {
                write_string(key, out);
                out.push(':');
                value.write(out);
            }),
        }
    }
}

fn write_all<T>(out: &mut String, (open, close): (char, char), items: &[T], write: impl Fn(&T, &mut String)) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(close);
}

/// Only `"`, `\` and the control characters have to be escaped; all else goes out as it is, in UTF-8.
fn write_string(value: &str, out: &mut String) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => write!(out, "\\u{:04x}", c as u32).expect("a String takes all that is written"),
            _ => out.push(c),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("{what} at byte {}", self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(token.as_bytes());
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(self.wrong(&format!("{token} expected")))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err(self.wrong("nested too deep"));
        }
        self.space();
        match self.peek() {
            Some(b'n') => self.expect("null").map(|()| Json::Null),
            Some(b't') => self.expect("true").map(|()| Json::Bool(true)),
            Some(b'f') => self.expect("false").map(|()| Json::Bool(false)),
            Some(b'"') => self.string().map(Json::String),
            Some(b'[') => self.array(depth),
            Some(b'{') => self.object(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong("a value expected")),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.expect("[")?;
        self.space();
        if self.eat("]") {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.eat("]") {
                return Ok(Json::Array(items));
            }
            self.expect(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut fields = Vec::new();
        self.expect("{")?;
        self.space();
        if self.eat("}") {
            return Ok(Json::Object(fields));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            self.expect(":")?;
            fields.push((key, self.value(depth + 1)?));
            self.space();
            if self.eat("}") {
                return Ok(Json::Object(fields));
            }
            self.expect(",")?;
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.eat("-");
        if !self.eat("0") {
            self.digits()?;
        }
        if self.eat(".") {
            self.digits()?;
        }
        if self.eat("e") || self.eat("E") {
            let _ = self.eat("+") || self.eat("-");
            self.digits()?;
        }
        Ok(Json::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<(), String> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start {
            Ok(())
        } else {
            Err(self.wrong("a digit expected"))
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect("\"")?;
        let mut value = String::new();
        loop {
            let plain = self.text.as_bytes()[self.at..].iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20);
            let length = plain.ok_or_else(|| self.wrong("a string without an end"))?;
            value.push_str(&self.text[self.at..self.at + length]);
            self.at += length;
            if self.eat("\"") {
                return Ok(value);
            }
            if !self.eat("\\") {
                return Err(self.wrong("a control character in a string"));
            }
            value.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let letter = self.peek().ok_or_else(|| self.wrong("an escape without a letter"))?;
        if letter == b'u' {
            self.at += 1;
            return self.unicode();
        }
        let c = match letter {
            b'"' | b'\\' | b'/' => letter as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            _ => return Err(self.wrong("an unknown escape")),
        };
        self.at += 1;
        Ok(c)
    }

    /// A character beyond U+FFFF comes as two escapes, a high and a low surrogate; one alone is no character.
    fn unicode(&mut self) -> Result<char, String> {
        let mut code = self.hex4()?;
        if (0xd800..0xdc00).contains(&code) && self.eat("\\u") {
            let low = self.hex4()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.wrong("half a surrogate pair"));
            }
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        char::from_u32(code).ok_or_else(|| self.wrong("half a surrogate pair"))
    }

    fn hex4(&mut self) -> Result<u32, String> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.ok_or_else(|| self.wrong("four hexadecimal digits expected"))?;
        let code = digits.iter().fold(0, |code, &d| code * 16 + (d as char).to_digit(16).unwrap_or(0));
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    fn round(text: &str) -> String {
        let mut out = String::new();
        Json::parse(text).expect(text).write(&mut out);
        out
    }

    #[test]
    fn values_are_read_and_written() {
        for text in
            ["null", "true", "false", "0", "-1.5e+3", "[]", "{}", "[1,[2],{\"a\":\"b\"}]", "12345678901234567890"]
        {
            assert_eq!(round(text), text);
        }
        assert_eq!(round(" [ 1 , {\"a\" : null } ]\r"), "[1,{\"a\":null}]");
    }

    #[test]
    fn escapes_are_read_and_written() {
        assert_eq!(round(r#""\u00e9\ud83d\ude00\/\b\f\u2028""#), "\"é😀/\\u0008\\u000c\u{2028}\"");
        assert_eq!(round("\"\\u0000\\n\\r\\t\\\"\\\\\u{7f}\""), "\"\\u0000\\n\\r\\t\\\"\\\\\u{7f}\"");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let wrong = [
            "",
            "nul",
            "01",
            "1.",
            "-",
            "+1",
            "[1,]",
            "[1",
            "{\"a\"}",
            "{a:1}",
            "\"a",
            "\"\n\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud83d\"",
            "\"\\ud83dx\"",
            "\"\\ud83d\\u0041\"",
            "\"\\ude00\"",
            "1 2",
        ];
        for text in wrong {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        assert!(Json::parse(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn whole_numbers_are_exact_and_clipped_beyond_64_bits() {
        let integer = |text| Json::parse(text).expect(text).as_integer();
        assert_eq!(integer("9007199254740993"), Some(9007199254740993));
        assert_eq!(integer("1e2"), Some(100));
        assert_eq!(integer("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(integer("1.5"), None);
        assert_eq!(integer("\"1\""), None);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let value = Json::parse("{\"a\":1,\"a\":2}").expect("valid");
        assert_eq!(value.get("a"), Some(&Json::number(2)));
    }
}
