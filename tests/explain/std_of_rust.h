/* A little of Rust's std for programs in C: the names of its functions are those that the linker knows in rustc 1.63. The file that has them is built without
   debug information, as std of a stripped toolchain is. */
#include <stdatomic.h>

struct std_mutex {
	atomic_uint futex;
	void (*lock)(struct std_mutex *); /* for `a.lock(&a)` */
};

#define RUST(NAME) __asm__(NAME "17h0123456789abcdefE")

void std_lock(struct std_mutex *) RUST("_ZN3std4sync5mutex14Mutex$LT$T$GT$4lock");
void std_unlock(struct std_mutex *) RUST("_ZN3std3sys4unix5locks5futex5Mutex6unlock");
/* Prints a panic and returns: unwinding would do the rest. */
void std_panic(const char *thread, const char *what) RUST("_ZN4core9panicking9panic_fmt");

#define STD_MUTEX { 0, std_lock }
