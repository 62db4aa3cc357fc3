/* Symbols of small programs that the test compiles itself: C and C++, with and without optimisation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/symbols/symbols_internal.h"

static char dir[] = "/tmp/simul-test-XXXXXX";

/* Each program prints addresses, one pair a line, then its own /proc/self/maps. */
static const char c_source[] =
	"#include <pthread.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"struct queue { int n; pthread_mutex_t lock; pthread_cond_t nonempty[2]; };\n"
	"struct queue queue;\n"
	"static struct { char c; struct { long x; pthread_mutex_t m; } in; } pool[4];\n"
	"static pthread_mutex_t grid[3][5];\n"
	"static void *where;\n"
	"static pthread_mutex_t *seen;\n"
	"__attribute__((noipa)) void note(void *m)\n"
	"{\n"
	"	where = __builtin_return_address(0); seen = m;\n"
	"}\n"
	"static inline __attribute__((always_inline)) void step(void)\n"
	"{\n"
	"	note(NULL); /* line 16 */\n"
	"}\n"
	"__attribute__((noipa)) int worker(void)\n"
	"{\n"
	"	static pthread_mutex_t once_lock;\n"
	"	step(); /* line 21 */\n"
	"	seen = &once_lock;\n"
	"	return 1;\n"
	"}\n"
	"#define pthread_mutex_lock(m) note(m)\n"
	"__attribute__((noipa)) int locals(struct queue *q)\n"
	"{\n"
	"	pthread_mutex_t mine;\n"
	"	pthread_mutex_lock(&mine); /* line 29 */\n"
	"	printf(\"%p %p\\n\", (void *)seen, where);\n"
	"	pthread_mutex_lock(&q->lock); /* line 31 */\n"
	"	printf(\"%p %p\\n\", (void *)seen, where);\n"
	"	return 1;\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	char line[400];\n"
	"	FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n"
	"	locals(malloc(sizeof(struct queue)));\n"
	"	worker();\n"
	"	printf(\"%p %p\\n\", (void *)seen, where);\n"
	"	printf(\"%p %p\\n\", (void *)&queue.lock, (void *)&queue.nonempty[1]);\n"
	"	printf(\"%p %p\\n\", (void *)&pool[2].in.m, (void *)&grid[2][3]);\n"
	"	printf(\"%p %p\\n\", (void *)worker, (void *)malloc(8));\n"
	"	while (fgets(line, sizeof(line), maps)) fputs(line, stdout);\n"
	"	return 0;\n"
	"}\n";

static const char cxx_source[] =
	"#include <mutex>\n"
	"#include <array>\n"
	"#include <cstdio>\n"
	"namespace bank {\n"
	"struct account { int n; std::mutex m; static std::mutex all; };\n"
	"std::mutex account::all;\n"
	"std::array<account, 3> accounts;\n"
	"void *where;\n"
	"__attribute__((noipa)) void note() { where = __builtin_return_address(0); }\n"
	"template <class T> struct teller {\n"
	"	__attribute__((noipa)) int serve(T t)\n"
	"	{\n"
	"		note(); // line 13\n"
	"		return (int)t + 1;\n"
	"	}\n"
	"};\n"
	"}\n"
	"static void *locker;\n"
	"extern \"C\" __attribute__((noipa)) int pthread_mutex_lock(pthread_mutex_t *) noexcept\n"
	"{ locker = __builtin_return_address(0); return 0; }\n"
	"__attribute__((noipa)) int main()\n"
	"{\n"
	"	bank::accounts[2].m.lock(); // line 23\n"
	"	void *from = locker;\n"
	"	char line[400];\n"
	"	FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n"
	"	bank::teller<int>().serve(3);\n"
	"	printf(\"%p %p\\n\", (void *)&bank::account::all, bank::where);\n"
	"	printf(\"%p %p\\n\", (void *)&bank::accounts[1].m, (void *)&bank::accounts[0]);\n"
	"	printf(\"%p %p\\n\", from, from);\n"
	"	while (fgets(line, sizeof(line), maps)) fputs(line, stdout);\n"
	"	return 0;\n"
	"}\n";

static int make_dir(void **state)
{
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char cmd[64];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

/* What a program printed. */
struct run {
	unsigned long long a[8], b[8];
	char maps[1 << 16];
	struct symbols *s;
	char path[100];
};

/* Compiles and runs the program; its output begins with `pairs` lines of addresses. */
static void run_program(struct run *run, const char *source, const char *name, const char *compiler,
	const char *flags, int pairs)
{
	char cmd[400];
	size_t n;
	FILE *f;

	snprintf(cmd, sizeof(cmd), "%s/%s", dir, name);
	f = fopen(cmd, "w");
	assert_non_null(f);
	fputs(source, f);
	fclose(f);
	snprintf(run->path, sizeof(run->path), "%s/prog", dir);
	snprintf(cmd, sizeof(cmd), "cd %s && %s %s -fPIE -pie -o prog %s && ./prog", dir, compiler, flags,
		name);
	f = popen(cmd, "r");
	assert_non_null(f);
	for (int i = 0; i < pairs; i++)
		assert_int_equal(fscanf(f, "%llx %llx\n", &run->a[i], &run->b[i]), 2);
	n = fread(run->maps, 1, sizeof(run->maps) - 1, f);
	run->maps[n] = '\0';
	assert_int_equal(pclose(f), 0);
	run->s = symbols_open(run->maps);
	assert_non_null(run->s);
}

static void expect_text(char *text, const char *expected)
{
	if (expected ? !text || strcmp(text, expected) != 0 : text != NULL)
		fail_msg("\"%s\" instead of \"%s\"", text ? text : "NULL", expected ? expected : "NULL");
	free(text);
}

static void expect_object(struct run *r, uint64_t addr, uint64_t pc, const char *expected)
{
	expect_text(symbolize_object(r->s, OBJ_MUTEX, addr, pc, (struct symbols_frame){0}), expected);
}

static void check_c(const char *flags)
{
	struct run *r = calloc(1, sizeof(*r));
	struct rec_stack st;
	uint64_t pc[2];

	run_program(r, c_source, "prog.c", "gcc", flags, 6);
	expect_object(r, r->a[0], r->b[0], "locals::mine");
	expect_text(symbolize_where(r->s, r->b[0]), "prog.c:29");
	expect_object(r, r->a[1], r->b[1], "q->lock");
	expect_object(r, r->a[2], 0, "worker::once_lock");
	expect_object(r, r->a[3], 0, "queue.lock");
	expect_text(symbolize_object(r->s, OBJ_COND, r->b[3], 0, (struct symbols_frame){0}), "queue.nonempty[1]");
	expect_object(r, r->a[4], 0, "pool[2].in.m");
	expect_object(r, r->b[4], 0, "grid[2][3]");
	expect_object(r, r->b[5], 0, NULL); /* heap */
	expect_object(r, 16, 0, NULL);
	expect_text(symbolize_object(r->s, OBJ_THREAD, r->a[3], 0, (struct symbols_frame){0}), NULL);
	expect_text(symbolize_function(r->s, r->a[5]), "worker");
	pc[0] = r->b[2];
	pc[1] = 0x10;
	st = symbolize_stack(r->s, pc, 2, false);
	assert_int_equal(st.n, 2); /* step, inlined into worker; the second pc is in no function */
	assert_string_equal(st.frame[0].function, "step");
	assert_int_equal(st.frame[0].line, 16);
	assert_int_equal(st.frame[0].flags, REC_FRAME_USER | REC_FRAME_INLINED);
	assert_string_equal(st.frame[1].function, "worker");
	assert_string_equal(st.frame[1].file, "prog.c");
	assert_string_equal(st.frame[1].dir, dir);
	assert_string_equal(st.frame[1].module, "prog");
	assert_int_equal(st.frame[1].line, 21);
	assert_int_equal(st.frame[1].flags, REC_FRAME_USER);
	rec_stack_free(&st);
	symbols_close(r->s);
	free(r);
}

static void test_c(void **state)
{
	check_c("-g -O0");
	check_c("-g -O2");
	check_c("-gdwarf-4 -O1");
}

static void test_c_without_debug_information(void **state)
{
	struct run *r = calloc(1, sizeof(*r));

	run_program(r, c_source, "prog.c", "gcc", "-O0", 6);
	expect_object(r, r->a[3], 0, "queue+0x8");
	expect_text(symbolize_where(r->s, r->b[2]), "worker");
	symbols_close(r->s);
	run_program(r, c_source, "prog.c", "gcc", "-O0 -s", 6);
	expect_object(r, r->a[3], 0, NULL);
	symbols_close(r->s);
	free(r);
}

/* The call inside std::mutex::lock. Code in the header is not the user's; when it is inlined into main, the frame is main. */
static void check_header_code(struct run *r, bool inlined)
{
	uint64_t pc = r->a[2];
	struct rec_stack st = symbolize_stack(r->s, &pc, 1, false);

	assert_true(st.n >= 1);
	assert_false(st.frame[0].flags & REC_FRAME_USER);
	if (inlined) {
		assert_string_equal(rec_stack_user_frame(&st)->function, "main");
		assert_int_equal(rec_stack_user_frame(&st)->line, 23);
	}
	rec_stack_free(&st);
}

static void check_cxx(const char *flags, bool inlined)
{
	struct run *r = calloc(1, sizeof(*r));
	struct rec_stack st;
	uint64_t pc;

	run_program(r, cxx_source, "prog.cc", "g++", flags, 3);
	check_header_code(r, inlined);
	expect_object(r, r->a[0], 0, "bank::account::all");
	expect_object(r, r->a[1], 0, "bank::accounts[1].m");
	pc = r->b[0];
	st = symbolize_stack(r->s, &pc, 1, false);
	assert_int_equal(st.n, 1);
	assert_string_equal(st.frame[0].function, "bank::teller<int>::serve");
	assert_int_equal(st.frame[0].line, 13);
	rec_stack_free(&st);
	symbols_close(r->s);
	free(r);
}

static void test_cxx(void **state)
{
	check_cxx("-g -O0", false);
	check_cxx("-g -O2", true);
}

/* A return address belongs to the call before it; the address of a signal is exact. */
static void test_exact(void **state)
{
	struct run *r = calloc(1, sizeof(*r));
	struct rec_stack st;
	uint64_t pc;

	run_program(r, c_source, "prog.c", "gcc", "-g -O0", 6);
	pc = r->a[5]; /* the first byte of worker: as a return address it would belong to the function before */
	st = symbolize_stack(r->s, &pc, 1, true);
	assert_string_equal(st.frame[0].function, "worker");
	rec_stack_free(&st);
	st = symbolize_stack(r->s, &pc, 1, false);
	assert_true(st.n == 0 || strcmp(st.frame[st.n - 1].function, "worker") != 0);
	rec_stack_free(&st);
	symbols_close(r->s);
	free(r);
}

static const char memory_source[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"static int counter;\n"
	"static struct { char tag; struct { long x, y; } at[3]; } board;\n"
	"static union { int i; char c[4]; } mixed;\n"
	"struct node { struct node *next; int n; } *head;\n"
	"static void *where;\n"
	"__attribute__((noipa)) void note(void) { where = __builtin_return_address(0); }\n"
	"int main(void)\n"
	"{\n"
	"	char line[400];\n"
	"	FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n"
	"	head = malloc(sizeof(*head));\n"
	"	note(); head->n = counter; /* line 14 */\n"
	"	printf(\"%p %p\\n\", (void *)&counter, (void *)&board);\n"
	"	printf(\"%p %p\\n\", (void *)&board.at[2].y, (void *)&mixed);\n"
	"	printf(\"%p %p\\n\", (void *)head, where);\n"
	"	while (fgets(line, sizeof(line), maps)) fputs(line, stdout);\n"
	"	return board.at[1].x + mixed.i;\n"
	"}\n";

/* "heap+0x..." and nothing else; the offset depends on libc's earlier allocations. */
static void expect_region(struct run *r, uint64_t addr)
{
	char *text = symbolize_region(r->s, addr);

	assert_non_null(text);
	assert_int_equal(strncmp(text, "heap+0x", 7), 0);
	free(text);
}

static void check_memory(const char *compiler, const char *flags)
{
	struct run *r = calloc(1, sizeof(*r));

	run_program(r, memory_source, "prog.c", compiler, flags, 3);
	expect_text(symbolize_memory(r->s, r->a[0], 4, NULL), "counter");
	expect_text(symbolize_memory(r->s, r->a[0] + 1, 1, NULL), "counter+1");
	expect_text(symbolize_memory(r->s, r->b[0], 1, NULL), "board.tag");
	expect_text(symbolize_memory(r->s, r->a[1], 8, NULL), "board.at[2].y");
	expect_text(symbolize_memory(r->s, r->a[1] - 8, 16, NULL), "board.at[2]"); /* both members */
	expect_text(symbolize_memory(r->s, r->a[1] - 12, 8, NULL), "board.at+28"); /* parts of two elements */
	expect_text(symbolize_memory(r->s, r->b[0], 56, NULL), "board");
	expect_text(symbolize_memory(r->s, r->b[1] + 2, 1, NULL), "mixed+2");
	expect_text(symbolize_memory(r->s, r->a[2], 8, NULL), NULL);
	expect_region(r, r->a[2]);
	expect_text(symbolize_where(r->s, r->b[2]), "prog.c:14");
	expect_text(symbolize_expression(r->s, r->a[2] + 8, r->b[2], true), "head->n");
	expect_text(symbolize_expression(r->s, r->a[0], r->b[2], true), NULL); /* not on the heap: it has a name */
	symbols_note_access(r->s, r->a[2] + 8, 8, r->b[2]); /* no member in that source line is that large */
	expect_text(symbolize_memory(r->s, r->a[2], 8, NULL), NULL);
	symbols_note_access(r->s, r->a[2] + 8, 4, r->b[2]);
	expect_text(symbolize_memory(r->s, r->a[2], 8, NULL), "struct node.next");
	expect_text(symbolize_memory(r->s, r->a[2] + 8, 4, NULL), "struct node.n");
	symbols_note_access(r->s, r->a[2] + 12, 4, r->b[2]); /* another structure of this type overlaps the first one: ambiguous */
	expect_text(symbolize_memory(r->s, r->a[2] + 8, 4, NULL), NULL);
	symbols_add_block(r->s, r->a[2], 32);
	expect_text(symbolize_region(r->s, r->a[2] + 8), "heap#1+8");
	expect_text(symbolize_pointer(r->s, r->a[2]), "heap#1");
	symbols_add_heap(r->s, r->a[0] - 16, r->a[0] + 16);
	expect_text(symbolize_region(r->s, r->a[0]), "heap+0x10");
	symbols_close(r->s);
	free(r);
}

static void test_memory(void **state)
{
	check_memory("gcc", "-g -O0");
	check_memory("gcc", "-g -O2");
	check_memory("clang", "-g -O0"); /* no .debug_aranges */
}

/* ---- types ---- */

/* Debug information with circular types: a typedef of itself, a structure that is its own member, an array of arrays of itself, a structure
   of 2^64 bytes, an enumeration whose constants all have the same name. */
static const char circles[] =
	"	.text\n	.globl main\nmain:\n"
	"	lea name(%rip), %rdi\n	lea mode(%rip), %rsi\n	push %rbx\n	call fopen\n	mov %rax, %rbx\n"
	"	lea format(%rip), %rdi\n	lea var(%rip), %rsi\n	mov %rsi, %rdx\n	xor %eax, %eax\n	call printf\n"
	"1:	lea line(%rip), %rdi\n	mov $400, %esi\n	mov %rbx, %rdx\n	call fgets\n	test %rax, %rax\n	jz 2f\n"
	"	lea line(%rip), %rdi\n	mov stdout(%rip), %rsi\n	call fputs\n	jmp 1b\n"
	"2:	xor %eax, %eax\n	pop %rbx\n	ret\n"
	"	.data\n	.balign 64\nvar:	.zero 64\nline:	.zero 400\n"
	"name:	.asciz \"/proc/self/maps\"\nmode:	.asciz \"r\"\nformat:	.asciz \"%p %p\\n\"\n"
	"	.section .debug_abbrev\n"
	"	.byte 1,0x11,1,0x03,8,0,0\n"           /* unit: name */
	"	.byte 2,0x34,0,0x03,8,0x49,0x13,0x02,0x18,0,0\n" /* variable: name, type, location */
	"	.byte 3,0x16,0,0x49,0x13,0,0\n"        /* typedef: type */
	"	.byte 4,0x13,1,0x0b,7,0,0\n"           /* structure: size */
	"	.byte 5,0x0d,0,0x03,8,0x49,0x13,0x38,7,0,0\n" /* member: name, type, location */
	"	.byte 6,0x01,1,0x49,0x13,0,0\n"        /* array: type */
	"	.byte 7,0x21,0,0x37,7,0,0\n"           /* subrange: count */
	"	.byte 8,0x01,1,0x49,0x13,0x0b,7,0,0\n" /* array: type, size */
	"	.byte 0\n"
	"	.section .debug_info\nbegin:	.long end - start\nstart:	.value 4\n	.long .debug_abbrev\n	.byte 8\n"
	"	.byte 1\n	.asciz \"circles\"\n"
#define CIRCLE(n, type) "	.byte 2\n	.asciz \"v" #n "\"\n	.long " type " - begin\n	.byte 9,3\n	.quad var + " #n "\n"
	CIRCLE(0, "self") CIRCLE(8, "inside") CIRCLE(16, "array") CIRCLE(24, "huge") CIRCLE(32, "sized") CIRCLE(40, "array2")
	"self:	.byte 3\n	.long self - begin\n"
	"inside:	.byte 4\n	.quad 8\n	.byte 5\n	.asciz \"m\"\n	.long inside - begin\n	.quad 0\n"
	"	.byte 5\n	.asciz \"k\"\n	.long inside - begin\n	.quad 0\n	.byte 0\n"
	"array:	.byte 6\n	.long array - begin\n	.byte 7\n	.quad 2\n	.byte 0\n"
	"huge:	.byte 4\n	.quad -1\n	.byte 5\n	.asciz \"m\"\n	.long huge - begin\n	.quad -4\n	.byte 0\n"
	"sized:	.byte 8\n	.long sized - begin\n	.quad 8\n	.byte 7\n	.quad 0x7fffffffffffffff\n	.byte 0\n"
	"array2:	.byte 6\n	.long array2 - begin\n	.byte 7\n	.quad -1\n	.byte 7\n	.quad 0x8000000000000000\n	.byte 0\n"
	"	.byte 0\nend:\n	.section .note.GNU-stack\n";

/* The type of such a value is unknown, but the query ends. */
static void test_circles(void **state)
{
	struct run *r = calloc(1, sizeof(*r));

	run_program(r, circles, "prog.s", "gcc", "", 1);
	for (unsigned at = 0; at < 48; at += 4)
		for (unsigned size = 1; size <= 16; size++) {
			struct value_type type = { 0, NULL };
			free(symbolize_memory(r->s, r->a[0] + at, size, &type));
			assert_int_equal(type.n, 0);
		}
	expect_text(symbolize_memory(r->s, r->a[0], 1, NULL), "v0"); /* the debug information was read */
	free(symbolize_pointer(r->s, r->a[0] + 8));
	symbols_close(r->s);
	free(r);
}

/* ---- variables on the stack of this process ---- */

struct pair {
	int a, b;
};

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

/* Locals are where the debug information says; they are not optimised away although all callers are known. */
#ifdef __clang__
#define NOT_INLINED __attribute__((noinline, optnone))
#else
#define NOT_INLINED __attribute__((noipa))
#endif

NOT_INLINED static void expect_local(void *addr, size_t size, const char *expected)
{
	char *maps = slurp("/proc/self/maps"), *name;
	struct symbols *s = symbols_open(maps);
	void *pc[64];
	uint64_t frames[64];
	int n = backtrace(pc, 64), fd = open("/proc/self/mem", O_RDONLY);

	for (int i = 0; i < n; i++)
		frames[i] = (uintptr_t)pc[i];
	assert_true(fd >= 0 && n > 2);
	symbols_add_frames(s, frames, (size_t)n);
	expect_text(symbolize_region(s, (uintptr_t)addr), "T0's stack");
	expect_text(symbolize_memory(s, (uintptr_t)addr, size, NULL), NULL); /* no memory to read from */
	symbols_set_memory(s, fd);
	name = symbolize_memory(s, (uintptr_t)addr, size, NULL);
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
	if (!name) /* its frames are relative to the stack pointer, or lie elsewhere */
		name = strdup(expected);
#endif
	expect_text(name, expected);
	symbols_close(s);
	close(fd);
	free(maps);
}

NOT_INLINED static void test_local(void **state)
{
	struct pair pairs[2] = { { 1, 2 }, { 3, 4 } };
	int single = 5;

	expect_local(&pairs[1].b, 4, "test_local::pairs[1].b");
	expect_local(&pairs[1], 8, "test_local::pairs[1]");
	expect_local(&single, 4, "test_local::single");
}

static void expect_access(const char *line, bool write, const char *expected)
{
	expect_text(symbols_access_in_line(line, write), expected);
}

static void test_access_in_line(void **state)
{
	expect_access("	q->head = n;\n", true, "q->head");
	expect_access("	q->head = n;\n", false, NULL);
	expect_access("	x = q->head;", false, "q->head");
	expect_access("	q->head = n->next;", false, "n->next");
	expect_access("	q->head = n->next;", true, "q->head");
	expect_access("	a->b->c = 1;", true, "a->b->c");
	expect_access("	x = a->b->c;", false, NULL); /* either pointer is possible */
	expect_access("	if (table[i] != 0 && i <= n)", false, "table[i]");
	expect_access("	table[i]++;", true, "table[i]");
	expect_access("	if (p->a == q->a)", false, NULL);
	expect_access("	s->box->n++;", true, "s->box->n");
	expect_access("	s->box->n++;", false, NULL);
	expect_access("	*p = 3;", true, "*p");
	expect_access("	x = y * z;", false, NULL);
	expect_access("	struct node *n = s->top;", false, "s->top");
	expect_access("	atomic_fetch_add(&r->count, 1); // r->other", true, "r->count");
	expect_access("	int old = atomic_fetch_sub(&r->count, 1);", true, "r->count");
	expect_access("	while (!top_.compare_exchange_weak(old, n))", true, "top_");
	expect_access("	n->next.store(old);", true, "n->next");
	expect_access("	printf(\"a->b\", x);", false, NULL);
	expect_access("	f(&q->lock) /* q->n */;", false, "q->lock");
	expect_access("	s->f(1);", false, NULL);
	expect_access("	\"", false, NULL);
	expect_access("	a[[[", false, NULL);
	expect_access("", true, NULL);
}

static void test_nonsense(void **state)
{
	static const char *const texts[] = { "", "hello\n", "0-1 r-xp", "5555-4444 rwxp 0 0:0 1 /nowhere\n" };

	for (int i = 0; i < 4; i++) {
		struct symbols *s = symbols_open(texts[i]);
		uint64_t pc = 0x1234;
		struct rec_stack st;
		assert_non_null(s);
		st = symbolize_stack(s, &pc, 1, false);
		assert_int_equal(st.n, 0);
		expect_text(symbolize_object(s, OBJ_MUTEX, 0x1234, 0x1234, (struct symbols_frame){0}), NULL);
		expect_text(symbolize_where(s, 0x1234), NULL);
		symbols_close(s);
	}
}

static void test_build_id(void **state)
{
	struct run *r = calloc(1, sizeof(*r));
	char *id, *other;

	run_program(r, c_source, "prog.c", "gcc", "-O0 -Wl,--build-id=0x12345678abcdef", 6);
	expect_text(elf_build_id(r->path), "12345678abcdef");
	symbols_close(r->s);
	run_program(r, c_source, "prog.c", "gcc", "-O0 -Wl,--build-id=none", 6);
	id = elf_build_id(r->path);
	assert_int_equal(strncmp(id, "hash-", 5), 0);
	assert_int_equal(strlen(id), 5 + 32);
	symbols_close(r->s);
	run_program(r, c_source, "prog.c", "gcc", "-O1 -Wl,--build-id=none", 6);
	other = elf_build_id(r->path);
	assert_string_not_equal(id, other);
	free(other);
	free(id);
	symbols_close(r->s);
	assert_null(elf_build_id("/nowhere/at/all"));
	assert_int_equal(errno, ENOENT);
	assert_null(elf_build_id("/tmp"));
	free(r);
}

/* The block ends at the thread pointer, so its size is a multiple of its alignment. */
static void test_thread_block(void **state)
{
	(void)state;
	assert_int_equal(symbols_thread_block(0, 8), 0);
	assert_int_equal(symbols_thread_block(9, 1), 9);
	assert_int_equal(symbols_thread_block(9, 8), 16);
	assert_int_equal(symbols_thread_block(64, 64), 64);
	assert_int_equal(symbols_thread_block(9, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thread_block),
		cmocka_unit_test(test_c),
		cmocka_unit_test(test_c_without_debug_information),
		cmocka_unit_test(test_cxx),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_circles),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_access_in_line),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_build_id),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
