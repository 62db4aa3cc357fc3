/* The library that loaded.c opens. */
int count;

void increment(void (*window)(int))
{
	int seen = count;

	window(1);
	count = seen + 1;
}
