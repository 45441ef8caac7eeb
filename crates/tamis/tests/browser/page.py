"""A page in Debian's chromium, driven by Playwright: what all scenarios look at.

Whatever a scenario does, at its end no error may stand on the console, nothing may have been asked of a network, and no dialog
may have come up."""

import json
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

SMALL = {"width": 1000, "height": 700}
LARGE = {"width": 1180, "height": 720}


@contextmanager
def opened(chromium, file, size=LARGE, dark=False):
    """The page, with its data."""
    troubles = []
    with sync_playwright() as playwright:
        # Root has no sandbox of the browser's; what is opened is ours.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", reduced_motion="reduce")
            page = context.new_page()
            page.on("console", lambda message: message.type in ("error", "warning") and troubles.append(message.text))
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
            page.on("request", lambda request: request.url.startswith("file:") or troubles.append(f"asks for {request.url}"))
            page.goto(f"file://{file}")
            page.wait_for_selector("#steps [role=option], #notices .notice")
            page.data = json.loads(page.locator("#data").text_content())
            yield page
        finally:
            browser.close()
    assert not troubles, troubles


def case(page):
    """The property that is shown."""
    return page.data["properties"][page.evaluate("run.properties.indexOf(now.case.property)")]


def line(page):
    """The line that is selected in the source."""
    rows = page.locator("#source .row.now")
    return int(rows.get_attribute("data-line")) if rows.count() else None


def option(page):
    """The text of what is selected on the left, and that it is what assistive technology is told of."""
    options = page.locator("#steps [role=option][aria-selected=true]")
    assert options.count() == 1, options.all_inner_texts()
    assert page.locator("#steps").get_attribute("aria-activedescendant") == options.get_attribute("id")
    return options.inner_text()


def in_view(page, selector):
    """Whether an element is in the visible part of its pane."""
    return page.evaluate(
        """(selector) => {
            const element = document.querySelector(selector);
            let box = element.getBoundingClientRect();
            for (let parent = element.parentElement; parent; parent = parent.parentElement) {
                const view = parent.getBoundingClientRect();
                const clips = getComputedStyle(parent).overflowY !== "visible";
                if (clips && (box.top + 1 < view.top || box.top + 5 > view.bottom)) return false;
            }
            return box.height > 0;
        }""",
        selector,
    )


# For each visible text, the contrast between its colour and what is behind it (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
    const channels = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    const luminance = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a));
    const behind = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            // The texts of a picture's boxes stand before the box.
            const box = at.matches("g[data-node]") && at.querySelector("rect");
            const colour = channels(box ? getComputedStyle(box).fill : getComputedStyle(at).backgroundColor);
            layers.push(colour);
            if ((colour[3] ?? 1) === 1) break;
        }
        return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim();
        const element = walker.currentNode.parentElement;
        if (!text || element.closest("script, noscript, title, .unseen, .skip, dialog:not([open])") || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        let opacity = 1;
        for (let at = element; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity;
        const below = behind(element);
        const colour = channels(element instanceof SVGElement ? style.fill : style.color);
        const shown = over([colour[0], colour[1], colour[2], (colour[3] ?? 1) * opacity], below);
        const [a, b] = [luminance(shown), luminance(below)].sort((x, y) => y - x);
        found.push([(a + 0.05) / (b + 0.05), text.slice(0, 40), element.tagName, String(element.className?.baseVal ?? element.className)]);
    }
    return found;
}"""

ROLES = """() => {
    const wrong = [];
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => wrong.push(`two elements are called ${id}`));
    for (const element of document.querySelectorAll("button, select, input, [role=listbox], [role=tab], [role=tabpanel], [role=img], [role=region]")) {
        const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
        const name = element.getAttribute("aria-label") || labels.join("") || element.textContent || element.labels?.[0]?.textContent;
        if (!name?.trim()) wrong.push(`${element.outerHTML.slice(0, 80)} has no name`);
    }
    for (const tab of document.querySelectorAll("[role=tab]")) {
        if (!document.getElementById(tab.getAttribute("aria-controls"))) wrong.push(`${tab.textContent} controls nothing`);
    }
    for (const list of document.querySelectorAll("[role=tablist]")) {
        if (list.querySelectorAll("[aria-selected=true]").length !== 1) wrong.push("a list of tabs without the chosen one");
        if (list.querySelectorAll("[tabindex='0']").length !== 1) wrong.push("a list of tabs is entered at one of them");
    }
    for (const option of document.querySelectorAll("[role=option]")) {
        if (!option.closest("[role=listbox]") || !["true", "false"].includes(option.getAttribute("aria-selected"))) wrong.push("an option of nothing");
    }
    for (const [selector, count] of [["h1", 1], ["main", 1], ["header", 1], ["html[lang]", 1], ["[role=status]", 1]]) {
        if (document.querySelectorAll(selector).length !== count) wrong.push(`${selector} is not there ${count} times`);
    }
    return wrong;
}"""


def accessible(page):
    """Roles and names, and contrast."""
    assert page.evaluate(ROLES) == []
    found = page.evaluate(CONTRAST)
    assert len(found) > 10, found
    low = [entry for entry in found if entry[0] < 4.5]
    assert not low, low


def fits(page):
    """Nothing is wider or higher than the window."""
    size = page.viewport_size
    box = page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]")
    assert box[0] <= size["width"] and box[1] <= size["height"], box
    for pane in ("#left", "#centre", "#right"):
        box = page.locator(pane).bounding_box()
        assert box["width"] >= 200 and box["height"] >= 300, (pane, box)
        assert box["x"] + box["width"] <= size["width"] + 1 and box["y"] + box["height"] <= size["height"] + 1, (pane, box)


def tab_order(page):
    """The elements that the tabulator comes to, each with a visible focus, until it leaves the page or begins again."""
    page.evaluate("document.querySelector('.skip').focus()")
    order = []
    for _ in range(80):
        page.keyboard.press("Tab")
        at = page.evaluate(
            """() => {
                const at = document.activeElement;
                if (!at || at === document.body) return null;
                const style = getComputedStyle(at);
                const visible = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                return [at.id || at.getAttribute("aria-label") || at.textContent.trim().slice(0, 20), visible];
            }"""
        )
        if at is None or (order and at[0] == order[0]):
            return order
        assert at[1], f"the focus of {at[0]} is not to be seen"
        order.append(at[0])
    raise AssertionError(f"there is no end to {order}")
