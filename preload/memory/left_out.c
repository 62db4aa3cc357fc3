#include "preload/memory/left_out.h"

#include "preload/base/rules.h"

struct code_ranges left_out_code;
