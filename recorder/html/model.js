/* The recording as written by recorder/html/html_data.c, and data derived from it. Steps are numbers from 0 here and from 1 on the page. */
const data = JSON.parse(document.getElementById('data').textContent);
const steps = data.steps;
const count = steps.agent.length;
const WAITED = 1, FAILED = 2, FORWARDED = 4, FAILURE = 8, BUFFERED = 16, UPDATE = 32, IDLE = 64;

/* The meanings of arrows: the class for the colour, and texts for both directions. */
const whys = {
	create: ['sync', 'created this thread', 'first step of the thread'],
	wake: ['wake', 'woke it', 'woke'],
	join: ['sync', 'ended before it was joined', 'joined by'],
	lock: ['sync', 'unlocked it before', 'locked next by'],
	post: ['sync', 'made the post that it took', 'its post was taken by'],
	barrier: ['sync', 'arrived at the barrier', 'released'],
	once: ['sync', 'initialised it', 'found initialised by'],
	data: ['data', 'wrote what it read', 'read by'],
	signal: ['wake', 'signalled this thread', 'next step of the signalled thread'],
	reads: ['data', 'wrote what it read', 'read by'],
	buffer: ['buffer', 'is the store that reaches memory now', 'reaches memory'],
	forward: ['buffer', 'is the store in its buffer that it read', 'read from the buffer by'],
	drained: ['buffer', 'had to reach memory first', 'was waited for by'],
	order: ['other', 'accessed the same object before', 'object accessed next by'],
};

/* ---- lanes: one for each thread that does something, followed by those of its drain agents ---- */

const MOST_AGENTS = 4; /* further agents of a thread (PSO, many addresses) share a lane */

function findLanes() {
	const lanes = [], laneOf = new Array(data.agents.length).fill(-1), used = new Set(steps.agent);

	for (let t = 0; t < data.threads; t++) {
		const own = [];
		for (let a = data.threads; a < data.agents.length; a++)
			if (data.agents[a].owner === t && used.has(a))
				own.push(a);
		if (used.has(t) || data.agents[t].stuck || own.length) {
			laneOf[t] = lanes.length;
			lanes.push({ path: data.agents[t].path, start: data.agents[t].start, thread: t, drains: false });
		}
		const shared = own.length > MOST_AGENTS;
		own.forEach((a, i) => {
			laneOf[a] = shared && i ? lanes.length - 1 : lanes.length;
			if (!shared || !i)
				lanes.push({ path: shared ? data.agents[t].path + '~' : data.agents[a].path,
					start: shared ? own.length + ' agents' : 'memory', thread: t, drains: true });
		});
	}
	return { lanes, laneOf };
}

const { lanes, laneOf } = findLanes();
const threadOf = (i) => { const a = steps.agent[i]; return a < data.threads ? a : data.agents[a].owner; };

/* ---- the order of steps ---- */

/* By step: the previous and next step of the same agent, or -1. */
function link() {
	const before = new Int32Array(count).fill(-1), after = new Int32Array(count).fill(-1), last = new Map();

	for (let i = 0; i < count; i++) {
		const a = steps.agent[i];
		if (last.has(a)) {
			before[i] = last.get(a);
			after[before[i]] = i;
		}
		last.set(a, i);
	}
	return { before, after };
}

const { before, after } = link();

/* Arrows into and out of each step: edges[into[i] .. into[i + 1]) and out[outFirst[i] .. outFirst[i + 1]). */
function indexEdges() {
	const flat = data.edges || [], n = flat.length / 3;
	const edges = { from: new Int32Array(n), to: new Int32Array(n), why: new Uint8Array(n) };
	const into = new Int32Array(count + 1), outFirst = new Int32Array(count + 1), out = new Int32Array(n);

	for (let k = 0; k < n; k++) {
		edges.from[k] = flat[3 * k];
		edges.to[k] = flat[3 * k + 1];
		edges.why[k] = flat[3 * k + 2];
		into[edges.to[k] + 1]++;
		outFirst[edges.from[k] + 1]++;
	}
	for (let i = 0; i < count; i++) {
		into[i + 1] += into[i];
		outFirst[i + 1] += outFirst[i];
	}
	const at = outFirst.slice();
	for (let k = 0; k < n; k++)
		out[at[edges.from[k]]++] = k;
	return { edges, into, out, outFirst };
}

const { edges, into, out, outFirst } = indexEdges();
const whyOf = (k) => data.whys[edges.why[k]];
const edgesInto = (i) => Array.from({ length: into[i + 1] - into[i] }, (_, k) => into[i] + k);
const edgesOut = (i) => Array.from(out.subarray(outFirst[i], outFirst[i + 1]));

/* ---- the state after step i ---- */

/* For each thread: its last step, its next step, the objects that it holds exclusively ({object, since}), the stores in its buffer (steps, oldest first). */
function stateAfter(i) {
	const state = [];

	for (let t = 0; t < data.threads; t++)
		state.push({ last: -1, next: -1, holds: [], buffer: [] });
	for (let k = 0; k <= i; k++) {
		const s = state[threadOf(k)], held = steps.hold[k];
		if (steps.flags[k] & UPDATE) {
			s.buffer = s.buffer.filter((store) => store !== steps.partner[k]);
			continue;
		}
		s.last = k;
		if (steps.flags[k] & BUFFERED)
			s.buffer.push(k);
		if (held > 0)
			s.holds.push({ object: held, since: k });
		else if (held < 0)
			for (const other of state)
				other.holds = other.holds.filter((h) => h.object !== -held);
	}
	for (let k = count - 1; k > i; k--)
		if (!(steps.flags[k] & UPDATE))
			state[threadOf(k)].next = k;
	return state;
}

/* The waits that remain after the last step; they have rows of their own. */
const stuck = [];
for (let t = 0; t < data.threads; t++)
	if (data.agents[t].stuck)
		stuck.push(t);
const total = count + stuck.length; /* steps, then the stuck threads */
const buffers = steps.flags.some((f) => f & BUFFERED);
