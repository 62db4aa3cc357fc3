/* The library of tests/campaign/user.c. */
int library_add(int *to, int n);

int library_add(int *to, int n)
{
	volatile int *place = to;
	int old = *place;

	*place = old + n;
	return old;
}
