// `if let` keeps the read lock until the end of `else`: a reader that misses waits for its own read lock.
// verdict: bug
use std::collections::HashMap;
use std::sync::RwLock;
use std::thread;

#[derive(Default)]
struct Cache {
    names: RwLock<HashMap<u32, String>>,
}

impl Cache {
    fn load(&self) {
        self.names.write().unwrap().extend([(1, "one".to_string()), (2, "two".to_string())]);
    }

    fn name(&self, n: u32) -> String {
        if let Some(found) = self.names.read().unwrap().get(&n) {
            found.clone()
        } else {
            let name = format!("#{n}");
            self.names.write().unwrap().insert(n, name.clone());
            name
        }
    }
}

fn main() {
    let cache = Cache::default();
    thread::scope(|s| {
        s.spawn(|| cache.load());
        assert!(["two", "#2"].contains(&cache.name(2).as_str()));
    });
}
