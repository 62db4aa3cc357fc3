// The standard library of a release is built without the sanitizer. Both threads may call it to fill the OnceLock.
use std::sync::{Arc, OnceLock};

fn main() {
    let here = Arc::new(OnceLock::new());
    let there = here.clone();
    let other = std::thread::spawn(move || *there.get_or_init(|| 1));
    let value = *here.get_or_init(|| 2);
    assert_eq!(other.join().unwrap(), value);
}
