/*
 * When the supervisor places the program's memory at fixed addresses (cli/target/place.h), AT_RANDOM points to these bytes instead of the
 * kernel's random ones. libc derives the guards of stack frames and of saved code pointers from them. They also show libsimul.so that it is
 * at its fixed address.
 */
#ifndef SIMUL_FIXED_START_H
#define SIMUL_FIXED_START_H

#include <stdint.h>

#define FIXED_START_BYTES 16
/* A higher stack limit must be lowered to this one for the exec; otherwise the kernel maps memory below the layout. */
#define FIXED_START_STACK_MOST (UINT64_C(64) << 30)
/* The detour of the dynamic linker's mmap (cli/target/place_linker.h): a page within the reach of the linker, and where it maps whole files. */
#define FIXED_START_DETOUR UINT64_C(0x6f0000ff0000)
#define FIXED_START_FILE_NUMBER 0x0d0000000000
#define FIXED_START {0x00, 0x96, 0x2d, 0xb4, 0xc3, 0xe8, 0x17, 0x5a, 0x6b, 0xd1, 0x4e, 0x90, 0x3f, 0xa2, 0x75, 0x1c}

#endif
