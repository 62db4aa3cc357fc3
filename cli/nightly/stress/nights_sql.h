/* The text of nights.sql. */
#ifndef SIMUL_STRESS_NIGHTS_SQL_H
#define SIMUL_STRESS_NIGHTS_SQL_H

extern const char nights_sql[];

#endif
