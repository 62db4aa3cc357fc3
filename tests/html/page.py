"""Uses the page as a person does. page.py FOLDER: the pages are FOLDER/*.html."""
import os
import sys
import traceback

from chromium import Browser, Failed

GENEROUS = 20  # seconds; the goal is 2
cases = []


def case(f):
    cases.append(f)
    return f


def expect(what, expected, found):
    if expected != found:
        raise Failed("%s: expected %r, found %r" % (what, expected, found))


def has(text, part):
    if part not in text:
        raise Failed("%r is not in %r" % (part, text[:600]))


class Page:
    def __init__(self, browser, folder, name, fragment=""):
        self.b = browser
        self.seconds = browser.open("file://%s/%s.html%s" % (os.path.abspath(folder), name, fragment))

    def text(self, selector):
        return self.b.js("document.querySelector(%r).innerText" % selector)

    def number(self, selector):
        return self.b.js("document.querySelectorAll(%r).length" % selector)

    def step(self):
        """Returns the number of the selected step, which must be the same in the address and in the list."""
        at = self.b.js("Number(location.hash.replace('#step=', ''))")
        expect("what is active", "step-%d" % at, self.b.js("document.getElementById('timeline').getAttribute('aria-activedescendant')"))
        expect("what is selected", ["step-%d" % at], self.b.js("[...document.querySelectorAll('.row[aria-selected=true]')].map((r) => r.id)"))
        box = self.b.js("(() => { const r = document.querySelector('.row.selected').getBoundingClientRect(), t = document.getElementById('timeline').getBoundingClientRect();"
                        "return r.top >= t.top && r.bottom <= t.bottom + 2; })()")  # heights are fractions of pixels
        expect("the selected row is in sight", True, box)
        return at

    def keys(self, *keys):
        for k in keys:
            self.b.key(k, shift=len(k) == 1 and k.isupper())
        return self.step()

    def search(self, words):
        self.b.key("/")
        self.b.js("document.getElementById('search').value = ''")
        self.b.type(words)
        return self.text("#hits").split(" of ")[-1]


@case
def opens_at_the_failure(b, folder):
    p = Page(b, folder, "wakeup")
    expect("step", 11, p.step())
    expect("title", "prog-1.simul - simul", b.js("document.title"))
    has(p.text("h1"), "DEADLOCK")
    has(" ".join(p.text("#report").split()), "a lost wake-up")
    has(p.text("#event"), "waits: c->changed")
    has(p.text("#source .here"), "pthread_cond_wait(&c->changed, &c->lock);")
    has(p.text("#state"), "waits: c->changed")
    has(p.text("#same"), "step 6 T0.1 signal c->changed")


@case
def opens_at_the_failed_check(b, folder):
    p = Page(b, folder, "teardown")
    has(p.text("#source .here"), "CHECK(n == 2);")
    p.keys("x")
    has(p.text("#event"), "exit")


@case
def opens_at_the_line_of_a_failed_expect(b, folder):
    p = Page(b, folder, "gtest")
    has(p.text("#event"), "exit")
    has(p.text("#source .here"), "EXPECT_EQ(got, 42);")
    has(p.text("#source h2"), "Source of the failed check")
    has(p.text(".row.gap"), "steps of teardown folded")
    has(" ".join(p.text("#text section.prose").split()), "What happened Likely published too early: T0.1 stored box.full")
    expect("the explanation comes first", True, b.js("document.querySelector('#text').firstElementChild.className === 'prose'"))
    rows = p.text("#rows")
    if "once-" in rows or "mutex-destroy" in rows:
        raise Failed("the teardown is not folded: %r" % rows)
    has(p.text("#rows"), "load box.letter = 0")


@case
def unfolds_the_teardown(b, folder):
    p = Page(b, folder, "gtest")
    before = p.step()
    p.keys("u")
    expect("the selected step", before, p.step())
    expect("folded rows", 0, p.number(".row.gap"))
    expect("one row up", before - 1, p.keys("k"))


@case
def opens_at_a_step(b, folder):
    expect("step", 5, Page(b, folder, "wakeup", "#step=5").step())
    expect("no such step", 11, Page(b, folder, "wakeup", "#step=500").step())
    p = Page(b, folder, "wakeup", "#<script>")
    b.js("location.hash = '#step=3'")
    b.frame()
    expect("the address changes", 3, p.step())


@case
def keys_move(b, folder):
    p = Page(b, folder, "wakeup")
    expect("k", 10, p.keys("k"))
    expect("ArrowUp", 9, p.keys("ArrowUp"))
    expect("p", 4, p.keys("p"))
    has(p.text("#event"), "T0 could have continued after step 3, but T0.1 ran instead. It continues at step 9.")
    expect("n", 9, p.keys("n"))
    expect("P", 4, p.keys("P"))
    expect("t", 5, p.keys("t"))
    expect("Home", 1, p.keys("Home"))
    expect("j", 3, p.keys("j", "j"))
    expect("k at the top", 1, p.keys("k", "k", "k", "k"))
    expect("End", 11, p.keys("End"))
    p.keys("Home")
    b.key("g")
    b.type("7")
    b.key("Enter")
    expect("go to", 7, p.step())
    expect("j after it", 8, p.keys("j"))
    b.key("g")
    b.js("document.getElementById('goto').value = ''")
    b.type("99")
    b.key("Enter")
    b.key("Escape")
    expect("nowhere to go", 8, p.step())
    expect("and that is said", "a step from 1 to 10", p.text("#hits"))
    p.keys("Home")
    expect("x", 11, p.keys("x"))


@case
def help_opens_and_closes(b, folder):
    p = Page(b, folder, "wakeup")
    b.key("?")
    expect("open", True, b.js("document.getElementById('keys').open"))
    has(p.text("#keys"), "a preemption")
    b.key("j")
    b.key("Escape")
    expect("open", False, b.js("document.getElementById('keys').open"))
    expect("step", 11, p.step())


@case
def clicks_select(b, folder):
    p = Page(b, folder, "wakeup")
    b.click("#step-6")
    expect("step", 6, p.step())
    has(p.text("#event"), "signal c->changed")
    has(p.text("#state"), "c->lock (5)")
    b.click("#step-9")
    has(p.text("#order"), "unlocked it before step 7")
    b.click("#order a")
    expect("link", 7, p.step())
    has(p.text("#order"), "locked next by step 9")
    b.click("#previous")
    expect("button", 4, p.step())
    b.click("#next")
    expect("button", 9, p.step())


@case
def searches(b, folder):
    p = Page(b, folder, "wakeup")
    expect("kind", "1 hit", p.search("kind:signal"))
    b.key("Enter")
    expect("hit", 6, b.js("Number(location.hash.replace('#step=', ''))"))
    expect("marked", ["step-6"], b.js("[...document.querySelectorAll('.row.hit')].map((r) => r.id)"))
    b.key("Escape")
    expect("keys again", 7, p.keys("j"))
    expect("thread", "5 hits", p.search("thread:compute"))
    expect("function", "3 hits", p.search("function:complete"))
    expect("place", "1 hit", p.search("prog.c:29"))
    expect("object", "2 hits", p.search("object:c->changed"))
    expect("two words", "1 hit", p.search("t0.1 unlock"))
    expect("nothing", "not found", p.search("no such thing"))
    b.key("Enter")
    expect("no words", "", p.search(" "))
    p.search("lock")
    b.key("Escape")
    p.keys("Home")
    expect("next hit", 2, p.keys("."))
    expect("next hit", 3, p.keys("."))
    expect("hit before", 2, p.keys(","))


@case
def store_buffers_fill_and_drain(b, folder):
    p = Page(b, folder, "dekker")
    has(p.text("#head"), "T0.1~")
    p.keys("Home")
    p.search("kind:store t0.1 wants[0]")
    b.key("Enter")
    b.key("Escape")
    stored = p.step()
    has(p.text("#event"), "Only T0.1 sees it until it reaches memory at step ")
    has(p.text("#event"), "before 0, then 1")
    expect("in the buffer", ["wants[0] = 1 (%d)" % stored], b.js("[...document.querySelectorAll('.cell.now')].map((c) => c.innerText)"))
    update = b.js("Number(document.querySelector('#event .note:not(.preempted) a').innerText.replace('step ', ''))")
    b.click("#event .note:not(.preempted) a")
    expect("update", update, p.step())
    has(p.text("#event"), "T0.1~")
    expect("leaves the buffer", ["wants[0] = 1"], b.js("[...document.querySelectorAll('.cell.gone')].map((c) => c.innerText)"))
    p.keys("k")
    has(p.text("#buffers"), "wants[0] = 1 (%d)" % stored)
    p.keys("j", "j")
    if "wants[0] = 1 (%d)" % stored in p.text("#buffers"):
        raise Failed("the store is in the buffer still")
    if not p.number("path.edge.buffer"):
        raise Failed("there is no arrow from a store to its update")


@case
def many_agents_share_a_lane(b, folder):
    p = Page(b, folder, "pso")
    expect("lanes", ["T0", "T0.1", "T0.1~", "T0.2"], b.js("[...document.querySelectorAll('.name')].map((n) => n.firstChild.textContent)"))
    has(p.text("#head"), "agents")
    for _ in range(100): # the failing step may come after the last late store
        if "slot[" in p.text("#buffers"):
            break
        p.keys("k")
    has(p.text("#buffers"), "slot[")
    p.keys("Home", "End")


@case
def ten_thousand_steps(b, folder):
    p = Page(b, folder, "long")
    count = b.js("Number(document.querySelector('#event h2').innerText.replace(/.* of /, ''))")
    if count < 10000:
        raise Failed("only %d steps" % count)
    times = {"open": p.seconds}
    for name, key in (("first step", "Home"), ("last step", "End"), ("switch", "p"), ("page", "PageDown")):
        times[name] = b.js("performance.now()")
        p.keys(key)
        times[name] = (b.js("performance.now()") - times[name]) / 1000
    times["search"] = b.js("performance.now()")
    hits = p.search("post t0.3")
    times["search"] = (b.js("performance.now()") - times["search"]) / 1000
    has(hits, "420 hits")
    b.key("Escape")
    p.keys("Home", "j", "j")
    b.js("document.getElementById('timeline').scrollTop = 100000")
    b.frame()
    if not 10 < p.number(".row") < 200:
        raise Failed("%d rows are elements of the page" % p.number(".row"))
    if not p.number("path.edge"):
        raise Failed("no arrow is in sight")
    p.keys("End", "f")
    expect("folded", "true", b.js("document.getElementById('fold').getAttribute('aria-pressed')"))
    expect("the failure stays", count, p.step())
    p.keys("f")
    print("    %d steps, in seconds: %s" % (count, ", ".join("%s %.2f" % t for t in times.items())))
    if max(times.values()) > GENEROUS:
        raise Failed("slow")


@case
def folds(b, folder):
    p = Page(b, folder, "long")
    last = p.step()
    rows = "parseInt(document.getElementById('body').style.height)"
    before = b.js(rows)
    p.keys("f")
    if not b.js(rows) < before:
        raise Failed("nothing was folded")
    far = last - 300  # from the failure, and from the switch before it
    b.key("g")
    b.type(str(far))
    b.key("Enter")
    expect("a folded step is unfolded to be seen", far, p.step())


@case
def filters(b, folder):
    p = Page(b, folder, "wakeup")
    rows = "[...document.querySelectorAll('.row:not(.gap)')].map((r) => r.id.replace('step-', '')).join(' ')"
    choose = "(() => { const s = document.getElementById('only-%s'); s.value = [...s.options].find((o) => o.text.startsWith('%s')).value; s.dispatchEvent(new Event('change')); return 1; })()"
    b.js(choose % ("thread", "T0.1"))
    b.frame()
    expect("steps of T0.1, and the failure", "4 5 6 7 8 11", b.js(rows))
    b.js(choose % ("object", "c->lock"))
    b.frame()
    expect("of these, those on c->lock", "5 7 11", b.js(rows))
    p.keys("k")
    expect("k skips what is folded", 7, p.step())
    p.keys("a")
    expect("all again", "1 2 3 4 5 6 7 8 9 10 11", b.js(rows))
    expect("the fields say so", "-1 0", b.js("document.getElementById('only-thread').value + ' ' + document.getElementById('only-object').value"))
    b.js(choose % ("object", "c->changed"))
    b.frame()
    expect("the selected step is one that stays", 6, p.step())
    expect("steps on c->changed", "6 10 11", b.js(rows))
    p.keys("a")
    b.click(".name:nth-child(2)")
    b.frame()
    expect("a click on a thread's name", "4 5 6 7 8 11", b.js(rows))
    b.click(".name:nth-child(2)")
    b.frame()
    expect("and another one", "1 2 3 4 5 6 7 8 9 10 11", b.js(rows))


@case
def draws_the_values_of_a_variable(b, folder):
    p = Page(b, folder, "aba")
    p.search("thread:t0.1 cas")
    b.key("Enter")
    b.key("Escape")
    here = p.step()
    has(p.text("#values"), "Values of top")
    has(p.text("#values"), "highest: &buffers[2], lowest: &buffers[0]")
    label = b.js("document.querySelector('#values svg').getAttribute('aria-label')")
    has(label, "&buffers[1] by T0.1 in step %d" % here)
    has(label, "&buffers[0] by T0.2 in step %d" % (here - 1))
    expect("the selected step is marked", 1, p.number("#values .chosen"))
    accesses = b.js("steps = JSON.parse(document.getElementById('data').textContent).steps, steps.o1.filter((o, i) => o === steps.o1[%d - 1]).length" % here)
    expect("a point for each access", accesses, p.number("#values circle"))
    b.js("document.querySelector('#values circle').dispatchEvent(new MouseEvent('click')), 1")
    b.frame()
    expect("a click selects the first access", 4, p.step())
    p.keys("Home")
    expect("a step without a value has none", "", p.text("#values"))
    dekker = Page(b, folder, "dekker")
    dekker.search("kind:store t0.1 wants[0]")
    b.key("Enter")
    b.key("Escape")
    if "in step %d" % dekker.step() in b.js("document.querySelector('#values svg').getAttribute('aria-label')"):
        raise Failed("a store in a buffer has changed memory")


@case
def zooms(b, folder):
    p = Page(b, folder, "long")
    at, height = p.step(), "document.querySelector('.row.selected').getBoundingClientRect().height"
    expect("a line", 22, b.js(height))
    p.keys("-", "-", "-")
    expect("the smallest line", 7, b.js(height))
    expect("no smaller one", True, b.js("document.getElementById('zoom-out').disabled"))
    expect("many lines are in sight", True, p.number("#rows .row") > 40)
    expect("no letters there", "rgba(0, 0, 0, 0)", b.js("getComputedStyle(document.querySelector('.row .what')).color"))
    p.keys("+", "+", "+", "+")
    expect("the largest line", 30, b.js(height))
    expect("step", at, p.step())


@case
def explanation_names_steps(b, folder):
    p = Page(b, folder, "wakeup")
    has(" ".join(p.text(".prose").split()), "did the last signal of c->changed (prog.c:29, step 6); T0 began to wait after that")
    expect("links", ["6", "10"], b.js("[...new Set([...document.querySelectorAll('.prose a')].map((a) => a.innerText))].slice(0, 2)"))
    b.click(".prose a")
    expect("a link of the explanation", 6, p.step())
    expect("lines of the stacks stay lines", True, "#0 await" in p.text("#text") and not b.js("document.querySelector('.prose').innerText.includes('#0')"))


@case
def markup_stays_text(b, folder):
    p = Page(b, folder, "hostile")
    for key in ("Home", "j", "j", "j", "j", "?", "Escape", "End"):
        b.key(key)
    expect("title", "prog-1.simul - simul", b.js("document.title"))
    expect("images", 0, p.number("img"))
    expect("scripts", 2, p.number("script"))
    has(p.text("#report"), "</pre></script><script>document.title='owned'</script><!-- \"quotes\" & &lt; \\u003c")
    has(p.text("#report"), "{{{DATA}}} {{{REPORT}}}")
    has(p.text("#head"), "</script>")
    has(p.text("#source"), "<img src=x onerror=")
    has(p.text("#rows"), "<script>")
    p.search("thread:onerror=")
    b.key("Enter")
    has(p.text("#event"), "document.title='owned'")
    if any(ord(c) < 32 and c not in "\n\t" or c == "\u202e" for c in p.text("#main")):
        raise Failed("a control character is in the page's text")


@case
def no_other_program_runs(b, folder):
    Page(b, folder, "wakeup")
    b.js("(() => { const s = document.createElement('script'); s.textContent = 'window.owned = 1'; document.body.append(s);"
         "const d = document.createElement('div'); d.innerHTML = '<img src=x onerror=\"window.owned = 1\">'; document.body.append(d); })()")
    b.frame()
    expect("a script that was put in", None, b.js("window.owned"))
    expect("a request", "refused", b.js("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')"))
    said = " ".join(b.complaints()[0])
    has(said, "Content Security Policy")
    b.events = []


@case
def source_is_gone(b, folder):
    p = Page(b, folder, "gone")
    has(p.text("#source"), "could not be read when this page was made: No such file or directory")
    expect("lines", 0, p.number("#source .code"))
    has(p.text("#source"), "prog.c:39")


@case
def program_is_another_one(b, folder):
    p = Page(b, folder, "rebuilt")
    has(p.text("#source .note"), "rebuilt since it was recorded")
    has(p.text("#source .here"), "pthread_cond_wait")


@case
def fits_windows(b, folder):
    for width, height in ((360, 640), (800, 600), (1400, 900), (2400, 1200)):
        b.size(width, height)
        for name in ("dekker", "long"):
            p = Page(b, folder, name)
            expect("%d wide" % width, True, b.js("document.documentElement.scrollWidth <= innerWidth"))
            p.keys("k", "k")
            expect("the row is tall enough to see", True, b.js("document.getElementById('timeline').clientHeight > 100"))
    b.size(1400, 900)


@case
def scrolls_where_it_is_small(b, folder):
    """At twice the size, or on a telephone, the page scrolls, and the selected step is shown in full below the schedule."""
    for width, height in ((700, 450), (320, 640)):
        b.size(width, height)
        Page(b, folder, "wakeup")
        expect("what is cut off of the panel", 0, b.js("(() => { const p = document.getElementById('panel'); return p.scrollHeight - p.clientHeight; })()"))
        expect("the page is as long as it must be", True, b.js("document.documentElement.scrollHeight > innerHeight"))
    b.size(1400, 900)


@case
def prints(b, folder):
    for name, rows in (("wakeup", 11), ("long", 400)):
        p = Page(b, folder, name)
        at = p.step()
        b.js("dispatchEvent(new Event('beforeprint')), 1")
        b.call("Emulation.setEmulatedMedia", media="print")
        b.frame()
        expect("rows on paper", rows, p.number("#rows .row"))
        expect("the last one is above the panel", True, b.js("document.querySelector('#rows .row:last-child').getBoundingClientRect().bottom <= "
                                                             "document.getElementById('panel').getBoundingClientRect().top + 1"))
        b.call("Emulation.setEmulatedMedia", media="")
        b.js("dispatchEvent(new Event('afterprint')), 1")
        b.frame()
        expect("rows afterwards are those in sight", True, p.number("#rows .row") < 100)
        expect("step", at, p.step())


@case
def works_with_the_keyboard_alone(b, folder):
    p = Page(b, folder, "wakeup")
    names = []
    b.js("document.getElementById('search').focus()")
    for _ in range(12):
        b.key("Tab")
        names.append(b.js("document.activeElement.id"))
        expect("the focus of %s is seen" % names[-1], "2px", b.js("getComputedStyle(document.activeElement).outlineWidth"))
    expect("in order", ["goto", "previous", "next", "previous-preemption", "next-preemption", "failure", "fold", "only-thread", "only-object", "zoom-out",
                        "zoom-in", "help"], names)
    expect("from a button the letters work too", 9, p.keys("k", "k"))
    has(b.js("document.getElementById('said').textContent"), "step 9, T0: ")
    b.js("document.getElementById('everywhere').checked = false")
    expect("letters are for the schedule now", 9, p.keys("k"))
    b.js("document.getElementById('timeline').focus()")
    expect("where they work", 8, p.keys("k"))
    p = Page(b, folder, "long")
    height = "parseInt(document.getElementById('body').style.height)"
    p.keys("f", "P")
    folded = b.js(height)
    expect("something is folded there", True, p.number(".row.gap") > 0)
    p.keys("u")
    expect("u unfolds", True, b.js(height) > folded)


CONTRAST = """(() => {
	const style = getComputedStyle(document.documentElement);
	const light = (name) => {
		const c = style.getPropertyValue(name).trim().slice(1), full = c.length === 3 ? [...c].map((x) => x + x).join('') : c;
		const [r, g, b] = [0, 2, 4].map((i) => parseInt(full.slice(i, i + 2), 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const bad = [];
	for (const back of ['--back', '--panel', '--selected'])
		for (const text of ['--text', '--dim', '--bad', '--link', '--preempted', '--t0', '--t1', '--t2', '--t3', '--t4', '--t5', '--t6', '--t7']) {
			const [a, b] = [light(back), light(text)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
			if (ratio < 4.5)
				bad.push(text + ' on ' + back + ': ' + ratio.toFixed(2));
		}
	for (const back of ['--back', '--panel']) {
		const [a, b] = [light(back), light('--edge')].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < 3)
			bad.push('--edge on ' + back);
	}
	return bad;
})()"""


@case
def can_be_read_in_light_and_dark(b, folder):
    for dark in (False, True):
        b.size(1400, 900, dark)
        Page(b, folder, "dekker")
        expect("poor contrast", [], b.js(CONTRAST))
    b.size(1400, 900)


@case
def is_told_to_screen_readers(b, folder):
    p = Page(b, folder, "wakeup")
    p.keys("Home", "j", "j", "j")
    expect("label", "step 4, T0.1: start, preemption, essential", b.js("document.getElementById('step-4').getAttribute('aria-label')"))
    expect("focus", "timeline", b.js("document.activeElement.id"))
    unnamed = b.js("[...document.querySelectorAll('input, button, [tabindex]')].filter((e) => !(e.labels && e.labels.length || e.innerText.trim() || e.ariaLabel)).map((e) => e.outerHTML)")
    expect("nameless", [], unnamed)
    tree = b.call("Accessibility.getFullAXTree")["nodes"]
    names = {(n.get("role", {}).get("value"), n.get("name", {}).get("value")) for n in tree}
    for wanted in (("listbox", "Steps, in execution order"), ("complementary", "The selected step"),
                   ("option", "step 5, T0.1: lock c->lock at prog.c:26")):
        if wanted not in names:
            raise Failed("%r is not in the accessibility tree" % (wanted,))


def main():
    folder, only, failed = sys.argv[1], sys.argv[2:], 0
    browser = Browser()
    try:
        browser.size(1400, 900)
        for f in cases:
            if only and f.__name__ not in only:
                continue
            name = "html: " + f.__name__
            try:
                f(browser, folder)
                said, asked = browser.complaints()
                expect("complaints of the browser", [], said)
                others = [u for u in asked if not u.startswith("file://" + os.path.abspath(folder)) and u != "about:blank" and not u.startswith("http://127.0.0.1:9/")]
                expect("requests", [], others)
                print("ok", name, flush=True)
            except Failed as e:
                failed += 1
                print("FAIL", name)
                print("    " + str(e).replace("\n", "\n    "), flush=True)
                try:
                    browser.screenshot(os.path.join(folder, f.__name__ + ".png"))
                except Failed:
                    pass
    except Failed:
        traceback.print_exc()
        print("FAIL html: the browser")
    finally:
        browser.close()


main()
