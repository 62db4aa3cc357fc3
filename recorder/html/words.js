/* Texts of the page. Data from the program always becomes text of an element, never markup. */

/* Shows invisible characters, and those that change the direction of text, by their codes. */
function visible(text) {
	return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
		(c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

/* Makes an element with a class and text or children. */
function el(tag, classes, ...children) {
	const e = document.createElement(tag);
	if (classes)
		e.className = classes;
	for (const c of children)
		if (c !== null && c !== undefined)
			e.append(c instanceof Node ? c : visible(c));
	return e;
}

function svg(tag, attributes) {
	const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	return e;
}

const byId = (id) => document.getElementById(id);
const colour = (thread) => 't' + thread % 8;
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

const agentName = (i) => data.agents[steps.agent[i]].path;
const threadName = (t) => data.agents[t].path + (data.agents[t].start ? ' ' + data.agents[t].start : '');
const objectName = (o) => data.objects[o - 1].name;
const textOf = (i) => data.texts[steps.text[i]];
const kindOf = (i) => data.kinds[steps.kind[i]];
const stackOf = (i) => i < count ? steps.stack[i] : data.agents[stuck[i - count]].stack;
/* Choices of the program's own scheduler: 1 its own, 2 another one, 3 a part of a choice that a later step completes. */
const OWN = 1, OTHER = 2, PART = 3;
const choiceOf = (i) => i < count ? steps.choice[i] : 0;
const phaseOf = (i) => i < count && steps.phase[i] >= 0 ? data.texts[steps.phase[i]] : '';
const whereOf = (i) => choiceOf(i) ? '' : stackOf(i) < 0 ? '' : data.stacks[stackOf(i)][0];
const isFailure = (i) => i >= count || (steps.flags[i] & FAILURE) !== 0;
const isEssential = (i) => i < count && steps.tried[i] === 0;
const markOf = (i) => isFailure(i) ? '\u2717' : ['', '\u203a', '\u00bb'][steps.switch[i]] + (choiceOf(i) === OTHER ? '\u2260' : '') + (isEssential(i) ? '!' : '');
const rowThread = (i) => i < count ? threadOf(i) : stuck[i - count];
const rowLane = (i) => i < count ? laneOf[steps.agent[i]] : laneOf[stuck[i - count]];
const rowText = (i) => i < count ? textOf(i) : data.agents[stuck[i - count]].stuck;
/* The name of a row's lane; several agents may share a lane. */
const laneName = (i) => lanes[rowLane(i)].path;
const rowName = (i) => i < count ? agentName(i) : data.agents[stuck[i - count]].path;

/* The last step of a thread before this one, ignoring updates; for "could have continued after". */
function stepBefore(i) {
	let k = i - 1;
	while (k >= 0 && steps.flags[k] & UPDATE)
		k--;
	return k;
}

/* A row as one sentence, for screen readers. */
function spoken(i) {
	const where = whereOf(i);
	const what = i < count ? 'step ' + (i + 1) : 'at the end';
	const how = i < count && steps.switch[i] === 2 ? ', preemption' : i < count && steps.switch[i] === 1 ? ', switch' : '';
	const phase = phaseOf(i) ? ', ' + phaseOf(i) : '';
	return visible(what + phase + ', ' + rowName(i) + ': ' + rowText(i) + (choiceOf(i) === OTHER ? ', not the scheduler\'s own choice' : '') + (where ? ' at ' + where : '') + how + (isEssential(i) ? ', essential' : '') + (isFailure(i) ? ', failure' : ''));
}

/* ---- search ---- */

function functionsOf(i) {
	const stack = stackOf(i);
	return stack < 0 ? [] : data.stacks[stack].slice(2).map((f) => data.frames[f][0] || '');
}

/* "queue.c:41" for each frame. */
function placesOf(i) {
	const stack = stackOf(i);
	return stack < 0 ? [] : data.stacks[stack].slice(2).map((f) => {
		const [, file, line] = data.frames[f];
		return file < 0 ? '' : data.files[file].path + ':' + line;
	}).concat(data.stacks[stack][0]);
}

const fields = {
	thread: (i) => [rowName(i), threadName(rowThread(i))],
	kind: (i) => i < count ? [kindOf(i)].concat(steps.switch[i] === 2 ? 'preemption' : []).concat(steps.switch[i] ? 'switch' : []).concat(isEssential(i) ? 'essential' : []) : ['waits'],
	object: (i) => i < count ? [steps.o1[i], steps.o2[i]].filter((o) => o).map(objectName) : [],
	at: placesOf,
	function: functionsOf,
};

/* The steps that match all words of the query; null when there is no word. */
function search(query) {
	const words = query.toLowerCase().split(/\s+/).filter((w) => w).map((w) => {
		const [, name, value] = w.match(/^(thread|kind|object|at|function):(.+)$/) || [];
		return name ? { fields: [fields[name]], value } : { fields: Object.values(fields).concat((i) => [rowText(i)]), value: w };
	});
	const hits = [];

	if (!words.length)
		return null;
	for (let i = 0; i < total; i++)
		if (words.every((w) => w.fields.some((f) => f(i).some((text) => text.toLowerCase().includes(w.value)))))
			hits.push(i);
	return hits;
}
