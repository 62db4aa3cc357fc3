-- What simul run --search keeps in a PostgreSQL database. simul runs this file once, in a transaction, when the schema is missing.
--
-- Clients use only the functions at the end, which run with the rights of the owner:
--   GRANT USAGE ON SCHEMA simul_search TO role;
--
-- A *search* is one exploration of one program, shared by machines that run the same command. It has a *common part*, which is the upper
-- part of the tree of executions, and *slots*: each is the private part of one worker. Both are pages of memory. A machine that wants to
-- change the common part locks the row of its search, gets the pages that others changed, and stores the common part and its slot in the
-- same transaction. So what is stored is always the state of a search whose workers all stand between two executions.
--
-- A *generation* of a search ends when a worker finds that threads share more memory than was known. Its counts are worthless then.
-- Tokens, generations and commits have random names: a database that was restored from a backup cannot give out a valid one again.

CREATE SCHEMA simul_search;
SET LOCAL search_path = simul_search;

CREATE TABLE layout (version int NOT NULL);
INSERT INTO layout VALUES (5);

CREATE TABLE search (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	digest text UNIQUE NOT NULL,     -- of the program, the options and the build of simul
	identity bytea NOT NULL,         -- the same in full
	command bytea NOT NULL,          -- with which other machines can join: the working directory and the words of `simul run`
	to_first_bug boolean NOT NULL,   -- the machine that began ends it at the first bug
	ends timestamptz,                -- until when its machines wanted to explore; NULL: no limit
	most bigint,                     -- the executions after which the latest machine wanted to stop; NULL: no limit
	generation uuid NOT NULL DEFAULT gen_random_uuid(),
	state text NOT NULL DEFAULT 'alone' CHECK (state IN ('alone', 'shared', 'single', 'over')),
	reason text,                     -- single: why one machine explores it
	stop boolean NOT NULL DEFAULT false, -- a bug was found
	owner uuid,                      -- alone, single: the machine that explores it
	lease timestamptz,               -- of the owner
	maps text,                       -- shared: the memory map of the program at its checkpoint
	commit_id uuid NOT NULL DEFAULT gen_random_uuid(), -- the latest commit of the common part
	version bigint NOT NULL DEFAULT 0,
	open_tasks bigint CHECK (open_tasks >= 0), -- parts of the common part that no worker has, as lately counted; NULL: unknown
	begun timestamptz NOT NULL DEFAULT clock_timestamp(),
	used timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE past (                      -- the commits of the generation
	search uuid NOT NULL REFERENCES search ON DELETE CASCADE,
	commit_id uuid NOT NULL,
	version bigint NOT NULL,
	PRIMARY KEY (search, commit_id)
);

CREATE TABLE common_page (
	search uuid NOT NULL REFERENCES search ON DELETE CASCADE,
	page bigint NOT NULL,
	version bigint NOT NULL,
	data bytea NOT NULL CHECK (length(data) = 4104),
	PRIMARY KEY (search, page)
);
CREATE INDEX ON common_page (search, version);
ALTER TABLE common_page ALTER data SET STORAGE MAIN;

CREATE TABLE slot (
	id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	search uuid NOT NULL REFERENCES search ON DELETE CASCADE,
	token uuid,                      -- NULL: nobody has it
	commit_id uuid,                  -- its latest commit; the token when it was taken
	lease timestamptz,
	machine text,                    -- that has it, or had it last, and its process there
	process int,
	executions bigint NOT NULL DEFAULT 0 CHECK (executions >= 0),
	blocked bigint NOT NULL DEFAULT 0 CHECK (blocked >= 0),
	may bigint NOT NULL DEFAULT 0 CHECK (may >= 0), -- the executions that its worker may make: those it has made, and those reserved for it
	rate double precision NOT NULL DEFAULT 0, -- executions per second, lately
	best_rate double precision NOT NULL DEFAULT 0, -- the highest one so far
	measured timestamptz,            -- the time of the last measurement of the rate, and the executions then
	before bigint NOT NULL DEFAULT 0,
	stored timestamptz,
	estimate bigint[],               -- of the executions of the whole search: estimate, low end, high end; NULL: unknown
	has_work boolean NOT NULL DEFAULT false,
	pages int NOT NULL DEFAULT 0     -- how many it has
);
CREATE INDEX ON slot (search);

CREATE TABLE slot_page (
	slot uuid NOT NULL REFERENCES slot ON DELETE CASCADE,
	page bigint NOT NULL,
	data bytea NOT NULL CHECK (length(data) = 4104),
	PRIMARY KEY (slot, page)
);
ALTER TABLE slot_page ALTER data SET STORAGE MAIN;

CREATE TABLE bug (
	search uuid NOT NULL REFERENCES search ON DELETE CASCADE,
	signature text NOT NULL,
	data bytea NOT NULL,
	PRIMARY KEY (search, signature)
);

CREATE TABLE sample (                    -- executions that a machine repeats before it joins, to see whether its program does the same
	search uuid NOT NULL REFERENCES search ON DELETE CASCADE,
	number bigserial,
	data bytea NOT NULL,
	PRIMARY KEY (search, number)
);

-- Cuts concatenated rows of pages: 4096 bytes and a checksum.
CREATE FUNCTION cut_pages(pages bigint[], data bytea) RETURNS TABLE (page bigint, piece bytea)
LANGUAGE sql IMMUTABLE SET search_path = simul_search, pg_temp AS $$
	SELECT n, substring(data FROM (i::int - 1) * 4104 + 1 FOR 4104) FROM unnest(pages) WITH ORDINALITY AS p(n, i);
$$;

-- Joins the search with this digest, or begins it. state 'alone' and mine: this machine explores until the search is worth sharing.
CREATE FUNCTION enter_search(its_digest text, its_identity bytea, machine uuid, its_command bytea, ends_at_bug boolean, seconds double precision, its_most bigint,
	OUT id uuid, OUT generation uuid, OUT state text, OUT reason text, OUT mine boolean, OUT identity bytea, OUT maps text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	s search;
BEGIN
	INSERT INTO search (digest, identity, owner, lease, command, to_first_bug, ends)
		VALUES (its_digest, its_identity, machine, clock_timestamp() + interval '10 seconds', its_command, ends_at_bug, '-infinity')
		ON CONFLICT (digest) DO NOTHING;
	IF FOUND THEN
		DELETE FROM search WHERE used < clock_timestamp() - interval '60 days';
	END IF;
	SELECT * INTO STRICT s FROM search WHERE digest = its_digest FOR UPDATE;
	IF s.state IN ('alone', 'single') AND s.owner IS DISTINCT FROM machine AND s.lease < clock_timestamp() THEN
		UPDATE search SET generation = gen_random_uuid(), state = 'alone', reason = NULL, owner = machine, identity = its_identity,
			lease = clock_timestamp() + interval '10 seconds' WHERE search.id = s.id RETURNING * INTO s;
	END IF;
	UPDATE search SET used = clock_timestamp(), most = its_most,
		ends = CASE WHEN seconds IS NOT NULL THEN greatest(ends, clock_timestamp() + seconds * interval '1 second') END WHERE search.id = s.id;
	id := s.id;
	generation := s.generation;
	state := s.state;
	reason := s.reason;
	mine := s.owner IS NOT DISTINCT FROM machine;
	identity := s.identity;
	maps := s.maps;
END $$;

-- Prolongs the lease of a machine that explores alone, or of a slot. valid: it still has it. others, others_blocked: the executions of other slots.
CREATE FUNCTION look(its_search uuid, its_generation uuid, machine uuid, its_slot uuid, its_token uuid, OUT valid boolean, OUT state text,
	OUT reason text, OUT stop boolean, OUT version bigint, OUT spare boolean, OUT others bigint, OUT others_blocked bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	s search;
BEGIN
	SELECT * INTO s FROM search WHERE id = its_search;
	valid := FOUND AND s.generation = its_generation;
	IF valid AND its_slot IS NULL THEN
		UPDATE search SET lease = clock_timestamp() + interval '10 seconds' WHERE id = its_search AND generation = its_generation AND owner = machine;
		valid := FOUND;
	ELSIF valid THEN
		UPDATE slot SET lease = clock_timestamp() + interval '10 seconds' WHERE id = its_slot AND token = its_token;
		valid := FOUND;
	END IF;
	state := s.state;
	reason := s.reason;
	stop := s.stop;
	version := s.version;
	spare := EXISTS (SELECT FROM slot t WHERE t.search = its_search AND t.has_work AND (t.token IS NULL OR t.lease < clock_timestamp()));
	SELECT coalesce(sum(t.executions), 0), coalesce(sum(t.blocked), 0) INTO others, others_blocked FROM slot t
		WHERE t.search = its_search AND s.state <> 'alone' AND t.id IS DISTINCT FROM its_slot;
END $$;

-- Locks a search for a commit. outcome: 'ok', or 'stale' when the machine has to load what is stored. A machine that freezes while it has the lock loses it.
CREATE FUNCTION lock_search(its_search uuid, its_generation uuid, its_slot uuid, its_token uuid, its_commit uuid, OUT outcome text, OUT version bigint, OUT latest uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	s search;
BEGIN
	PERFORM set_config('idle_in_transaction_session_timeout', '60s', true);
	SELECT * INTO s FROM search WHERE id = its_search FOR UPDATE;
	outcome := 'stale';
	version := s.version;
	latest := s.commit_id;
	IF s.generation = its_generation AND s.state = 'shared' AND
		(its_slot IS NULL OR EXISTS (SELECT FROM slot WHERE id = its_slot AND search = its_search AND token = its_token)) AND
		(its_commit IS NULL OR EXISTS (SELECT FROM past WHERE search = its_search AND commit_id = its_commit)) THEN
		outcome := 'ok';
	END IF;
END $$;

-- Returns the latest commit of the common part.
CREATE FUNCTION latest(its_search uuid, OUT commit_id uuid, OUT version bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT s.commit_id, s.version FROM search s WHERE s.id = its_search;
$$;

-- Returns the pages of the common part that changed after a version.
CREATE FUNCTION pages_since(its_search uuid, its_version bigint) RETURNS TABLE (page bigint, data bytea)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT c.page, c.data FROM common_page c WHERE c.search = its_search AND c.version > its_version;
$$;

-- Stores changed pages of the common part. Call it after lock_search, in the same transaction. its_open: open_tasks; NULL: as before. Returns the new version.
CREATE FUNCTION store_common(its_search uuid, its_generation uuid, its_commit uuid, its_open bigint, pages bigint[], its_data bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	v bigint;
BEGIN
	UPDATE search SET version = version + 1, commit_id = its_commit, open_tasks = coalesce(its_open, open_tasks), used = clock_timestamp() WHERE id = its_search AND generation = its_generation
		RETURNING version INTO STRICT v;
	INSERT INTO past VALUES (its_search, its_commit, v);
	INSERT INTO common_page SELECT its_search, p.page, v, p.piece FROM cut_pages(pages, its_data) p
		ON CONFLICT (search, page) DO UPDATE SET data = excluded.data, version = excluded.version;
	RETURN v;
END $$;

-- Takes a slot that has work and that nobody has. NULL: there is none. Call it after lock_search, in the same transaction.
CREATE FUNCTION take_slot(its_search uuid, its_token uuid, its_machine text, its_process int) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	found_id uuid;
BEGIN
	SELECT t.id INTO found_id FROM slot t WHERE t.search = its_search AND t.has_work AND (t.token IS NULL OR t.lease < clock_timestamp())
		ORDER BY t.id LIMIT 1 FOR UPDATE;
	UPDATE slot SET token = its_token, commit_id = its_token, may = executions, machine = its_machine, process = its_process, lease = clock_timestamp() + interval '10 seconds', measured = clock_timestamp(),
		before = executions WHERE id = found_id;
	RETURN found_id;
END $$;

CREATE FUNCTION new_slot(its_search uuid, its_token uuid, its_machine text, its_process int) RETURNS uuid
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	INSERT INTO slot (search, token, commit_id, machine, process, lease, measured)
		VALUES (its_search, its_token, its_token, its_machine, its_process, clock_timestamp() + interval '10 seconds', clock_timestamp()) RETURNING id;
$$;

-- Stores changed pages of a slot. Fails if the token is no longer valid, or if the database has lost a commit on which these pages build: the latest one
-- of the slot, or of the common part. `keep`: the machine continues with it.
CREATE FUNCTION store_slot(its_slot uuid, its_token uuid, latest_commit uuid, its_commit uuid, its_common uuid, pages bigint[], its_data bytea, its_executions bigint, its_blocked bigint, its_may bigint,
	its_estimate bigint[], works boolean, keep boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
BEGIN
	UPDATE slot SET lease = clock_timestamp() + interval '10 seconds', executions = its_executions, blocked = its_blocked, has_work = works,
		may = CASE WHEN keep THEN its_may ELSE its_executions END, stored = clock_timestamp(), estimate = its_estimate,
		commit_id = its_commit, token = CASE WHEN keep THEN token END WHERE id = its_slot AND token = its_token AND commit_id = latest_commit AND
			(its_common IS NULL OR EXISTS (SELECT FROM past p WHERE p.search = slot.search AND p.commit_id = its_common));
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the slot was taken by another machine, or the database has lost commits';
	END IF;
	UPDATE slot SET rate = greatest(its_executions - before, 0) / extract(epoch FROM clock_timestamp() - measured), measured = clock_timestamp(),
		before = its_executions WHERE id = its_slot AND measured < clock_timestamp() - interval '2 seconds';
	UPDATE slot SET best_rate = rate WHERE id = its_slot AND rate > best_rate;
	INSERT INTO slot_page SELECT its_slot, p.page, p.piece FROM cut_pages(store_slot.pages, its_data) p
		ON CONFLICT (slot, page) DO UPDATE SET data = excluded.data;
	UPDATE slot SET pages = (SELECT count(*) FROM slot_page p WHERE p.slot = its_slot) WHERE id = its_slot AND cardinality(store_slot.pages) > 0;
END $$;

-- Both in one step: store_common, unless its_common is NULL, and store_slot. Returns the new version; NULL without store_common.
CREATE FUNCTION store_both(its_search uuid, its_generation uuid, new_common uuid, its_open bigint, common_pages bigint[], common_data bytea, its_slot uuid, its_token uuid,
	latest_commit uuid, its_commit uuid, its_common uuid, pages bigint[], its_data bytea, its_executions bigint, its_blocked bigint, its_may bigint,
	its_estimate bigint[], works boolean, keep boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	v bigint;
BEGIN
	IF new_common IS NOT NULL THEN
		v := store_common(its_search, its_generation, new_common, its_open, common_pages, common_data);
	END IF;
	PERFORM store_slot(its_slot, its_token, latest_commit, its_commit, coalesce(new_common, its_common), pages, its_data, its_executions, its_blocked, its_may,
		its_estimate, works, keep);
	RETURN v;
END $$;

-- Gives a slot back as it was stored last.
CREATE FUNCTION leave_slot(its_slot uuid, its_token uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	UPDATE slot SET token = NULL, may = executions WHERE id = its_slot AND token = its_token;
$$;

-- Reserves executions for a slot, so that all machines together make no more than its_most. A machine that was lost returns what was reserved for it, and can
-- store nothing from then on. may: see slot; NULL: the slot is not valid. over: its_most executions are stored.
CREATE FUNCTION reserve(its_search uuid, its_slot uuid, its_token uuid, its_most bigint, OUT may bigint, OUT over boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	reserved bigint;
	workers bigint;
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended(its_search::text, 0)); -- one reservation after the other
	UPDATE slot t SET token = NULL, may = t.executions WHERE t.search = its_search AND t.id <> its_slot AND t.lease < clock_timestamp() AND t.may > t.executions;
	SELECT sum(t.may), sum(t.executions) >= its_most, count(t.token) INTO reserved, over, workers FROM slot t WHERE t.search = its_search;
	UPDATE slot t SET lease = clock_timestamp() + interval '10 seconds', may = t.may +
		CASE WHEN reserved < its_most THEN greatest(1, (its_most - reserved) / (2 * workers)) ELSE 0 END
		WHERE t.id = its_slot AND t.token = its_token RETURNING t.may INTO may;
END $$;

-- Returns the pages of a slot, and in each row how many it must have. One statement, since its worker may store at any time.
CREATE FUNCTION slot_pages(its_slot uuid) RETURNS TABLE (page bigint, data bytea, pages int)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT p.page, p.data, t.pages FROM slot t JOIN slot_page p ON p.slot = t.id WHERE t.id = its_slot;
$$;

CREATE FUNCTION slots_of(its_search uuid) RETURNS TABLE (id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT t.id FROM slot t WHERE t.search = its_search ORDER BY t.id;
$$;

-- The machine that explores alone shares the search. Its slot and the common part follow in the same transaction. false: it is not the owner.
CREATE FUNCTION publish(its_search uuid, its_generation uuid, its_machine uuid, its_identity bytea, its_maps text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
BEGIN
	UPDATE search SET state = 'shared', identity = its_identity, maps = its_maps, owner = NULL, lease = NULL
		WHERE id = its_search AND generation = its_generation AND owner = its_machine AND state = 'alone';
	IF FOUND THEN
		DELETE FROM slot WHERE search = its_search; -- of a machine that explored alone before; this one continues it
		RETURN true;
	END IF;
	RETURN false;
END $$;

-- The machine that explores alone leaves. Its slot follows in the same transaction, without a token; another machine continues it alone.
CREATE FUNCTION leave_alone(its_search uuid, its_generation uuid, its_machine uuid, its_identity bytea, its_maps text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
BEGIN
	UPDATE search SET identity = its_identity, maps = its_maps, lease = clock_timestamp()
		WHERE id = its_search AND generation = its_generation AND owner = its_machine AND state IN ('alone', 'single');
	IF FOUND THEN
		DELETE FROM slot WHERE search = its_search;
		RETURN true;
	END IF;
	RETURN false;
END $$;

-- Begins a new generation, which this machine explores alone. its_reason: NULL, or why no machine can help. Its slot, if it has one, must be
-- valid. Returns the generation; NULL: another machine was faster.
CREATE FUNCTION begin_again(its_search uuid, its_generation uuid, its_slot uuid, its_token uuid, its_machine uuid, its_reason text) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
DECLARE
	g uuid;
BEGIN
	PERFORM FROM search WHERE id = its_search FOR UPDATE;
	UPDATE search SET generation = gen_random_uuid(), state = CASE WHEN its_reason IS NULL THEN 'alone' ELSE 'single' END, reason = its_reason,
		owner = its_machine, lease = clock_timestamp() + interval '10 seconds', version = 0, maps = NULL, open_tasks = NULL
		WHERE id = its_search AND generation = its_generation AND
			(its_slot IS NULL AND owner = its_machine OR EXISTS (SELECT FROM slot WHERE id = its_slot AND token = its_token)) RETURNING generation INTO g;
	IF g IS NOT NULL THEN
		DELETE FROM slot WHERE search = its_search;
		DELETE FROM common_page WHERE search = its_search;
		DELETE FROM past WHERE search = its_search;
		DELETE FROM sample WHERE search = its_search;
	END IF;
	RETURN g;
END $$;

-- Everything is explored. Call it in the transaction that stores the last page.
CREATE FUNCTION finish(its_search uuid, its_generation uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	UPDATE search SET state = 'over', owner = NULL WHERE id = its_search AND generation = its_generation;
$$;

CREATE FUNCTION store_bug(its_search uuid, its_signature text, its_data bytea, its_stop boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	INSERT INTO bug VALUES (its_search, its_signature, its_data) ON CONFLICT DO NOTHING;
	UPDATE search SET stop = true WHERE id = its_search AND its_stop;
$$;

-- Stores an execution, if there are fewer than `most` and the slot is valid.
CREATE FUNCTION store_sample(its_search uuid, its_slot uuid, its_token uuid, its_data bytea, most bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	INSERT INTO sample (search, data) SELECT its_search, its_data FROM slot t WHERE t.id = its_slot AND t.search = its_search AND t.token = its_token AND
		(SELECT count(*) FROM sample u WHERE u.search = its_search) < most;
$$;

CREATE FUNCTION samples_of(its_search uuid) RETURNS TABLE (data bytea)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT t.data FROM sample t WHERE t.search = its_search ORDER BY t.number;
$$;

CREATE FUNCTION bugs_of(its_search uuid) RETURNS TABLE (signature text, data bytea)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT b.signature, b.data FROM bug b WHERE b.search = its_search ORDER BY b.signature;
$$;

-- Returns the searches, the one used last first. lease: seconds until the last machine that explores it must have prolonged its lease.
CREATE FUNCTION searches() RETURNS TABLE (id uuid, command bytea, to_first_bug boolean, state text, reason text, stop boolean,
	begun double precision, used double precision, time_left double precision, bugs bigint, lease double precision, executions bigint, blocked bigint,
	rate double precision, estimate bigint[], most bigint, open_tasks bigint, best_rate double precision)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT s.id, s.command, s.to_first_bug, s.state, s.reason, s.stop, extract(epoch FROM clock_timestamp() - s.begun),
		extract(epoch FROM clock_timestamp() - s.used), extract(epoch FROM s.ends - clock_timestamp()), (SELECT count(*) FROM bug b WHERE b.search = s.id),
		extract(epoch FROM greatest(s.lease, max(t.lease) FILTER (WHERE t.token IS NOT NULL)) - clock_timestamp()), coalesce(sum(t.executions), 0)::bigint, coalesce(sum(t.blocked), 0)::bigint,
		coalesce(sum(t.rate) FILTER (WHERE t.token IS NOT NULL AND t.lease > clock_timestamp()), 0),
		(SELECT ARRAY[avg(u.estimate[1])::bigint, min(u.estimate[2]), max(u.estimate[3])] FROM slot u WHERE u.search = s.id AND u.estimate IS NOT NULL), s.most,
		CASE WHEN s.state = 'shared' THEN s.open_tasks END, coalesce(max(t.best_rate), 0)
		FROM search s LEFT JOIN slot t ON t.search = s.id GROUP BY s.id ORDER BY s.used DESC;
$$;

-- Returns the slots of a search. lease: seconds until it ends, renewed: since it was prolonged; NULL: nobody has it. stored: seconds since its last commit.
CREATE FUNCTION workers_of(its_search uuid) RETURNS TABLE (machine text, process int, lease double precision, renewed double precision, stored double precision, executions bigint,
	rate double precision, has_work boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$
	SELECT t.machine, t.process, CASE WHEN t.token IS NOT NULL THEN extract(epoch FROM t.lease - clock_timestamp()) END,
		CASE WHEN t.token IS NOT NULL THEN extract(epoch FROM clock_timestamp() - (t.lease - interval '10 seconds')) END,
		extract(epoch FROM clock_timestamp() - t.stored), t.executions, t.rate, t.has_work FROM slot t WHERE t.search = its_search ORDER BY t.machine, t.process, t.id;
$$;

CREATE FUNCTION layout_version() RETURNS int
LANGUAGE sql SECURITY DEFINER SET search_path = simul_search, pg_temp AS $$ SELECT version FROM layout; $$;
