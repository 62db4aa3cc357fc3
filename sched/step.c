#include "sched/step.h"

static bool operations_dependent(unsigned a, unsigned b)
{
	return ((a & DID_NOTIFY) && (b & (DID_DELAY | DID_WAIT | DID_ASK))) || ((a & DID_CANCEL) && (b & DID_DELAY));
}

static bool words_dependent(const struct step_word *a, const struct step_word *b)
{
	if (a->word & 1)
		return operations_dependent(a->read, b->read) || operations_dependent(b->read, a->read);
	return (a->write & (b->read | b->write)) || (b->write & a->read);
}

bool step_dependent(const struct step_word *a, uint32_t an, const struct step_word *b, uint32_t bn)
{
	uint32_t i = 0, k = 0;
	while (i < an && k < bn) {
		if (a[i].word == b[k].word) {
			if (words_dependent(&a[i], &b[k]))
				return true;
			i++, k++;
		} else if (a[i].word < b[k].word) {
			i++;
		} else {
			k++;
		}
	}
	return false;
}

static void sift(struct step_word *w, uint32_t at, uint32_t n)
{
	for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && w[child + 1].word > w[child].word)
			child++;
		if (w[at].word >= w[child].word)
			return;
		struct step_word x = w[at];
		w[at] = w[child];
		w[child] = x;
	}
}

/* Heapsort. */
void step_sort(struct step_word *w, uint32_t n)
{
	for (uint32_t i = n / 2; i-- > 0;)
		sift(w, i, n);
	for (uint32_t last = n; last-- > 1;) {
		struct step_word x = w[0];
		w[0] = w[last];
		w[last] = x;
		sift(w, 0, last);
	}
}
