/* Keys, the tools at the top, and the start of the page. */

/* The next step from i in direction d for which wanted(step) is true, or -1. */
function findStep(i, d, wanted) {
	for (let k = i + d; k >= 0 && k < total; k += d)
		if (wanted(k))
			return k;
	return -1;
}

function goTo(i) {
	if (i >= 0)
		choose(i);
}

const isSwitch = (i) => i < count && steps.switch[i] > 0;
const isPreemption = (i) => i < count && steps.switch[i] === 2;
const nextHit = (d) => {
	if (view.hits && view.hits.length)
		goTo([findStep(view.chosen, d, (i) => view.hitSet.has(i)), view.hits[d > 0 ? 0 : view.hits.length - 1]].find((i) => i >= 0));
	showHits();
};

/* Moves up and down, skipping folded steps. */
function nextRow(d) {
	const row = view.rowOfStep[view.chosen] + d;
	let r = row;

	while (r >= 0 && r < view.rows.length && Array.isArray(view.rows[r]))
		r += d;
	if (r >= 0 && r < view.rows.length)
		choose(view.rows[r]);
}

function showHits() {
	const at = view.hits ? view.hits.indexOf(view.chosen) : -1;
	byId('hits').textContent = !view.hits ? '' : !view.hits.length ? 'not found' : (at >= 0 ? at + 1 + ' of ' : '') + plural(view.hits.length, 'hit');
}

function runSearch(query) {
	view.hits = search(query);
	view.hitSet = new Set(view.hits || []);
	if (view.folded || telling())
		makeRows();
	view.drawn = '';
	draw();
	showHits();
}

function setFold(on) {
	view.folded = on;
	view.opened.clear();
	byId('fold').setAttribute('aria-pressed', on);
	makeRows();
	choose(view.chosen);
}

/* Unfolds the gap nearest to the selected step. */
function unfoldNear() {
	const row = view.rowOfStep[view.chosen];
	for (let d = 1; d < view.rows.length; d++)
		for (const gap of [view.rows[row + d], view.rows[row - d]])
			if (Array.isArray(gap)) {
				unfold(gap[0]);
				choose(view.chosen); /* so that it stays visible */
				return;
			}
}

function page(d) {
	const rows = Math.max(1, Math.floor(timeline.clientHeight / ROW) - 3);
	const at = view.rows[Math.max(0, Math.min(view.rows.length - 1, view.rowOfStep[view.chosen] + d * rows))];
	choose(Array.isArray(at) ? at[0] : at);
}

const actions = {
	j: () => nextRow(1), ArrowDown: () => nextRow(1), k: () => nextRow(-1), ArrowUp: () => nextRow(-1),
	n: () => goTo(findStep(view.chosen, 1, isSwitch)), p: () => goTo(findStep(view.chosen, -1, isSwitch)),
	N: () => goTo(findStep(view.chosen, 1, isPreemption)), P: () => goTo(findStep(view.chosen, -1, isPreemption)),
	t: () => goTo(findStep(view.chosen, 1, (i) => rowThread(i) === rowThread(view.chosen))),
	T: () => goTo(findStep(view.chosen, -1, (i) => rowThread(i) === rowThread(view.chosen))),
	'.': () => nextHit(1), ',': () => nextHit(-1),
	Home: () => choose(0), End: () => choose(total - 1), PageDown: () => page(1), PageUp: () => page(-1),
	'/': () => byId('search').select(), g: () => byId('goto').select(),
	x: () => goTo(failureRow()), u: unfoldNear,
	'+': () => setZoom(1), '-': () => setZoom(-1), a: () => setOnly(-1, 0),
	f: () => setFold(!view.folded), '?': () => byId('keys').showModal(),
};

/* Handles keys of the page unless a field, a button, a link, a scrolling text or a dialog uses them. */
function wantsKey(target, key) {
	if (byId('keys').open || target.matches('input, textarea, select'))
		return true;
	if (!byId('everywhere').checked && key.length === 1 && target !== timeline)
		return true;
	return target !== timeline && key.length > 1 && target.closest('#story, .code, #panel, button, summary') !== null;
}

document.addEventListener('keydown', (event) => {
	const action = actions[event.key];
	if (!action || event.ctrlKey || event.altKey || event.metaKey || wantsKey(event.target, event.key))
		return;
	event.preventDefault();
	action();
});

byId('tools').addEventListener('submit', (event) => event.preventDefault());
byId('search').addEventListener('input', (event) => runSearch(event.target.value));
byId('search').addEventListener('keydown', (event) => {
	if (event.key === 'Enter')
		nextHit(event.shiftKey ? -1 : 1);
	else if (event.key === 'Escape')
		timeline.focus();
	else
		return;
	event.preventDefault();
});
byId('goto').addEventListener('keydown', (event) => {
	const wanted = Number(event.target.value);
	if (event.key === 'Escape') {
		timeline.focus();
	} else if (event.key === 'Enter') {
		const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= count;
		event.target.setAttribute('aria-invalid', !valid);
		byId('hits').textContent = valid ? '' : 'a step from 1 to ' + count;
		if (valid) {
			choose(wanted - 1);
			timeline.focus();
		}
	}
});
byId('next').addEventListener('click', actions.n);
byId('previous').addEventListener('click', actions.p);
byId('next-preemption').addEventListener('click', actions.N);
byId('previous-preemption').addEventListener('click', actions.P);
byId('failure').addEventListener('click', actions.x);
byId('fold').addEventListener('click', actions.f);
byId('zoom-out').addEventListener('click', actions['-']);
byId('zoom-in').addEventListener('click', actions['+']);
byId('help').addEventListener('click', actions['?']);

/* ---- the address: #step=12 ---- */

function remember(i) {
	try {
		history.replaceState(null, '', '#step=' + (i + 1));
	} catch (e) {
		/* some browsers forbid this for a page from a file, or limit how often it is done */
	}
}

function fromAddress() {
	const [, number] = location.hash.match(/^#step=(\d+)$/) || [];
	return number >= 1 && number <= total ? number - 1 : -1;
}

window.addEventListener('hashchange', () => goTo(fromAddress()));

/* ---- start ---- */

/* The row of the failing step, or of the stuck thread that the report names; -1 when nothing failed. */
function failureRow() {
	const own = stuck.indexOf(data.bugThread);
	return own >= 0 ? count + own : findStep(-1, 1, isFailure);
}

/* The row to begin with: the failure, or the end when there is none. If the line of a failed check is not known, it is the last step before the
   program only ends. */
function firstLook() {
	const failing = data.checkStack < 0 && data.teardown && data.teardown < count ? data.teardown - 1 : failureRow();
	return fromAddress() >= 0 ? fromAddress() : failing >= 0 ? failing : total - 1;
}

/* Paper does not scroll: prints all steps, or those around the selected one. */
function setPrinting(on) {
	const { first, last } = rowsToPrint();
	if (on)
		view.scrolled = timeline.scrollTop;
	view.printing = on;
	bodyBox.style.height = (on ? last - first + 1 : view.rows.length) * ROW + 'px';
	timeline.scrollTop = on ? 0 : view.scrolled;
	view.drawn = '';
	draw();
}

function resized() {
	layOut();
	if (timeline.scrollTop === view.revealed && !view.printing) /* nobody has scrolled since: the selected row stays in sight */
		reveal(view.chosen);
	draw();
}

byId('title').textContent = visible(data.name) + ': ' + byId('text').textContent.split('\n', 1)[0];
byId('main').hidden = false;
showStory();
if (total) {
	fillFilter();
	makeRows();
	layOut();
	choose(firstLook());
	let waiting = false;
	timeline.addEventListener('scroll', () => {
		if (!waiting)
			requestAnimationFrame(() => { waiting = false; draw(); });
		waiting = true;
	});
	new ResizeObserver(resized).observe(timeline);
	addEventListener('beforeprint', () => setPrinting(true));
	addEventListener('afterprint', () => setPrinting(false));
	byId('other-choice').hidden = !steps.choice.includes(OTHER);
	for (const id of ['next-preemption', 'previous-preemption'])
		byId(id).disabled = findStep(-1, 1, isPreemption) < 0;
	byId('failure').disabled = failureRow() < 0;
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawMap);
	timeline.focus({ preventScroll: true });
} else {
	byId('main').replaceChildren(el('p', 'note', 'This recording has no steps.'));
}
