/* Draws over the lanes: bars where a thread runs or waits, a sign for each step, and arrows between steps. */
const arrowsBox = byId('arrows');

/* Consecutive steps of one thread make one bar. */
function putRun(into, i, k, classes) {
	const x = laneX(rowLane(i));
	into.append(svg('line', { class: classes, x1: x, x2: x, y1: stepY(i), y2: stepY(k) }));
}

/* Draws the visible part: each lane as a thin line from its first to its last step, bars where it runs, dots where it waits. */
function putLanes(group, steps_, top, bottom) {
	lanes.forEach((lane, l) => {
		const span = laneSpan[l];
		if (!span || stepY(span[1]) < top || stepY(span[0]) > bottom)
			return;
		group.append(svg('line', { class: 'lane', x1: laneX(l), x2: laneX(l), y1: Math.max(top, stepY(span[0])), y2: Math.min(bottom, stepY(span[1])) }));
	});
	for (const i of steps_) {
		if (i >= count) {
			const t = stuck[i - count], last = lastStepOf[t];
			if (last >= 0)
				putRun(group, last, i, 'wait ' + colour(t));
			continue;
		}
		if (i && steps.agent[i - 1] === steps.agent[i])
			putRun(group, i - 1, i, 'run ' + colour(threadOf(i)));
		if (before[i] >= 0 && steps.flags[i] & WAITED)
			putRun(group, before[i], i, 'wait ' + colour(threadOf(i)));
	}
}

function findSpans() {
	const spans = new Array(lanes.length).fill(null), last = new Array(data.threads).fill(-1);

	for (let i = 0; i < total; i++) {
		const l = rowLane(i);
		spans[l] = spans[l] ? [spans[l][0], i] : [i, i];
		if (i < count && !(steps.flags[i] & UPDATE))
			last[threadOf(i)] = i;
	}
	return { spans, last };
}

const { spans: laneSpan, last: lastStepOf } = findSpans();

function putNode(group, i) {
	const x = laneX(rowLane(i)), y = stepY(i), flags = i < count ? steps.flags[i] : FAILURE, r = i === view.chosen ? 6 : 4.5;
	const classes = 'node ' + colour(rowThread(i)) + (flags & FAILURE ? ' bad' : '') + (flags & (BUFFERED | FAILED) ? ' hollow' : '') +
		(i === view.chosen ? ' chosen' : '');

	if (flags & UPDATE)
		group.append(svg('rect', { class: classes, x: x - r, y: y - r, width: 2 * r, height: 2 * r }));
	else
		group.append(svg('circle', { class: classes, cx: x, cy: y, r }));
}

function putEdge(group, k, strong) {
	const a = edges.from[k], b = edges.to[k], kind = whys[whyOf(k)][0];
	const x1 = laneX(rowLane(a)), y1 = stepY(a), x2 = laneX(rowLane(b)), y2 = stepY(b);
	const side = x2 >= x1 ? 1 : -1, far = x2 - 7 * side;
	const d = x1 === x2 ? `M${x1} ${y1}C${x1 + 14} ${y1} ${x2 + 14} ${y2} ${x2 + 5} ${y2}` :
		y2 - y1 < 3 * ROW ? `M${x1} ${y1}L${far} ${y2}` :
			`M${x1} ${y1}C${x1} ${y1 + ROW * 1.5} ${x2 - side * Math.min(view.gap * 0.6, 30)} ${y2 - ROW * 1.5} ${far} ${y2}`;

	group.append(svg('path', { class: 'edge ' + kind + (strong ? ' strong' : ''), d }));
	const tip = x1 === x2 ? `${x2 + 5},${y2} ${x2 + 11},${y2 - 4} ${x2 + 11},${y2 + 4}` :
		`${x2 - 4 * side},${y2} ${x2 - 11 * side},${y2 - 4} ${x2 - 11 * side},${y2 + 4}`;
	group.append(svg('polygon', { class: 'tip ' + kind, points: tip }));
}

/* Draws the arrows that begin or end in rows first to last. Those of the selected step are on top. */
function drawArrows(first, last) {
	const top = Math.max(0, first * ROW), bottom = (last + 1) * ROW, group = svg('g', {}), strong = svg('g', {}), seen = new Set();
	const inSight = [];

	for (let r = first; r <= last; r++)
		if (!Array.isArray(view.rows[r]))
			inSight.push(view.rows[r]);
	putLanes(group, inSight, top, bottom);
	for (const i of inSight) {
		if (i >= count)
			continue;
		for (const k of edgesInto(i).concat(edgesOut(i))) {
			if (seen.has(k))
				continue;
			seen.add(k);
			if (edges.from[k] !== view.chosen && edges.to[k] !== view.chosen)
				putEdge(group, k, false);
		}
	}
	if (view.chosen >= 0 && view.chosen < count)
		for (const k of edgesInto(view.chosen).concat(edgesOut(view.chosen)))
			putEdge(strong, k, true);
	const nodes = svg('g', {});
	for (const i of inSight)
		putNode(nodes, i);
	arrowsBox.style.top = (view.printing ? 0 : top) + 'px';
	arrowsBox.style.left = '0';
	arrowsBox.setAttribute('width', view.left + view.lanesWidth + 12);
	arrowsBox.setAttribute('height', Math.max(0, bottom - top));
	arrowsBox.setAttribute('viewBox', `0 ${top} ${view.left + view.lanesWidth + 12} ${Math.max(1, bottom - top)}`);
	arrowsBox.replaceChildren(group, strong, nodes);
}
