// An observer keeps a weak reference: it gets the value, or nothing once the value was dropped.
// verdict: complete
use std::sync::{Arc, Weak};
use std::thread;

struct Document {
    title: String,
}

fn title(document: Weak<Document>) -> Option<usize> {
    document.upgrade().map(|d| d.title.len())
}

fn main() {
    let document = Arc::new(Document { title: "report".into() });
    let weak = Arc::downgrade(&document);
    let reader = thread::spawn(move || title(weak));
    drop(document);
    assert!(matches!(reader.join().unwrap(), None | Some(6)));
}
