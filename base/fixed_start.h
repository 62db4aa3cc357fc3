/*
 * The bytes that a program finds behind AT_RANDOM when the supervisor has put its memory at fixed addresses (cli/target/place.h), in place of the
 * kernel's random ones. libc makes the guards of stack frames and of saved code pointers from them, and libsimul.so knows by them that it
 * lies where it should.
 */
#ifndef SIMUL_FIXED_START_H
#define SIMUL_FIXED_START_H

#include <stdint.h>

#define FIXED_START_BYTES 16
/* A stack limit above this one must be lowered to it for the exec: else the kernel maps below the layout. */
#define FIXED_START_STACK_MOST (UINT64_C(64) << 30)
#define FIXED_START {0x00, 0x96, 0x2d, 0xb4, 0xc3, 0xe8, 0x17, 0x5a, 0x6b, 0xd1, 0x4e, 0x90, 0x3f, 0xa2, 0x75, 0x1c}

#endif
