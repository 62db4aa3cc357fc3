/* Shows the steps of one thread or on one object only. All others are folded; the failure always stays. */
const MOST_OBJECTS = 300; /* in the list: those with the most steps */

const touches = (i, o) => i < count ? steps.o1[i] === o || steps.o2[i] === o : data.agents[stuck[i - count]].objects.includes(o);

/* Returns for each step whether it stays; null: the filter is off. */
function filtered() {
	const { thread: t, object: o } = view.only;

	if (t < 0 && !o)
		return null;
	return Uint8Array.from({ length: total }, (_, i) => isFailure(i) || ((t < 0 || rowThread(i) === t) && (!o || touches(i, o))) ? 1 : 0);
}

function setOnly(thread, object) {
	view.only = { thread, object };
	byId('only-thread').value = thread;
	byId('only-object').value = object;
	view.opened.clear();
	makeRows();
	const keep = filtered();
	/* the selected step, or the nearest that stays */
	let at = view.chosen;
	for (let d = 0; keep && d < total; d++) {
		at = [view.chosen - d, view.chosen + d].find((i) => keep[i]);
		if (at !== undefined)
			break;
	}
	choose(at);
	drawMap();
}

function fillFilter() {
	const used = new Map();

	for (let i = 0; i < count; i++)
		for (const o of new Set([steps.o1[i], steps.o2[i]]))
			if (o)
				used.set(o, (used.get(o) || 0) + 1);
	const option = (value, text) => Object.assign(el('option', '', text), { value });
	const threads = [...new Set(lanes.map((l) => l.thread))];
	const objects = [...used].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_OBJECTS);
	byId('only-thread').replaceChildren(option(-1, 'all'), ...threads.map((t) => option(t, threadName(t))));
	byId('only-object').replaceChildren(option(0, 'all'), ...objects.map(([o, n]) => option(o, objectName(o) + ' (' + plural(n, 'step') + ')')));
	for (const id of ['only-thread', 'only-object'])
		byId(id).addEventListener('change', () => setOnly(Number(byId('only-thread').value), Number(byId('only-object').value)));
}

/* ---- the size of a line ---- */

const SIZES = [7, 11, 16, 22, 30];

function setZoom(d) {
	const at = SIZES.indexOf(ROW) + d;

	if (at < 0 || at >= SIZES.length)
		return;
	ROW = SIZES[at];
	document.documentElement.style.setProperty('--row', ROW + 'px');
	document.documentElement.style.setProperty('--letters', Math.round(Math.min(ROW * 0.75, 9 + ROW / 7)) + 'px');
	byId('body').classList.toggle('far', ROW < 10); /* too small for letters: only lanes and arrows */
	byId('zoom-out').disabled = at === 0;
	byId('zoom-in').disabled = at === SIZES.length - 1;
	makeRows();
	choose(view.chosen);
}
