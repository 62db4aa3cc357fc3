// A function that reads the settings calls another one that reads them. If a writer comes in between, the second read waits for it, and it for the first.
// verdict: bug
use std::sync::RwLock;
use std::thread;

struct Settings {
    limit: RwLock<u32>,
    name: RwLock<String>,
}

static SETTINGS: Settings = Settings { limit: RwLock::new(10), name: RwLock::new(String::new()) };

fn half() -> u32 {
    *SETTINGS.limit.read().unwrap() / 2
}

fn describe() -> String {
    let limit = SETTINGS.limit.read().unwrap();
    format!("{} {} {}", SETTINGS.name.read().unwrap(), *limit, half())
}

fn main() {
    let change = thread::spawn(|| *SETTINGS.limit.write().unwrap() = 20);
    assert!(describe().starts_with(' '));
    change.join().unwrap();
}
