-- The roles of a database that machines share. Run it once as a superuser, connected to any database, such as postgres:
--   psql -v ON_ERROR_STOP=1 -f roles.sql postgres
-- Then set passwords with \password, and let a machine with the role simul_owner begin a search and a night: they make the schemas.
-- At last run the grants for the machines: psql -f grants.sql simul

CREATE ROLE simul_owner LOGIN;  -- owns the schemas; no machine needs it afterwards
CREATE ROLE simul_ci LOGIN;     -- the machines
CREATE ROLE simul_reader LOGIN; -- people who only look, with simul search

CREATE DATABASE simul OWNER simul_owner;
REVOKE ALL ON DATABASE simul FROM PUBLIC;
GRANT CONNECT ON DATABASE simul TO simul_ci, simul_reader;
