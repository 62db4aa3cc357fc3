/* The whole schedule as a strip at the right: running threads, preemptions, hits, the failure, and the visible part. A click scrolls there. */
const map = byId('map');

function drawMap() {
	const ratio = window.devicePixelRatio || 1, width = map.clientWidth, height = map.clientHeight, pen = map.getContext('2d');
	const style = getComputedStyle(document.documentElement), colourOf = (name) => style.getPropertyValue('--' + name);
	const y = (i) => i / total * height;

	if (!width || !height)
		return;
	map.width = width * ratio;
	map.height = height * ratio;
	pen.scale(ratio, ratio);
	const threads = Array.from({ length: 8 }, (_, i) => colourOf('t' + i)), tall = Math.max(1, height / total);
	/* no more strokes than pixels */
	const stride = Math.max(1, Math.floor(total / (height * 2)));
	for (let i = 0; i < total; i += stride) {
		pen.fillStyle = threads[rowThread(i) % 8];
		pen.fillRect(6, y(i), 7, tall);
	}
	pen.fillStyle = colourOf('preempted');
	for (let i = 0; i < count; i++)
		if (steps.switch[i] === 2)
			pen.fillRect(0, y(i), 5, 1.5);
	pen.fillStyle = colourOf('bad');
	for (let i = 0; i < total; i++)
		if (isFailure(i))
			pen.fillRect(0, Math.min(y(i), height - 3), width, 3);
	pen.fillStyle = colourOf('wake');
	for (const i of view.hits || [])
		pen.fillRect(15, y(i), 5, 2);
	const scale = height / Math.max(1, view.rows.length * ROW);
	pen.strokeStyle = colourOf('link');
	pen.lineWidth = 1.5;
	pen.strokeRect(0.75, timeline.scrollTop * scale, width - 1.5, Math.max(6, (timeline.clientHeight - headBox.offsetHeight) * scale));
	if (view.chosen >= 0) {
		pen.fillStyle = colourOf('text');
		pen.fillRect(0, y(view.chosen), width, 1.5);
	}
}

function mapTo(event) {
	const row = Math.floor(event.offsetY / map.clientHeight * view.rows.length), at = view.rows[Math.max(0, Math.min(view.rows.length - 1, row))];
	choose(Array.isArray(at) ? at[0] : at);
}
map.addEventListener('pointerdown', mapTo);
map.addEventListener('pointermove', (event) => { if (event.buttons & 1) mapTo(event); });
