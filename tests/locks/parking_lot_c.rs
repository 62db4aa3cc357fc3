// The mutex of parking_lot for programs in C (own_lock.h).
use parking_lot::lock_api::RawMutex as _;
use parking_lot::RawMutex;

#[no_mangle]
pub extern "C" fn parking_lot_lock(mutex: &RawMutex) {
    mutex.lock()
}

#[no_mangle]
pub extern "C" fn parking_lot_try_lock(mutex: &RawMutex) -> bool {
    mutex.try_lock()
}

#[no_mangle]
pub unsafe extern "C" fn parking_lot_unlock(mutex: &RawMutex) {
    mutex.unlock()
}
