/*
 * Programs of the toy machine (lib_toy.h): the instructions, and functions that build and print programs.
 */
#ifndef SIMUL_LIB_TOY_PROGRAM_H
#define SIMUL_LIB_TOY_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define TOY_THREADS 16
#define TOY_CODE 64
#define TOY_REGS 4
#define TOY_VARS 160
#define TOY_BASE UINT64_C(0x7fff2d00) /* of memory: 96 variables fit before the end of the page */

/* r: register, x: variable (sized: byte), o: object number, n: number. An address is x + reg[y - 1] when y is not 0. */
enum toy_op {
	TOY_END = 0,
	TOY_LOAD,      /* a = r, b = x, c = y */
	TOY_STORE,     /* a = x, b = n, c = r + 1: value n + reg (0: n alone) */
	TOY_ADD,       /* a = x, b = n, c = r + 1 (0: none): atomic fetch-and-add */
	TOY_XCHG,      /* a = x, b = n, c = r: atomic exchange */
	TOY_CAS,       /* a = x, b = expected, c = new, d = r: success; address register in e */
	TOY_LOCK, TOY_UNLOCK, /* a = mutex */
	TOY_TRYLOCK,   /* a = mutex, b = r: 1 when taken */
	TOY_WAIT,      /* a = cond, b = mutex */
	TOY_TIMEDWAIT, /* a = cond, b = mutex, c = r: 1 when timed out, d = timeout (0: the same as others that come soon) */
	TOY_SIGNAL, TOY_BROADCAST, /* a = cond */
	TOY_SEMWAIT, TOY_POST,     /* a = sem */
	TOY_SEMTRY,    /* a = sem, b = r */
	TOY_RDLOCK, TOY_WRLOCK, TOY_RDUNLOCK, TOY_WRUNLOCK, /* a = rwlock */
	TOY_TRYRD, TOY_TRYWR, /* a = rwlock, b = r, c: 1: timed */
	TOY_BARRIER_INIT, /* a = barrier, b = n */
	TOY_BARRIER,   /* a = barrier */
	TOY_ONCE,      /* a = once: enter and, if this thread initialises, done */
	TOY_DESTROY,   /* a = which, b = OBJ_MUTEX, OBJ_COND, OBJ_RWLOCK, OBJ_SEM or OBJ_BARRIER */
	TOY_FUTEX_WAIT, /* a = x: the futex is its first 4 bytes, b = expected */
	TOY_FUTEX_WAKE, /* a = x, b = n */
	TOY_SPAWN, TOY_JOIN, /* a = thread */
	TOY_EXIT,      /* a = status */
	TOY_YIELD,
	TOY_SLEEP,     /* d = ns */
	TOY_FENCE,     /* waits until the thread's stores are in memory */
	TOY_CHOOSE,    /* a = r, b = n: one of 0 .. n-1 */
	TOY_ASSUME_EQ, TOY_ASSUME_NE, /* a = r, b = n: the execution ends here if it does not hold; otherwise local */
	TOY_ATOMIC_BEGIN, TOY_ATOMIC_END, TOY_EXPLORE_BEGIN, TOY_EXPLORE_END, /* do not nest */
	/* local */
	TOY_RELEASE_FENCE, /* later stores reach memory after earlier ones (PSO) */
	TOY_SET,       /* a = r, b = n */
	TOY_ADDMOD,    /* a = r, b = n, c = modulus */
	TOY_SUM,       /* a = r, b = r: a += b */
	TOY_SKIP_EQ,   /* a = r, b = n, c = how many instructions */
	TOY_SKIP_NE,
	TOY_JUMP,      /* a = instruction */
	TOY_DIE_EQ,    /* a = r, b = n: the process dies */
};

enum toy_order {
	TOY_PLAIN = 0,
	TOY_RELEASE, /* reaches memory after all older stores of its thread (matters under PSO) */
	TOY_DRAINS,  /* waits until they are in memory, and goes there at once */
	/* of a TOY_ADD without a register: */
	TOY_CARRIES,  /* the bytes are one number, little-endian; without it, each byte is one */
	TOY_COMMUTES, /* the same, and it is announced as an addition that commutes with others */
};

struct toy_instr {
	uint8_t op;
	uint8_t size;  /* of a memory access, in bytes; 0: the whole variable */
	bool spins;    /* the access is part of a spin loop */
	uint8_t order; /* of a store or TOY_ADD: enum toy_order */
	bool counts;   /* counted as a turn of a waiting loop (sched/rounds.h) */
	bool waits;    /* announced with the state of its thread (sched/rounds.h) */
	int16_t a, b, c, d, e;
};

struct toy_program {
	const char *name;
	unsigned threads; /* thread 0 is main */
	int sem_value[4];
	uint8_t rw_type[2]; /* of rwlocks 0 and 1: enum rwlock_type */
	uint32_t spurious;
	bool late_exit, barrier_first, discrete_time; /* see world_config */
	uint64_t patience; /* world_config.patience; with it or discrete_time, TRYLOCK, SEMTRY, TRYRD, TRYWR and FUTEX_WAIT with d > 0 time out after d ns */
	unsigned model;   /* enum memory_model */
	struct toy_instr code[TOY_THREADS][TOY_CODE];
	uint8_t len[TOY_THREADS];
};

/* Adds an instruction to thread t. */
void toy_add(struct toy_program *p, unsigned t, enum toy_op op, int a, int b, int c, int d, int e);
/* Makes the last instruction of thread t an access to `size` bytes, 1 to 255, which lie in one page. */
void toy_sized(struct toy_program *p, unsigned t, unsigned size);
/* Gives the last instruction of thread t, a store or TOY_ADD, that order. */
void toy_ordered(struct toy_program *p, unsigned t, enum toy_order order);
/* Makes the last instruction of thread t an access of a spin loop: a jump leads back to it, or to another such access, and nothing else
   happens in between. The loop is discovered when an execution iterates it; from then on other accesses are events (toy.await.changes). */
void toy_spins(struct toy_program *p, unsigned t);
/* Makes the last instruction of thread t, which accesses no memory, announce itself with the state of its thread. */
void toy_waits(struct toy_program *p, unsigned t);
/* Makes the last instruction of thread t count as a turn of a waiting loop. */
void toy_counts(struct toy_program *p, unsigned t);
/* The `pc` of such an operation. */
uint64_t toy_turn(unsigned t, unsigned pc);
/* main spawns threads 1 .. n-1 and joins them. */
void toy_main(struct toy_program *p);
/* main, and threads 1 .. `threads` that each take a ticket lock `rounds` times. Each ticket is a spin loop of its own. */
void toy_ticket_lock(struct toy_program *p, unsigned threads, unsigned rounds);
void toy_print(const struct toy_program *p);

#endif
