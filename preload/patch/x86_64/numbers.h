/* Numbers of general registers, as in encodings of instructions and in struct access. */
#ifndef SIMUL_PATCH_NUMBERS_H
#define SIMUL_PATCH_NUMBERS_H

enum { REG_RCX_ = 1, REG_RSP_ = 4, REG_RBP_ = 5, REG_RSI_ = 6, REG_RDI_ = 7, REG_RIP_ = 16, REG_NONE = 17 };

#endif
