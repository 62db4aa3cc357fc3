// Readers take a snapshot of a list in an Arc; the writer changes it in place if nobody has one, and copies it otherwise.
// verdict: complete
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Routes {
    list: Mutex<Arc<Vec<&'static str>>>,
}

impl Routes {
    fn snapshot(&self) -> Arc<Vec<&'static str>> {
        Arc::clone(&self.list.lock().unwrap())
    }

    fn add(&self, route: &'static str) {
        Arc::make_mut(&mut self.list.lock().unwrap()).push(route);
    }
}

fn main() {
    let routes = Routes::default();
    routes.add("/");
    thread::scope(|s| {
        s.spawn(|| {
            let seen = routes.snapshot();
            let length = seen.len();
            assert_eq!(seen[0], "/");
            assert!(routes.snapshot().len() >= length);
            assert_eq!(seen.len(), length);
        });
        routes.add("/about");
    });
    assert_eq!(*routes.snapshot(), ["/", "/about"]);
}
