/*
 * The steps as lines from top to bottom. Only visible lines are elements of the page, so that 100,000 cost no more than 10. A line
 * ("row") is a step, or a gap that stands for folded steps.
 */
let ROW = 22; /* pixels; see setZoom */
const timeline = byId('timeline'), rowsBox = byId('rows'), bodyBox = byId('body'), headBox = byId('head');
const view = { rows: [], rowOfStep: new Int32Array(total), chosen: -1, hits: null, hitSet: new Set(), folded: false, opened: new Set(), only: { thread: -1, object: 0 }, printing: false, scrolled: 0, revealed: -1, gap: 40, left: 0, width: 0, drawn: '' };

/* The steps that are not folded: those near preemptions and the failure, and creations of threads. */
function essential() {
	const keep = new Uint8Array(total), NEAR = 3;
	const around = (i) => keep.fill(1, Math.max(0, i - NEAR), Math.min(total, i + NEAR + 1));

	for (let i = 0; i < total; i++)
		if (isFailure(i) || steps.switch[i] === 2)
			around(i);
	keep.fill(1, Math.max(0, Math.min(count, data.teardown) - 10));
	for (let i = 0; i < count; i++)
		if (isTeardown(i) && !isFailure(i))
			keep[i] = 0;
	if (view.hits)
		for (const i of view.hits)
			keep[i] = 1;
	return keep;
}

const isOwn = (i) => choiceOf(i) === OWN || choiceOf(i) === PART;

/* After a failed check the program only ends: the steps from data.teardown on, but the last one. */
const isTeardown = (i) => i >= data.teardown && i < count - 1;

/* All steps but those that say nothing: the teardown, calls that find a pthread_once done, and choices of the program's scheduler that are its
   own. null: there are none. */
function telling() {
	const keep = Uint8Array.from({ length: total }, (_, i) => i < count && (isTeardown(i) || isOwn(i) || steps.flags[i] & IDLE) ? 0 : 1);

	if (!keep.includes(0))
		return null;
	for (const i of view.hits || [])
		keep[i] = 1;
	return keep;
}

/* Computes the rows: numbers of steps, or [first, last] of folded ones. */
function makeRows() {
	const only = filtered(), keep = only || (view.folded ? essential() : telling());

	view.rows = [];
	for (let i = 0; i < total; i++) {
		let last = i;
		if (keep && !keep[i])
			while (last + 1 < total && !keep[last + 1])
				last++;
		const folds = (last > i || (only && !keep[i])) && !view.opened.has(i); /* the filter folds single steps too */
		for (let k = i; k <= last; k++) {
			if (!folds || k === i)
				view.rows.push(folds ? [i, last] : k);
			view.rowOfStep[k] = view.rows.length - 1;
		}
		i = last;
	}
	bodyBox.style.height = view.rows.length * ROW + 'px';
	view.drawn = '';
}

const laneX = (lane) => view.left + (lane + 0.5) * view.gap;
const rowY = (row) => (row + 0.5) * ROW;
const stepY = (i) => rowY(view.rowOfStep[i]);

/* Computes the positions of lanes, and draws the names above them. */
function layOut() {
	const width = timeline.clientWidth, digits = String(count).length;
	const turned = lanes.length * 70 > width * 0.38;

	view.numberWidth = digits + 1;
	view.left = 18 + view.numberWidth * 8;
	view.gap = Math.max(lanes.length > 24 ? 13 : 16, Math.min(turned ? 40 : 110, Math.floor(width * 0.38 / Math.max(1, lanes.length))));
	view.lanesWidth = lanes.length * view.gap;
	view.whoWidth = Math.max(2, ...lanes.map((l) => l.path.length));
	/* the description of a step stays visible at the right when not all lanes fit */
	view.infoWidth = Math.max(width - view.left - view.lanesWidth - 6, Math.min(width * 0.48, 330));
	view.width = view.left + view.lanesWidth + 6 + view.infoWidth;
	bodyBox.style.width = headBox.style.width = view.width + 'px';
	headBox.replaceChildren(...lanes.map((lane, i) => {
		const name = el('div', 'name ' + colour(lane.thread) + (turned ? ' turned' : ''), lane.path);
		if (!turned)
			name.append(el('small', '', lane.start));
		name.title = visible(lane.path + ' ' + lane.start + ': click to see only this thread, or all again');
		name.addEventListener('click', () => setOnly(view.only.thread === lane.thread ? -1 : lane.thread, view.only.object));
		name.style.left = laneX(i) + 'px';
		if (!turned)
			name.style.maxWidth = view.gap - 4 + 'px';
		return name;
	}));
	headBox.style.height = turned ? Math.min(110, 24 + 7 * Math.max(...lanes.map((l) => l.path.length))) + 'px' : '36px';
	view.drawn = '';
}

function stepRow(i) {
	const row = el('div', 'row ' + (isFailure(i) ? 'failure ' : '') + (view.hitSet.has(i) ? 'hit ' : '') + (i === view.chosen ? 'selected' : ''));
	const mark = el('span', 'mark ' + (isFailure(i) ? 'failure' : i < count && steps.switch[i] === 2 ? 'preempted' : ''), markOf(i));
	const number = el('span', 'number', i < count ? i + 1 : '');
	const space = el('span', 'lanes');
	const step = el('span', 'step', mark, number), info = el('span', 'info');
	const who = el('span', 'who ' + colour(rowThread(i)), laneName(i));

	row.id = 'step-' + (i + 1);
	row.setAttribute('role', 'option');
	row.setAttribute('aria-selected', i === view.chosen);
	row.setAttribute('aria-posinset', i + 1);
	row.setAttribute('aria-setsize', total);
	row.setAttribute('aria-label', spoken(i));
	number.style.width = view.numberWidth * 8 - 6 + 'px';
	space.style.width = view.lanesWidth + 6 + 'px';
	who.style.width = `calc(${Math.min(view.whoWidth, 16)}ch + 8px)`;
	info.style.width = view.infoWidth + 'px';
	if (phaseOf(i) && (i === 0 || phaseOf(i) !== phaseOf(i - 1) || Array.isArray(view.rows[view.rowOfStep[i] - 1]))) {
		row.classList.add('begins');
		info.append(el('span', 'phase', phaseOf(i)));
	}
	info.append(who, el('span', 'what', rowText(i)), el('span', 'where', el('bdi', '', whereOf(i))));
	row.append(step, space, info);
	row.addEventListener('click', () => choose(i));
	return row;
}

function gapRow([first, last]) {
	const row = el('div', 'row gap'), space = el('span', 'lanes');

	space.style.width = view.left + view.lanesWidth + 6 + 'px';
	row.setAttribute('role', 'option');
	row.setAttribute('aria-selected', false);
	const all = (holds) => Array.from({ length: last - first + 1 }, (_, k) => first + k).every(holds);
	const kind = all(isTeardown) ? ' of teardown' : all(isOwn) ? ' in the scheduler\'s own order' : '';
	row.append(space, '\u22ee ' + plural(last - first + 1, 'step') + kind + ' folded (' + (first + 1) + ' to ' + (last + 1) + '): click or u');

	row.addEventListener('click', () => unfold(first));
	return row;
}

function unfold(first) {
	const top = timeline.scrollTop;
	view.opened.add(first);
	makeRows();
	timeline.scrollTop = top;
	draw();
}

const MOST_ROWS = 400; /* limit on the rows drawn at a time, or printed */

function rowsInSight() {
	const first = Math.max(0, Math.floor((timeline.scrollTop - headBox.offsetHeight) / ROW) - 2);
	const last = Math.ceil((timeline.scrollTop + timeline.clientHeight) / ROW) + 2;
	return { first, last: Math.min(view.rows.length - 1, last, first + MOST_ROWS) };
}

/* The range of rows to print: all, or those around the selected one. */
function rowsToPrint() {
	const first = Math.max(0, Math.min(view.rowOfStep[view.chosen] - MOST_ROWS / 2, view.rows.length - MOST_ROWS));
	return { first, last: Math.min(view.rows.length, first + MOST_ROWS) - 1 };
}

/* Draws the visible rows. */
function draw() {
	const { first, last } = view.printing ? rowsToPrint() : rowsInSight();
	const key = [first, last, view.chosen].join();

	if (key === view.drawn)
		return;
	view.drawn = key;
	const made = [];
	for (let r = first; r <= last; r++) {
		const row = Array.isArray(view.rows[r]) ? gapRow(view.rows[r]) : stepRow(view.rows[r]);
		row.style.top = (view.printing ? r - first : r) * ROW + 'px';
		made.push(row);
	}
	rowsBox.replaceChildren(...made);
	drawArrows(first, last);
	drawMap();
}

/* Scrolls so that the row and some rows around it are visible. */
function reveal(i) {
	const top = view.rowOfStep[i] * ROW, head = headBox.offsetHeight, space = timeline.clientHeight - head, margin = Math.min(4 * ROW, space / 3);

	if (top - margin < timeline.scrollTop)
		timeline.scrollTop = top - margin;
	else if (top + ROW + margin > timeline.scrollTop + space)
		timeline.scrollTop = top + ROW + margin - space;
	const x = laneX(rowLane(i)), right = timeline.clientWidth - view.infoWidth - 20;
	if (x < timeline.scrollLeft + view.left)
		timeline.scrollLeft = x - view.left - 2 * view.gap;
	else if (x > timeline.scrollLeft + right)
		timeline.scrollLeft = x - right + 2 * view.gap;
	view.revealed = timeline.scrollTop;
}

/* Selects step i (or a stuck thread's row). */
function choose(i) {
	i = Math.max(0, Math.min(total - 1, i));
	if (Array.isArray(view.rows[view.rowOfStep[i]]))
		unfold(view.rows[view.rowOfStep[i]][0]);
	view.chosen = i;
	reveal(i);
	draw();
	timeline.setAttribute('aria-activedescendant', 'step-' + (i + 1));
	byId('said').textContent = document.activeElement === timeline ? '' : spoken(i); /* otherwise the screen reader reads the selected line of the list */
	showPanel(i);
	remember(i);
}
