"""Scenarios of looking at a page: usage: scenarios.py NAME PAGE CHROMIUM [SCREENSHOT]"""

import sys

from page import LARGE, SMALL, accessible, case, fits, in_view, line, opened, option, tab_order


def bug(page):
    """A counterexample is walked by keys, and what is selected in one pane is seen in the others."""
    told = case(page)["counterexample"]["steps"]
    last = len(told) - 1
    assert page.locator("#verdict").inner_text() == "✕ false(unreach-call)"
    assert page.locator("#notices").inner_text().startswith("Violated")
    # At first the violation is shown.
    assert line(page) == told[last]["line"] and "VIOLATION" in option(page)
    assert "VIOLATION" in page.locator("#source .row.now .value.violation").inner_text()
    assert page.locator(f"#source .row[data-line='{told[last]['line']}'] .check.violated").count() == 1
    # The first step, and from there on down to the fold.
    page.keyboard.press("Home")
    fold = page.data["report"]["properties"][0]["folds"][0]
    for step in range(fold["start"]):
        assert line(page) == told[step]["line"], step
        assert option(page).startswith(str(told[step]["line"])) and in_view(page, "#source .row.now")
        assert page.locator("#automaton .now").count() > 0, f"step {step} is not in the automaton"
        page.keyboard.press("ArrowDown")
    assert "more times" in option(page)
    # Closed, a fold is one entry; open, it has all of its steps.
    count = page.locator("#steps [role=option]").count
    closed = count()
    page.keyboard.press("ArrowDown")
    assert line(page) == told[fold["start"] + fold["count"]]["line"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert count() == closed + fold["count"]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("now.step") == fold["start"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    assert count() == closed
    # j and k are the same as the arrows; the same line, next time and last time.
    page.keyboard.press("Home")
    page.keyboard.press("j")
    assert page.evaluate("now.step") == 1
    page.keyboard.press("k")
    assert page.evaluate("now.step") == 0
    again = next(i for i, step in enumerate(told) if sum(other["line"] == step["line"] for other in told) > 2)
    page.evaluate("(step) => select({ step })", again)
    page.keyboard.press(".")
    assert page.evaluate("now.step") > again and line(page) == told[again]["line"]
    page.keyboard.press(",")
    assert page.evaluate("now.step") == again
    # A line of the source is clicked: a step there is chosen on the left, and the automaton shows it.
    target = next(step for step in told if any("call" in note for note in step["does"]))
    page.locator(f"#source .row[data-line='{target['line']}'] .code").click()
    assert option(page).startswith(str(target["line"])) and page.locator("#automaton .now").count() > 0
    # A step is clicked.
    page.locator("#steps [role=option]").first.click()
    assert page.evaluate("now.step") == 0 and line(page) == told[0]["line"]
    # An arrow is clicked: a step in its lines is chosen.
    arrow = page.evaluate("now.case.part.automaton.path[1]")
    page.locator(f"#automaton g[data-arrow='{arrow}']").first.dispatch_event("click")
    lines = page.data["report"]["properties"][0]["automaton"]["arrows"][arrow]
    assert any(part["first"] <= line(page) <= part["last"] for part in lines), (line(page), lines)
    assert page.evaluate("automaton.way[now.step]") == arrow
    # Values: what the last step has set is marked as new.
    page.keyboard.press("Escape")
    step = next(i for i, step in enumerate(told) if any("assign" in note for note in step["does"]))
    page.evaluate("(step) => select({ step })", step)
    name = next(note["assign"]["object"] for note in told[step]["does"] if "assign" in note)
    assert any(text.startswith(name) for text in page.locator("#values .new").all_inner_texts())
    page.keyboard.press("v")
    assert page.evaluate("now.step") == last
    # What is said to assistive technology.
    assert f"step {last + 1} of {last + 1}" in page.locator("#said").inner_text()
    # Evidence, with commands.
    page.keyboard.press("3")
    assert "tamis run" in page.locator("#evidence").inner_text()
    page.locator("#evidence .copyable button").first.click()
    page.locator("#evidence .copyable button", has_text="Copied").wait_for()
    assert page.locator("#evidence .hash").first.inner_text().startswith("sha256 ")
    page.keyboard.press("1")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()


def proof(page):
    """Invariants stand beside their loops; iterations are gone through."""
    facts = case(page)["invariants"]
    assert page.locator("#verdict").inner_text() == "✓ proved"
    fact = facts[0]
    shown = page.locator("#source .annotation .fact").all_inner_texts()
    assert fact["invariant"].split(" && ")[0] in " ".join(shown), shown
    row = page.evaluate("(line) => source.rows.findIndex((row) => row.line === line)", fact["line"])
    before = page.evaluate("(row) => source.rows[row - 1].fact", row)
    assert before, "the line before a loop is its invariant"
    # Each check is marked as proved.
    for check in page.data["report"]["properties"][0]["checks"]:
        assert page.locator(f"#source .row[data-line='{check['line']}'] .check.proved").count() == 1
    # Functions that nothing calls.
    for spot in page.data["report"]["properties"][0]["uncalled"]:
        assert page.locator(f"#source .row[data-line='{spot['line']}'] .reach.never").count() == 1
    assert page.locator(f"#source .row[data-line='{fact['line']}'] .reach.reached").count() == 1
    # The loop is chosen on the left: it is shown in the source and in the automaton.
    page.keyboard.press("Home")
    assert line(page) == fact["line"] and page.locator("#automaton g[data-node].now").count() >= 1
    # The film: by keys, by the slider's own keys, and back.
    frames = page.data["report"]["properties"][0]["film"]["frames"]
    assert len(frames) >= 2
    page.keyboard.press("[")
    assert page.locator("#film").is_visible()
    for _ in frames:
        page.keyboard.press("[")
    assert "Iteration 1 " in page.locator("#film").inner_text().replace("\n", " ")
    assert "Why it is spurious" in page.locator("#film").inner_text()
    page.locator("#frame").focus()
    gained = next(i for i, frame in enumerate(frames) if frame["gained"])
    for _ in range(gained):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("now.frame") == gained
    text = page.locator("#film").inner_text()
    for predicate in frames[gained]["gained"][0]["predicates"]:
        assert predicate in text
        assert predicate in page.locator("#source .fact.predicate").all_inner_texts()
    page.locator("#film .place").first.click()
    assert line(page) == frames[gained]["gained"][0]["at"]["line"]
    # The conditions of the proof, and the commands.
    page.keyboard.press("3")
    page.locator("#evidence details summary").first.click()
    assert "certify" in page.locator("#evidence").inner_text()
    for key in "[]":
        page.keyboard.press(key)
    assert page.locator("#film").is_visible()
    page.evaluate("document.activeElement.blur()")


def unknown(page):
    """What stopped it and what to try is seen at once."""
    notice = page.locator("#notices .notice").first
    assert notice.is_visible() and case(page)["reason"] in notice.inner_text()
    for advice in case(page)["advice"]:
        assert advice.strip() in notice.inner_text()
    assert page.locator("#verdict").inner_text() == "? unknown"
    assert page.locator("#source .check.open").count() >= 1
    page.keyboard.press("2")
    assert page.locator("#film").is_visible()
    page.keyboard.press("1")


def several(page):
    """Each property, and each check that has a counterexample, can be chosen."""
    choice = page.locator("#case")
    titles = choice.locator("option").all_inner_texts()
    assert len(titles) >= 2 and any(title.startswith("✕") for title in titles), titles
    # The worst is shown first.
    assert page.locator("#verdict").inner_text().startswith("✕")
    for i, title in enumerate(titles):
        choice.select_option(str(i))
        sign = page.locator("#verdict").inner_text()[0]
        assert title.startswith(sign), (title, sign)
    violated = next(i for i, title in enumerate(titles) if title.startswith("✕"))
    choice.select_option(str(violated))


def violated_design(page):
    """A waveform, cycle by cycle, with its signals in their modules."""
    told = case(page)["counterexample"]
    last = len(told["cycles"]) - 1
    assert page.locator("#waves").is_visible() and not page.locator("#source").is_visible()
    names = [word["name"] for word in told["words"]]
    assert page.locator("#waves .wave .drawing").count() == len(names)
    values = lambda: [text for text in page.locator("#waves .signal .now").all_inner_texts()]
    order = page.evaluate("waves.rows.filter((row) => row.value).map((row) => row.line.word)")
    expected = lambda cycle: [told["cycles"][cycle][word] for word in order]
    assert page.evaluate("now.cycle") == last and values() == expected(last)
    page.keyboard.press("Home")
    assert page.evaluate("now.cycle") == 0 and values() == expected(0)
    page.keyboard.press("ArrowDown")
    assert values() == expected(1) and option(page).startswith("1")
    assert page.locator("#waves .cycles [aria-pressed=true]").inner_text() == "1"
    # A cycle is clicked in the drawing.
    box = page.locator("#waves .drawing").first.bounding_box()
    page.mouse.click(box["x"] + page.evaluate("waves.width") * 2.5, box["y"] + 10)
    assert page.evaluate("now.cycle") == 2 and option(page).startswith("2")
    # A module is folded.
    groups = page.locator("#waves .group")
    assert groups.count() >= 1, "there are modules"
    groups.first.click()
    assert page.locator("#waves .wave .drawing").count() < len(names)
    page.locator("#waves .group").first.click()
    # The source of the design is behind another tab.
    page.locator("#files [role=tab]").nth(1).click()
    assert page.locator("#source").is_visible()
    page.locator("#files [role=tab]").first.click()
    page.keyboard.press("v")
    assert page.evaluate("now.cycle") == last


def proved_design(page):
    """What holds in every cycle."""
    assert page.locator("#verdict").inner_text() == "✓ proved"
    assert page.locator("#source").is_visible()
    facts = case(page).get("invariants") or []
    text = page.locator("#steps").inner_text()
    for fact in facts:
        assert fact["invariant"] in text


def rule(page):
    """A rule is violated: what it says, and where."""
    assert page.locator("#verdict").inner_text().startswith("✕ false(")
    told = case(page)["counterexample"]["steps"]
    assert line(page) == told[-1]["line"]
    page.keyboard.press("Home")
    assert line(page) == told[0]["line"]


def hostile(page):
    """No text of the input has become an element or a script."""
    tags = page.evaluate("[...new Set([...document.querySelectorAll('*')].map((e) => e.localName))]")
    assert not {"img", "iframe", "object", "embed", "link", "base", "video", "b-hostile"} & set(tags), tags
    assert page.locator("script").count() == 2
    assert page.evaluate("window.hacked") is None
    handlers = page.evaluate("[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames().filter((n) => n.startsWith('on')))")
    assert handlers == []
    # The texts are all there, as texts.
    assert "<script>" in page.locator("#source").inner_text()
    for key in "jkv23":
        page.keyboard.press(key)
    page.keyboard.press("1")
    assert page.evaluate("window.hacked") is None


def fenced(page):
    """Even markup in the page would run nothing: the policy holds."""
    refused = page.evaluate(
        """async () => {
            const refused = [];
            document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hacked=1'><a href='javascript:window.hacked=2'>x</a>");
            const script = document.createElement("script");
            script.textContent = "window.hacked=3";
            document.body.append(script);
            document.querySelector("body > a:last-of-type").click();
            await new Promise((done) => setTimeout(done, 300));
            return [window.hacked ?? null, refused];
        }"""
    )
    assert refused[0] is None, refused
    assert {"script-src-attr", "script-src-elem", "img-src"} <= set(refused[1]), refused


def large(page):
    """A program of 20,000 lines is there within a second, and its elements are few."""
    times = []
    for _ in range(3):
        page.reload()
        times.append(page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"))
    assert min(times) < 1000, times
    assert len(page.evaluate("sources.get(now.file).lines")) >= 20_000
    assert page.evaluate("document.querySelectorAll('*').length") < 6000
    # Lines far away are there when one goes to them.
    page.evaluate("selectLine(now.file, 19000)")
    assert line(page) == 19000 and in_view(page, "#source .row.now")
    page.locator("#source").focus()
    page.keyboard.press("Control+End")
    page.locator("#source .row[data-line='20000']").wait_for()
    page.evaluate("select({ step: 0 })")
    assert in_view(page, "#source .row.now")
    print(f"opened in {min(times):.0f} ms")


def main():
    name, file, chromium, *screenshot = sys.argv[1:]
    act = globals()[name]
    if name == "fenced":
        # What the policy refuses is told on the console, as it should be.
        try:
            with opened(chromium, file) as page:
                act(page)
        except AssertionError as error:
            told = error.args[0]
            assert isinstance(told, list) and all(isinstance(each, str) and "Content Security Policy" in each for each in told), told
        return
    with opened(chromium, file) as page:
        act(page)
        accessible(page)
        if screenshot:
            page.screenshot(path=screenshot[0])
    if name == "large":
        return
    with opened(chromium, file, SMALL, dark=True) as page:
        fits(page)
        accessible(page)
        for key in "231":
            page.keyboard.press(key)
            accessible(page)
            fits(page)
        order = tab_order(page)
        assert "steps" in order and "keys" in order and order.index("keys") < order.index("steps"), order
        centre = "source" if "source" in order else "waves"
        assert order.index("steps") < order.index(centre) < order.index("tab-automaton") < order.index("automaton"), order
        assert ("0", "rgb(251, 251, 249)") != page.evaluate("['0', getComputedStyle(document.body).backgroundColor]")


main()
