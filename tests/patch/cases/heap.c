/* Ordinary code: lists, trees, hash tables, sorting, searching, strings on the heap. */
#include "case.h"

struct node { struct node *left, *right; uint32_t key; uint8_t colour; char name[11]; };
struct entry { struct entry *next; char *word; unsigned count; };
static struct entry *buckets[64];

static NOINLINE struct node *insert(struct node *n, uint32_t key)
{
	if (!n) {
		n = calloc(1, sizeof(*n));
		n->key = key;
		snprintf(n->name, sizeof(n->name), "n%u", key % 1000);
	} else if (key < n->key) {
		n->left = insert(n->left, key);
	} else if (key > n->key) {
		n->right = insert(n->right, key);
	} else {
		n->colour++;
	}
	return n;
}
static NOINLINE uint64_t walk(const struct node *n, uint64_t h)
{
	if (!n)
		return h;
	h = walk(n->left, h);
	h = mix(h, n->key + n->colour);
	h = mix_bytes(h, n->name, strlen(n->name));
	return walk(n->right, h);
}
static void free_tree(struct node *n)
{
	if (!n)
		return;
	free_tree(n->left);
	free_tree(n->right);
	free(n);
}
static NOINLINE void count_word(const char *w, size_t n)
{
	unsigned h = 5381;
	for (size_t i = 0; i < n; i++)
		h = h * 33 + (unsigned char)w[i];
	struct entry **p = &buckets[h % 64];
	for (; *p; p = &(*p)->next)
		if (!strncmp((*p)->word, w, n) && !(*p)->word[n]) {
			(*p)->count++;
			return;
		}
	*p = calloc(1, sizeof(**p));
	(*p)->word = strndup(w, n);
	(*p)->count = 1;
}
static int by_value(const void *a, const void *b) { uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b; return (x > y) - (x < y); }

CASE(heap)
{
	static const char text[] = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness";
	struct node *root = NULL;
	uint32_t x = 12345, *v = malloc(1000 * sizeof(*v)), sieve[320];
	for (int i = 0; i < 1000; i++) {
		x = x * 1103515245 + 12345;
		v[i] = x % 5000;
		root = insert(root, v[i]);
	}
	result("tree", walk(root, 0));
	free_tree(root);
	qsort(v, 1000, sizeof(*v), by_value);
	result("sorted", mix_bytes(0, v, 1000 * sizeof(*v)));
	uint32_t wanted = v[500];
	printf("found %d\n", bsearch(&wanted, v, 1000, sizeof(*v), by_value) != NULL);
	free(v);
	for (const char *w = text; *w;) {
		size_t n = strcspn(w, " ");
		count_word(w, n);
		w += n + (w[n] == ' ');
	}
	uint64_t h = 0;
	for (int i = 0; i < 64; i++)
		while (buckets[i]) {
			struct entry *e = buckets[i];
			h = mix_bytes(h + e->count, e->word, strlen(e->word));
			buckets[i] = e->next;
			free(e->word);
			free(e);
		}
	result("words", h);
	memset(sieve, 0, sizeof(sieve));
	unsigned primes = 0;
	for (unsigned i = 2; i < 10000; i++)
		if (!(sieve[i / 32] & 1u << i % 32)) {
			primes++;
			for (unsigned j = i * i; j < 10000 && i < 100; j += i)
				sieve[j / 32] |= 1u << j % 32;
		}
	printf("primes %u\n", primes);
}
