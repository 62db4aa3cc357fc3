/* Keys, the tools at the top, and the beginning. */

/* The next step from i in direction d for which wanted(step) holds; -1: none. */
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

/* Up and down over what is in sight: folded steps are skipped. */
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
	if (view.folded)
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
	f: () => setFold(!view.folded), '?': () => byId('keys').showModal(),
};

/* Keys of the page where nothing else wants them: a field, a button, a link, the text that scrolls, a dialog. */
function wantsKey(target, key) {
	if (byId('keys').open || target.matches('input, textarea, select'))
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
		event.target.title = valid ? '' : 'a step from 1 to ' + count;
		if (valid) {
			choose(wanted - 1);
			timeline.focus();
		}
	}
});
byId('next').addEventListener('click', actions.n);
byId('previous').addEventListener('click', actions.p);
byId('fold').addEventListener('click', actions.f);
byId('help').addEventListener('click', actions['?']);

/* ---- the address: #step=12 ---- */

function remember(i) {
	try {
		history.replaceState(null, '', '#step=' + (i + 1));
	} catch (e) {
		/* some browsers do not let a page from a file do that, or not so often */
	}
}

function fromAddress() {
	const [, number] = location.hash.match(/^#step=(\d+)$/) || [];
	return number >= 1 && number <= total ? number - 1 : -1;
}

window.addEventListener('hashchange', () => goTo(fromAddress()));

/* ---- beginning ---- */

/* Where to look first: the first step that is (part of) the failure; the end when there is none. */
function firstLook() {
	const failing = findStep(-1, 1, isFailure);
	return fromAddress() >= 0 ? fromAddress() : failing >= 0 ? failing : total - 1;
}

function resized() {
	layOut();
	draw();
}

/* The parts of the report stay together where it stands in columns. */
function partReport() {
	const parts = byId('text').textContent.trimEnd().split(/\n\n+/);
	byId('text').replaceChildren(...parts.map((part) => el('section', '', part)));
}

byId('title').textContent = visible(data.name) + ': ' + byId('text').textContent.split('\n', 1)[0];
byId('main').hidden = false;
partReport();
if (total) {
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
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawMap);
	timeline.focus({ preventScroll: true });
} else {
	byId('main').replaceChildren(el('p', 'note', 'This recording has no steps.'));
}
