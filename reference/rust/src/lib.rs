//! The reference engine in Rust: profiles base, protected, budget and atomic, with `insert`.
//!
//! ```text
//! cargo build --release
//! basebound check --wire target/release/engine
//! ```
//!
//! [`buffer`] is pure: values in, values out; a rewrite is decided whole before anything changes.
//! [`engine`] holds the one mutable value, [`wire`] speaks JSON-RPC 2.0, one message a line, with the
//! small JSON of [`json`]. Your own engine implements [`wire::Engine`]: see `examples/template.rs`.
//! No dependencies.

pub mod buffer;
pub mod engine;
pub mod json;
pub mod sha256;
pub mod wire;
