/* The report above the schedule: its parts stay together in columns, its explanation is prose, and the steps that it names are links. */

/* Appends the text to box. Every number in "step 6" and "steps 3 and 7" becomes a link, if there is such a step. */
function putLinked(box, text) {
	let at = 0;

	for (const found of text.matchAll(/\bsteps? (\d+)(?:(?:,| and| to) \d+\b)*/g))
		for (const number of found[0].matchAll(/\d+/g)) {
			const start = found.index + number.index, i = Number(number[0]) - 1;
			if (i < 0 || i >= count)
				continue;
			box.append(visible(text.slice(at, start)), stepLink(i, number[0]));
			at = start + number[0].length;
		}
	box.append(visible(text.slice(at)));
	return box;
}

/* The paragraphs of an explanation. A line that is indented further than the first one continues the paragraph before. */
function paragraphs(lines) {
	const depth = (line) => line.search(/\S/), first = Math.min(...lines.map(depth)), all = [];

	for (const line of lines)
		if (depth(line) > first && all.length)
			all[all.length - 1] += ' ' + line.trim();
		else
			all.push(line.trim());
	return all;
}

function storyPart(part) {
	const [title, ...lines] = part.split('\n');

	if (title !== 'What happened' || !lines.length)
		return putLinked(el('section'), part);
	const section = el('section', 'prose', el('b', '', title));
	for (const text of paragraphs(lines))
		section.append(putLinked(el('p'), text));
	return section;
}

function showStory() {
	const parts = byId('text').textContent.trimEnd().split(/\n\n+/);
	const [facts, explanation] = parts;
	if (explanation && explanation.startsWith('What happened\n')) /* it comes first, so that it is in sight */
		parts.splice(0, 2, explanation, facts);
	byId('text').replaceChildren(...parts.map(storyPart));
}
