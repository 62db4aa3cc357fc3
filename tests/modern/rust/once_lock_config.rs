// A configuration in a OnceLock: one thread sets it, another one may read the default that it makes itself.
// verdict: complete
// needs: rustc 1.70
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;
use std::thread;

#[derive(Debug, PartialEq)]
struct Config {
    retries: u32,
}

static CONFIG: OnceLock<Config> = OnceLock::new();
static DEFAULTS: AtomicU32 = AtomicU32::new(0);

fn config() -> &'static Config {
    CONFIG.get_or_init(|| {
        DEFAULTS.fetch_add(1, Ordering::Relaxed);
        Config { retries: 3 }
    })
}

fn main() {
    let reader = thread::spawn(|| config().retries);
    let set = CONFIG.set(Config { retries: 9 });
    let seen = reader.join().unwrap();
    match set {
        Ok(()) => assert_eq!((seen, DEFAULTS.load(Ordering::Relaxed)), (9, 0)),
        Err(refused) => {
            assert_eq!(refused, Config { retries: 9 });
            assert_eq!((seen, DEFAULTS.load(Ordering::Relaxed)), (3, 1));
        }
    }
    assert_eq!(config().retries, seen);
}
