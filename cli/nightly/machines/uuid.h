/* Random names, as PostgreSQL's type uuid takes them. */
#ifndef SIMUL_MACHINES_UUID_H
#define SIMUL_MACHINES_UUID_H

#define UUID 37 /* bytes of its text, with the terminator */

void uuid_random(char id[UUID]);

#endif
