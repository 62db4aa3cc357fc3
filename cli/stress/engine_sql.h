/* The text of engine.sql. */
#ifndef SIMUL_STRESS_ENGINE_SQL_H
#define SIMUL_STRESS_ENGINE_SQL_H

extern const char engine_sql[];

#endif
