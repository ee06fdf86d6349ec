use basebound_reference::{engine::Reference, wire};

fn main() -> std::io::Result<()> {
    wire::serve::<Reference>()
}
