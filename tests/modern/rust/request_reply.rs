// Each request to the thread that owns the table carries a sender for its reply.
// verdict: complete
use std::collections::HashMap;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread;

enum Request {
    Put(String, u32),
    Get(String, Sender<Option<u32>>),
}

fn serve(requests: Receiver<Request>) -> usize {
    let mut table = HashMap::new();
    for request in requests {
        match request {
            Request::Put(key, value) => drop(table.insert(key, value)),
            Request::Get(key, reply) => drop(reply.send(table.get(&key).copied())),
        }
    }
    table.len()
}

fn get(server: &Sender<Request>, key: &str) -> Option<u32> {
    let (reply, answer) = channel();
    server.send(Request::Get(key.to_string(), reply)).unwrap();
    answer.recv().unwrap()
}

fn main() {
    let (server, requests) = channel();
    let table = thread::spawn(move || serve(requests));
    server.send(Request::Put("port".to_string(), 8080)).unwrap();
    assert_eq!(get(&server, "port"), Some(8080));
    drop(server);
    assert_eq!(table.join().unwrap(), 1);
}
