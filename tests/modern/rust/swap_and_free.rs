// The writer swaps a new configuration in and frees the old one at once, which a reader may still be reading.
// verdict: bug
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Config {
    host: String,
    port: u16,
}

struct Shared(AtomicPtr<Config>);

impl Shared {
    fn new(config: Config) -> Shared {
        Shared(AtomicPtr::new(Box::into_raw(Box::new(config))))
    }

    fn address(&self) -> String {
        let config = unsafe { &*self.0.load(Ordering::Acquire) };
        format!("{}:{}", config.host, config.port)
    }

    fn replace(&self, config: Config) {
        let old = self.0.swap(Box::into_raw(Box::new(config)), Ordering::AcqRel);
        drop(unsafe { Box::from_raw(old) });
    }
}

fn main() {
    let shared = Shared::new(Config { host: "localhost".into(), port: 80 });
    thread::scope(|s| {
        let reader = s.spawn(|| shared.address());
        shared.replace(Config { host: "example.org".into(), port: 443 });
        assert!(["localhost:80", "example.org:443"].contains(&reader.join().unwrap().as_str()));
    });
}
