/* A library with state, which the test gives a name of a library that simul does not patch. */
static int latest;

int hidden_next(void)
{
	return ++latest;
}
