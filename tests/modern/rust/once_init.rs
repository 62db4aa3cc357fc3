// Once runs the initialisation of a static once, and both threads see the result.
// verdict: complete
use std::sync::Once;
use std::thread;

static INIT: Once = Once::new();
static mut CONFIG: Option<String> = None;

fn config() -> &'static str {
    unsafe {
        INIT.call_once(|| *std::ptr::addr_of_mut!(CONFIG) = Some("debug".to_string()));
        (*std::ptr::addr_of!(CONFIG)).as_deref().unwrap()
    }
}

fn main() {
    let other = thread::spawn(|| config().len());
    assert_eq!(config(), "debug");
    assert_eq!(other.join().unwrap(), 5);
}
