"""A recorded failure of a multithreaded program in gdb. `session` puts the parts together."""
