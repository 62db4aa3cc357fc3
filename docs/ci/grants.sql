-- The rights of the roles of roles.sql in the schemas of simul. Run it as simul_owner or a superuser in the database, when a search and a night have made
-- the schemas, and again after a schema was dropped and made again:
--   psql -v ON_ERROR_STOP=1 -f grants.sql simul
-- No role but the owner can touch a table: the functions run with the rights of the owner.

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA simul_search, simul_stress FROM PUBLIC;
GRANT USAGE ON SCHEMA simul_search, simul_stress TO simul_ci, simul_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA simul_search, simul_stress TO simul_ci;
GRANT EXECUTE ON FUNCTION simul_search.layout_version(), simul_search.searches(), simul_search.workers_of(uuid),
	simul_stress.layout_version(), simul_stress.nights() TO simul_reader;
