/* Random names, as PostgreSQL's type uuid takes them. */
#ifndef SIMUL_MACHINES_UUID_H
#define SIMUL_MACHINES_UUID_H

#include <stddef.h>

#define UUID 37 /* bytes of its text, with the terminator */

void uuid_random(char id[UUID]);
/* Takes a name that the database gives, `size` bytes; NULL, or what is no uuid, becomes an empty name. */
void uuid_take(char id[UUID], const char *text, size_t size);

#endif
