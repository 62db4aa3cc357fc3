/* The values of a variable over the whole execution, as a line of steps: who wrote what, who read it, and where the selected step is. */
const MOST_POINTS = 400; /* around the selected step */
const PLOT = { width: 560, left: 8, right: 8, top: 8, bottom: 8, level: 18, most: 90 };

/* What memory holds after step i, as the number of a text; -1: the step does not say. */
function valueAfter(i) {
	const flags = steps.flags[i];

	if (flags & BUFFERED)
		return -1; /* memory changes when the store leaves the buffer */
	return flags & UPDATE && steps.left[i] < 0 && steps.partner[i] >= 0 ? steps.left[steps.partner[i]] : steps.left[i] >= 0 ? steps.left[i] : steps.found[i];
}

/* The steps on the object whose value is known, at most MOST_POINTS around step i. */
function pointsOf(o, i) {
	const all = [];
	let near = 0;

	for (let k = 0; k < count; k++) {
		if (steps.o1[k] !== o || valueAfter(k) < 0)
			continue;
		if (k <= i)
			near = all.length;
		all.push({ step: k, value: valueAfter(k), wrote: steps.found[k] !== valueAfter(k) || (steps.flags[k] & UPDATE) !== 0 });
	}
	const first = Math.max(0, Math.min(near - MOST_POINTS / 2, all.length - MOST_POINTS));
	return all.slice(first, first + MOST_POINTS);
}

/* The height of each value: numbers by their order, other values by first use. The largest or the last one is the highest. */
function levelsOf(points) {
	const values = [...new Set(points.map((p) => p.value))], number = (v) => /^-?(0x[0-9a-f]+|\d+(\.\d+)?)$/i.test(data.texts[v]) ? Number(data.texts[v]) : NaN;

	if (values.every((v) => !Number.isNaN(number(v))))
		values.sort((a, b) => number(a) - number(b));
	return new Map(values.map((v, n) => [v, n]));
}

function plot(points, i) {
	const levels = levelsOf(points), height = Math.min(PLOT.most, PLOT.level * Math.max(1, levels.size - 1)) + PLOT.top + PLOT.bottom;
	const x = (n) => PLOT.left + (n + 0.5) * (PLOT.width - PLOT.left - PLOT.right) / points.length;
	const y = (v) => height - PLOT.bottom - (levels.size < 2 ? 0 : levels.get(v) / (levels.size - 1) * (height - PLOT.top - PLOT.bottom));
	const box = svg('svg', { class: 'plot', viewBox: `0 0 ${PLOT.width} ${height}`, role: 'img' });

	points.forEach((p, n) => {
		const owner = colour(threadOf(p.step));
		if (n)
			box.append(svg('path', { class: 'level ' + owner, d: `M${x(n - 1)} ${y(points[n - 1].value)}H${x(n)}V${y(p.value)}` }));
	});
	points.forEach((p, n) => {
		const dot = svg('circle', { class: 'node ' + colour(threadOf(p.step)) + (p.wrote ? '' : ' hollow') + (p.step === i ? ' chosen' : ''), cx: x(n), cy: y(p.value), r: p.step === i ? 6 : 4 });
		const words = svg('title', {});
		words.textContent = visible('step ' + (p.step + 1) + ', ' + agentName(p.step) + ': ' + textOf(p.step) + ' (' + data.texts[p.value] + ')');
		dot.append(words);
		dot.addEventListener('click', () => choose(p.step));
		box.append(dot);
	});
	const writes = points.filter((p) => p.wrote);
	box.setAttribute('aria-label', visible(plural(points.length, 'value') + ', ' + writes.length + ' written' + ': ' +
		writes.slice(0, 20).map((p) => data.texts[p.value] + ' by ' + agentName(p.step) + ' in step ' + (p.step + 1)).join(', ')));
	return [box, levels];
}

/* Shows the values of the selected step's variable, if there are at least two accesses whose value is known. */
function showValues(i) {
	const o = i < count ? steps.o1[i] : 0, points = o ? pointsOf(o, i) : [];

	if (points.length < 2) {
		byId('values').replaceChildren();
		return;
	}
	const [box, levels] = plot(points, i), texts = [...levels.keys()].map((v) => data.texts[v]);
	byId('values').replaceChildren(el('h2', '', 'Values of ' + objectName(o)), box,
		el('p', 'dim', levels.size === 1 ? 'always ' + texts[0] : 'highest: ' + texts[texts.length - 1] + ', lowest: ' + texts[0] +
			'; \u25cf written, \u25cb read; steps ' + (points[0].step + 1) + ' to ' + (points[points.length - 1].step + 1)));
}
