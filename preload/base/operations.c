#include "preload/base/operations.h"

#include "preload/base/guard.h"
#include "preload/base/rules.h"

struct operations operations SEALED = { 0 };
