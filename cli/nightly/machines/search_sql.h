/* The text of search.sql. */
#ifndef SIMUL_MACHINES_SEARCH_SQL_H
#define SIMUL_MACHINES_SEARCH_SQL_H

extern const char search_sql[];

#endif
