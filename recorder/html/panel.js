/* The panel beside the schedule, with details of the selected step. */

function stepLink(i, text) {
	const a = el('a', '', text || 'step ' + (i + 1));
	a.href = '#step=' + (i + 1);
	a.addEventListener('click', (event) => {
		event.preventDefault();
		choose(i);
		timeline.focus();
	});
	return a;
}

const thread = (t) => el('span', colour(t), data.agents[t].path);

/* ---- the step ---- */

function preemptionText(i) {
	const k = stepBefore(i), line = el('p', 'preempted note', '\u00bb Preemption: ');

	line.append(thread(threadOf(k)), ' could have continued after ', stepLink(k), ', but ', thread(threadOf(i)), ' ran instead');
	const next = nextOf(threadOf(k), i);
	if (next >= 0)
		line.append('. It continues at ', stepLink(next), '.');
	return line;
}

/* The first step of the thread from step i on, ignoring updates. */
function nextOf(t, i) {
	for (let k = i; k < count; k++)
		if (threadOf(k) === t && !(steps.flags[k] & UPDATE))
			return k;
	return -1;
}

function objectLine(o) {
	const x = data.objects[o - 1];
	return el('p', 'dim', x.kind + ' ', el('b', '', x.name), x.first ? ', first used at ' + x.first : '');
}

/* The value that a write replaced; the description of the event has the rest. */
function valueLines(i) {
	const found = steps.found[i], left = steps.left[i];

	if (found < 0 || left < 0)
		return [];
	return [el('p', 'values', 'before ', el('b', '', data.texts[found]), found === left ? ', unchanged' : ', then ',
		...(found === left ? [] : [el('b', '', data.texts[left])]))];
}

function showEvent(i) {
	const box = byId('event'), lines = [];

	if (i >= count) {
		const t = stuck[i - count];
		lines.push(el('h2', '', 'At the end, after step ' + count), el('p', 'big', el('span', colour(t), threadName(t))), el('p', 'big failure', data.agents[t].stuck));
		if (data.agents[t].waitsFor >= 0)
			lines.push(el('p', '', 'waits for ', thread(data.agents[t].waitsFor)));
		box.replaceChildren(...lines);
		return;
	}
	const flags = steps.flags[i], t = threadOf(i);
	lines.push(el('h2', '', 'Step ' + (i + 1) + ' of ' + count));
	lines.push(el('p', 'big', el('span', colour(t), flags & UPDATE ? agentName(i) : threadName(t))));
	lines.push(el('p', 'big' + (flags & FAILURE ? ' failure' : ''), textOf(i)));
	lines.push(...valueLines(i));
	if (steps.switch[i] === 2)
		lines.push(preemptionText(i));
	else if (steps.switch[i] === 1)
		lines.push(el('p', 'dim', '\u203a Switch to another thread: the one before was blocked, yielded, had ended, or never ran again.'));
	if (steps.tried[i] >= 0)
		lines.push(el('p', steps.tried[i] ? 'dim' : 'note', ['Essential: an execution without this switch did not fail.', 'An execution without this switch failed as well.',
			'An execution without this switch failed in another way.'][steps.tried[i]]));
	if (flags & WAITED)
		lines.push(el('p', 'dim', 'It had to wait' + (before[i] >= 0 ? ' since step ' + (before[i] + 1) : '') + '.'));
	if (flags & BUFFERED)
		lines.push(steps.partner[i] < 0 ? el('p', 'note', 'It had not reached memory at the end: only ', thread(t), ' saw it.') :
			el('p', 'note', 'Only ', thread(t), ' sees it until it reaches memory at ', stepLink(steps.partner[i]), '.'));
	if (flags & UPDATE && steps.partner[i] >= 0)
		lines.push(el('p', 'note', 'The store of ', stepLink(steps.partner[i]), ' reaches memory.'));
	if (flags & FORWARDED)
		lines.push(el('p', 'note', 'It read a value from the store buffer of its own thread.'));
	for (const o of [steps.o1[i], steps.o2[i]])
		if (o)
			lines.push(objectLine(o));
	if (steps.result[i] && !(flags & (BUFFERED | UPDATE)) && kindOf(i) !== 'rmw')
		lines.push(el('p', 'dim', 'returned ' + steps.result[i]));
	box.replaceChildren(...lines);
}

/* ---- its source ---- */

function lineText(file, number) {
	for (const [first, lines] of file.parts)
		if (number >= first && number < first + lines.length)
			return lines[number - first];
	return null;
}

function codeOf(file, number) {
	const code = el('div', 'code');

	code.tabIndex = 0;
	code.setAttribute('role', 'region');
	code.setAttribute('aria-label', visible('source: ' + file.path));
	for (let n = number - 8; n <= number + 8; n++) {
		const text = lineText(file, n);
		if (text === null)
			continue;
		const line = el('div', n === number ? 'here' : '', el('b', '', n), text);
		if (n === number)
			line.setAttribute('aria-current', 'true');
		code.append(line);
	}
	return code;
}

function frameText([name, file, line, module]) {
	const base = file < 0 ? '' : data.files[file].path.replace(/.*\//, '') + (line ? ':' + line : '');
	return (name || '?') + '  ' + (base || module || '');
}

function showSource(i, frame) {
	const box = byId('source'), check = i < count && isFailure(i) && data.checkStack >= 0;
	const number = check ? data.checkStack : i < count && isFailure(i) && stackOf(i) < 0 ? data.failureStack : stackOf(i);

	if (number < 0) {
		box.replaceChildren(el('h2', '', 'Source'), el('p', 'dim', 'The recording does not say where this happened.'));
		return;
	}
	const stack = data.stacks[number], shown = frame !== undefined ? frame : check ? data.checkFrame : stack[1], [name, file, line] = data.frames[stack[2 + shown]];
	const parts = [el('h2', '', check ? 'Source of the failed check, after which the program ended' : 'Source')];
	if (file >= 0) {
		parts.push(el('p', '', (name ? name + ', ' : '') + data.files[file].path + (line ? ':' + line : '')));
		const code = codeOf(data.files[file], line);
		if (data.files[file].note)
			parts.push(el('p', 'note', data.files[file].note));
		if (code.childElementCount)
			parts.push(code);
		else if (!data.files[file].note)
			parts.push(el('p', 'dim', 'The line is not in this page.'));
	} else {
		parts.push(el('p', 'dim', 'No source line is known; build the program with -g to see it.'));
	}
	const list = el('ol', 'frames');
	stack.slice(2).forEach((f, n) => {
		const [, , , , flags] = data.frames[f], item = el('li', flags & 1 ? '' : 'system'), a = el('a', '', '#' + n + ' ' + frameText(data.frames[f]));
		a.href = '#';
		a.addEventListener('click', (event) => {
			event.preventDefault();
			showSource(i, n);
		});
		if (n === shown)
			a.setAttribute('aria-current', 'true');
		item.append(a, flags & 2 ? ' (inlined)' : '');
		list.append(item);
	});
	const users = stack.slice(2).filter((f) => data.frames[f][4] & 1).length, others = stack.length - 2 - users;
	const all = el('details', '', el('summary', '', 'Stack: ' + plural(users, 'frame') + ' of the program' + (others ? ', ' + others + ' more' : '')), list);
	all.open = users > 1 || frame !== undefined;
	box.replaceChildren(...parts, all);
}

/* ---- store buffers, order, state ---- */

function showBuffers(i, state) {
	const box = byId('buffers'), lines = [el('h2', '', 'Store buffers after this step (oldest at the right)')];

	if (!buffers) {
		box.replaceChildren();
		return;
	}
	const store = i < count ? steps.flags[i] & BUFFERED ? i : steps.flags[i] & UPDATE ? steps.partner[i] : -1 : -1;
	state.forEach((s, t) => {
		const drained = i < count && steps.flags[i] & UPDATE && threadOf(i) === t ? [store] : [];
		if (!s.buffer.length && !drained.length && laneOf[t] < 0)
			return;
		const queue = el('div', 'queue', thread(t), ': ');
		for (const k of s.buffer.slice().reverse())
			queue.append(el('span', 'cell' + (k === store ? ' now' : ''), objectName(steps.o1[k]) + (steps.left[k] < 0 ? ' ' : ' = ' + data.texts[steps.left[k]] + ' '), stepLink(k, '(' + (k + 1) + ')')));
		for (const k of drained)
			if (k >= 0)
				queue.append(el('span', 'cell gone', (steps.o1[k] ? objectName(steps.o1[k]) : 'store') + (steps.left[k] < 0 ? '' : ' = ' + data.texts[steps.left[k]])), ' \u2192 memory');
		if (!s.buffer.length && !drained.length)
			queue.append(el('span', 'dim', 'empty'));
		lines.push(queue);
	});
	box.replaceChildren(...lines);
}

function orderList(title, list, end, word) {
	const items = el('ul', 'links');

	for (const k of list) {
		const i = edges[end][k], [kind, ...words] = whys[whyOf(k)];
		items.append(el('li', '', el('span', 'why ' + kind, words[word]), ' ', stepLink(i), ' ', el('span', colour(threadOf(i)), agentName(i)), ' ' + textOf(i)));
	}
	return list.length ? [el('h2', '', title), items] : [];
}

function showOrder(i) {
	const box = byId('order');

	if (i >= count)
		box.replaceChildren();
	else if (!data.edges)
		box.replaceChildren(el('p', 'note', 'The schedule has too many steps for so many threads, so this page does not show the order of steps.'));
	else
		box.replaceChildren(...orderList('Comes after', edgesInto(i), 'from', 0), ...orderList('Comes before', edgesOut(i), 'to', 1));
}

const heading = (word) => {
	const e = el('th', '', word);
	e.scope = 'col';
	return e;
};

function showState(i, state) {
	const table = el('table', '', el('tr', '', ...['thread', 'has done', 'does next', 'holds'].map(heading)));

	state.forEach((s, t) => {
		if (laneOf[t] < 0)
			return;
		const done = s.last < 0 ? el('td', 'dim', 'nothing yet') : el('td', '', stepLink(s.last, String(s.last + 1)), ' ' + textOf(s.last));
		const next = s.next >= 0 ? el('td', '', stepLink(s.next, String(s.next + 1)), ' ' + textOf(s.next)) :
			el('td', data.agents[t].stuck ? 'failure' : 'dim', data.agents[t].stuck || data.agents[t].pending || (t === data.bugThread ? 'failed' + (data.bugProcess ? ', process ' + data.bugProcess : '') : 'ended'));
		const holds = el('td');
		s.holds.forEach((h, n) => holds.append(n ? ', ' : '', visible(objectName(h.object)), ' (', stepLink(h.since, String(h.since + 1)), ')'));
		table.append(el('tr', '', el('td', colour(t), data.agents[t].path), done, next, holds));
	});
	byId('state').replaceChildren(el('h2', '', 'Threads after this step'), table);
}

/* ---- other steps on the same objects ---- */

const NEAR_STEPS = 5; /* shown on each side */

function showSame(i) {
	const objects = (i < count ? [steps.o1[i], steps.o2[i]] : data.agents[stuck[i - count]].objects).filter((o) => o), parts = [];

	for (const o of objects) {
		const touching = (k) => steps.o1[k] === o || steps.o2[k] === o, earlier = [], later = [];
		for (let k = Math.min(i, count) - 1; k >= 0 && earlier.length < NEAR_STEPS; k--)
			if (touching(k))
				earlier.unshift(k);
		for (let k = i + 1; k < count && later.length < NEAR_STEPS; k++)
			if (touching(k))
				later.push(k);
		const items = el('ul', 'links');
		for (const k of earlier.concat(later))
			items.append(el('li', '', k < i ? '\u2191 ' : '\u2193 ', stepLink(k), ' ', el('span', colour(threadOf(k)), agentName(k)), ' ' + textOf(k) + '  ',
				el('span', 'dim', whereOf(k))));
		if (items.childElementCount)
			parts.push(el('h2', '', 'Other steps on ' + objectName(o)), items);
	}
	byId('same').replaceChildren(...parts);
}

function showPanel(i) {
	const state = stateAfter(Math.min(i, count - 1));

	showEvent(i);
	showSource(i);
	showBuffers(i, state);
	showValues(i);
	showOrder(i);
	showState(i, state);
	showSame(i);
}
