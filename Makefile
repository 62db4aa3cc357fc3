# simul: build, test, install. `make help` lists the targets.
#
# Objects go to build/obj/<variant>/; a change of flags rebuilds. Two kinds of code: what is linked into
# the command (build/simul) and what is linked into the library that runs inside the program under test
# (build/libsimul.so).

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= gcc
VERSION := 0.1.0

V ?= release
OBJ := build/obj/$(V)
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wswitch-enum -Wno-unused-parameter
BASE_CFLAGS := -std=gnu17 -O2 -g -I. -D_GNU_SOURCE -DSIMUL_VERSION='"$(VERSION)"' $(WARN) -fno-strict-aliasing
ifeq ($(DEBUG),1)
BASE_CFLAGS += -DSIMUL_DEBUG
endif
SAN ?=
CLI_CFLAGS := $(BASE_CFLAGS) $(SAN) $(CFLAGS)
# In-target code: no stack protector (it reads %fs of whoever runs), no vector registers on the event path,
# unwind tables so that cancellation and exceptions pass through.
LIB_CFLAGS := $(BASE_CFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -fno-stack-protector -mgeneral-regs-only \
	-ftls-model=initial-exec -fexceptions -fno-builtin-pthread_create -U_FORTIFY_SOURCE

PKGS := libdw libelf jansson
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null)

CLI_SRC := $(wildcard cli/*.c) $(wildcard recorder/*.c) $(wildcard replay/*.c) $(wildcard base/*.c) \
	$(wildcard sched/*.c) $(wildcard explore/*.c)
LIB_SRC := $(wildcard preload/*.c) $(wildcard preload/*.S) $(wildcard sched/*.c) $(wildcard explore/*.c) \
	replay/forced.c base/arena.c
CLI_OBJ := $(patsubst %.c,$(OBJ)/cli/%.o,$(CLI_SRC))
LIB_OBJ := $(patsubst %.S,$(OBJ)/lib/%.o,$(patsubst %.c,$(OBJ)/lib/%.o,$(LIB_SRC)))

all: build/simul build/libsimul.so

build/simul: $(CLI_OBJ)
	@mkdir -p $(@D)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(PKG_LIBS) -l:libiberty.a

# libunwind and libgcc are linked in and hidden: the program keeps its own.
build/libsimul.so: $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) -shared $(LDFLAGS) -Wl,-soname,libsimul.so -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -static-libgcc -o $@ $^ \
		-l:libunwind.a -l:liblzma.a

$(OBJ)/cli/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CLI_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/lib/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/lib/%.o: %.S
	@mkdir -p $(@D)
	$(CC) -I. -MMD -MP -c -o $@ $<

-include $(CLI_OBJ:.o=.d) $(LIB_OBJ:.o=.d)

clean:
	rm -rf build

.PHONY: all clean
