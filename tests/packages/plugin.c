/* Counts without a lock; loaded by plugin_main.c. */
static int calls;

void plugin_call(void)
{
	calls++;
}

int plugin_calls(void)
{
	return calls;
}
