-- What simul stress --search keeps in a PostgreSQL database. simul runs this file once, in a transaction, when the schema is missing.
--
-- Clients use only the functions at the end, which run with the rights of the owner. So a role that may not touch the tables can work here:
--   GRANT USAGE ON SCHEMA simul_stress TO role;
--
-- A *night* is one pass over a list of tests, shared by all runners that have the same tests. A *turn* is one test in a night. A runner
-- takes a turn with a random token and gives it back with the new state; a turn whose lease ends may be taken by another runner. Then
-- the old token is no longer valid, and what comes with it is refused. All times are those of this server.

CREATE SCHEMA simul_stress;
SET LOCAL search_path = simul_stress;

CREATE TABLE layout (version int NOT NULL);
INSERT INTO layout VALUES (3);

CREATE TABLE night (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	name text UNIQUE,                -- --night; NULL: none
	tests text NOT NULL,             -- digest of the tests and options
	begun timestamptz NOT NULL DEFAULT clock_timestamp(),
	ends timestamptz,                -- NULL: no limit
	closed boolean NOT NULL DEFAULT false
);

CREATE TABLE runner (
	night uuid NOT NULL REFERENCES night ON DELETE CASCADE,
	id uuid NOT NULL,
	machine text NOT NULL,
	jobs int NOT NULL,
	seen timestamptz NOT NULL,
	PRIMARY KEY (night, id)
);

CREATE TABLE turn (
	night uuid NOT NULL REFERENCES night ON DELETE CASCADE,
	test int NOT NULL,               -- its place in the list of tests
	key text NOT NULL,               -- of its files
	serial boolean NOT NULL,         -- nothing may run beside it on its machine
	settled boolean NOT NULL DEFAULT false,
	slices int NOT NULL DEFAULT 0,   -- slices of its search in this night
	wide boolean NOT NULL DEFAULT false, -- its search is one that several machines can share (simul run --search)
	rest double precision,           -- estimate of the remaining seconds of its search; NULL: unknown
	token uuid,                      -- NULL: nobody has it
	given uuid,                      -- the token that gave it back last
	lease timestamptz,
	runner uuid,                     -- who has it, or had it last
	outcome text,                    -- its result so far; NULL: none
	PRIMARY KEY (night, test)
);

-- The saved searches and recordings of tests. They outlive the night.
CREATE TABLE kept (
	key text PRIMARY KEY,
	used timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE file (
	key text NOT NULL REFERENCES kept ON DELETE CASCADE,
	path text NOT NULL CHECK (length(path) < 300),
	data bytea NOT NULL,
	PRIMARY KEY (key, path)
);
ALTER TABLE file ALTER data SET STORAGE EXTERNAL;

-- Joins the night with this name, or the one with these tests that is not over; begins one if there is none. `tests` is a list of
-- {"test": 3, "key": "...", "serial": false}. Returns the night, whether it was begun now, and the seconds left (NULL: no limit).
CREATE FUNCTION join_night(its_name text, digest text, seconds double precision, tests jsonb, OUT id uuid, OUT begun boolean, OUT time_left double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
DECLARE
	n night;
BEGIN
	LOCK TABLE night IN SHARE ROW EXCLUSIVE MODE;
	IF its_name IS NULL THEN
		SELECT * INTO n FROM night WHERE night.tests = digest AND name IS NULL AND NOT closed AND (ends IS NULL OR ends > clock_timestamp())
			ORDER BY night.begun DESC LIMIT 1;
	ELSE
		SELECT * INTO n FROM night WHERE name = its_name;
		IF FOUND AND n.tests <> digest THEN
			RAISE EXCEPTION 'night "%" has other tests, another build of a program, or other options', its_name;
		END IF;
	END IF;
	begun := NOT FOUND;
	IF begun THEN
		DELETE FROM night WHERE night.begun < clock_timestamp() - interval '60 days';
		DELETE FROM kept WHERE used < clock_timestamp() - interval '60 days';
		INSERT INTO night (name, tests, ends) VALUES (its_name, digest, clock_timestamp() + seconds * interval '1 second') RETURNING * INTO n;
		INSERT INTO turn (night, test, key, serial) SELECT n.id, t.test, t.key, t.serial FROM jsonb_to_recordset(tests) AS t(test int, key text, serial boolean);
	END IF;
	id := n.id;
	time_left := CASE WHEN n.closed THEN 0 ELSE greatest(extract(epoch FROM n.ends - clock_timestamp()), 0) END;
END $$;

-- Takes the next turn for a runner: with fewest slices, then smallest rest. Only turns that need no other turn beside them unless `alone`.
-- `not_here` lists tests that this runner cannot run. May be repeated with the same token. test NULL: there is none now; help: a test that another
-- runner searches now, and that this one can help with.
CREATE FUNCTION take_turn(its_night uuid, its_runner uuid, its_machine text, its_jobs int, its_token uuid, alone boolean, not_here jsonb,
	OUT test int, OUT slices int, OUT outcome text, OUT waiting int, OUT capacity int, OUT held int, OUT settled int, OUT over boolean, OUT help int, OUT wide boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
DECLARE
	t turn;
	ended boolean;
BEGIN
	INSERT INTO runner VALUES (its_night, its_runner, its_machine, its_jobs, clock_timestamp())
		ON CONFLICT (night, id) DO UPDATE SET seen = excluded.seen, jobs = excluded.jobs;
	SELECT closed OR coalesce(ends <= clock_timestamp(), false) INTO STRICT ended FROM night WHERE id = its_night;
	IF NOT ended AND its_token IS NOT NULL THEN
		SELECT * INTO t FROM turn WHERE night = its_night AND token = its_token;
		IF NOT FOUND THEN
			SELECT * INTO t FROM turn u WHERE u.night = its_night AND NOT u.settled AND (u.token IS NULL OR u.lease < clock_timestamp())
				AND (alone OR NOT u.serial) AND NOT not_here @> to_jsonb(u.test)
				ORDER BY u.slices, u.rest NULLS LAST, u.test LIMIT 1 FOR UPDATE SKIP LOCKED;
		END IF;
		IF FOUND THEN
			UPDATE turn u SET token = its_token, runner = its_runner, lease = clock_timestamp() + interval '30 seconds'
				WHERE u.night = its_night AND u.test = t.test;
			UPDATE kept SET used = clock_timestamp() WHERE key = t.key;
		END IF;
	END IF;
	test := t.test;
	wide := t.wide;
	IF t.test IS NULL AND NOT ended THEN
		SELECT u.test INTO help FROM turn u WHERE u.night = its_night AND u.wide AND u.runner <> its_runner AND u.token IS NOT NULL AND u.lease > clock_timestamp()
			AND (alone OR NOT u.serial) ORDER BY random() LIMIT 1;
	END IF;
	slices := t.slices;
	outcome := t.outcome;
	SELECT count(*) INTO waiting FROM turn u WHERE u.night = its_night AND NOT u.settled AND (u.token IS NULL OR u.lease < clock_timestamp())
		AND u.slices <= coalesce(t.slices, 0);
	SELECT count(*) INTO held FROM turn u WHERE u.night = its_night AND u.token IS NOT NULL AND u.lease >= clock_timestamp();
	SELECT count(*) INTO settled FROM turn u WHERE u.night = its_night AND u.settled;
	SELECT coalesce(sum(jobs), 1) INTO capacity FROM runner r WHERE r.night = its_night AND r.seen > clock_timestamp() - interval '60 seconds';
	over := ended OR NOT EXISTS (SELECT FROM turn u WHERE u.night = its_night AND NOT u.settled);
	IF over AND NOT ended THEN
		UPDATE night SET closed = true WHERE id = its_night;
	END IF;
END $$;

-- Marks a turn as one that others can help with, if another runner has nothing to do. Returns whether it is marked now.
CREATE FUNCTION widen_turn(its_night uuid, its_runner uuid, its_token uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
DECLARE
	marked boolean;
BEGIN
	UPDATE turn t SET wide = wide OR EXISTS (SELECT FROM runner r WHERE r.night = its_night AND r.id <> its_runner AND r.seen > clock_timestamp() - interval '10 seconds'
		AND NOT EXISTS (SELECT FROM turn u WHERE u.night = its_night AND u.runner = r.id AND u.token IS NOT NULL AND u.lease > clock_timestamp()))
		WHERE t.night = its_night AND t.token = its_token RETURNING t.wide INTO marked;
	RETURN coalesce(marked, false);
END $$;

-- Prolongs the leases of a runner, also those that ended, as long as nobody else took the turn.
CREATE FUNCTION keep_turns(its_night uuid, its_runner uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	UPDATE turn SET lease = clock_timestamp() + interval '30 seconds' WHERE night = its_night AND runner = its_runner AND token IS NOT NULL;
	UPDATE runner SET seen = clock_timestamp() WHERE night = its_night AND id = its_runner;
$$;

-- Gives a turn back with its result, before its files. Returns its key; NULL: the token is no longer valid, and nothing has changed.
CREATE FUNCTION give_turn(its_night uuid, its_token uuid, its_outcome text, is_settled boolean, its_slices int, its_rest double precision,
	is_serial boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
DECLARE
	its_key text;
BEGIN
	UPDATE turn SET token = NULL, given = its_token, lease = NULL, outcome = coalesce(its_outcome, outcome), settled = is_settled,
		slices = its_slices, rest = its_rest, serial = is_serial
		WHERE night = its_night AND token = its_token RETURNING key INTO its_key;
	IF its_key IS NOT NULL AND its_outcome IS NOT NULL THEN
		INSERT INTO kept (key) VALUES (its_key) ON CONFLICT (key) DO UPDATE SET used = clock_timestamp();
		DELETE FROM file WHERE key = its_key;
	END IF;
	RETURN its_key;
END $$;

-- Returns whether this token gave its turn back: the answer to give_turn was lost.
CREATE FUNCTION was_given(its_night uuid, its_token uuid) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	SELECT EXISTS (SELECT FROM turn WHERE night = its_night AND given = its_token);
$$;

-- Stores one file of the turn that this token has just given back, in the same transaction.
CREATE FUNCTION store_file(its_night uuid, its_token uuid, its_path text, its_data bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	INSERT INTO file SELECT key, its_path, its_data FROM turn WHERE night = its_night AND given = its_token AND token IS NULL;
$$;

-- Returns the files of a turn's test.
CREATE FUNCTION files_of(its_night uuid, its_test int) RETURNS TABLE (path text, data bytea)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	SELECT f.path, f.data FROM turn t JOIN file f USING (key) WHERE t.night = its_night AND t.test = its_test;
$$;

-- Returns the results of a night.
CREATE FUNCTION results_of(its_night uuid) RETURNS TABLE (test int, settled boolean, outcome text, machine text)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	SELECT t.test, t.settled, t.outcome, r.machine FROM turn t LEFT JOIN runner r ON r.night = t.night AND r.id = t.runner
		WHERE t.night = its_night ORDER BY t.test;
$$;

-- Returns the nights, the latest first. time_left: seconds, NULL: no limit. runners: how many were seen in the last minute.
CREATE FUNCTION nights() RETURNS TABLE (id uuid, name text, begun double precision, time_left double precision, over boolean, tests bigint, settled bigint,
	running bigint, runners bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$
	SELECT n.id, n.name, extract(epoch FROM clock_timestamp() - n.begun), greatest(extract(epoch FROM n.ends - clock_timestamp()), 0),
		n.closed OR coalesce(n.ends <= clock_timestamp(), false), count(*), count(*) FILTER (WHERE t.settled),
		count(*) FILTER (WHERE t.token IS NOT NULL AND t.lease > clock_timestamp()),
		(SELECT count(*) FROM runner r WHERE r.night = n.id AND r.seen > clock_timestamp() - interval '60 seconds')
		FROM night n JOIN turn t ON t.night = n.id GROUP BY n.id ORDER BY n.begun DESC;
$$;

CREATE FUNCTION layout_version() RETURNS int
LANGUAGE sql SECURITY DEFINER SET search_path = simul_stress, pg_temp AS $$ SELECT version FROM layout; $$;
