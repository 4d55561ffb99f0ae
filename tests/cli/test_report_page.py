"""What a browser makes of the page that ulisse report writes."""

import json
import re
import shutil

import pytest

from conftest import Ulisse
from reporting import FIT, data_of, fit, fitted, report, small_table, without  # noqa: F401


@pytest.fixture(scope="module")
def browser():
    """A Chromium without a window that keeps what it logs and requests."""
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    driver = shutil.which("chromedriver")
    if driver is None or shutil.which("chromium") is None:
        pytest.skip("there is no chromium with its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chromium = webdriver.Chrome(service=Service(driver), options=options)
    yield chromium
    chromium.quit()


def requests_of(browser):
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def open_page(browser, page):
    """Opens it, waits until everything is drawn, and sees that it needed nothing else."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(page.as_uri())
    WebDriverWait(browser, 60).until(lambda b: b.execute_script("return window.ulisseReport && ulisseReport.ready"))
    assert browser.get_log("browser") == []
    elsewhere = [url for url in requests_of(browser) if not url.startswith(("file://", "data:"))]
    assert elsewhere == []
    return browser.execute_script("return {plots: ulisseReport.plots, drawn: ulisseReport.drawn, seconds: ulisseReport.seconds}")


def blank_plots(browser):
    """Titles of plots whose canvas has one colour only."""
    return browser.execute_script("""
        return ulisseReport.charts.filter(({figure}) => {
          const canvas = figure.querySelector("canvas");
          const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
          return pixels.every((value) => value === pixels[0]);
        }).map(({title}) => title);""")


def test_every_plot_is_drawn(browser, fitted, tmp_path):
    page = report(fitted / "fit", tmp_path / "r.html", "--predictions", fitted / "predictions.csv")
    found = open_page(browser, page)
    # Six kinds for each of three parameters, with three pairs; four of predictions.
    assert found["plots"] == found["drawn"] == 22
    assert blank_plots(browser) == []
    assert browser.find_element("tag name", "h1").text == "y of table.csv"
    names = browser.execute_script("return [...document.querySelectorAll('canvas')].map((c) => c.getAttribute('aria-label'))")
    assert all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("sampler", ["nuts", "sgld", "ulisse"])
def test_samplers_have_their_own_plots(browser, tmp_path, sampler):
    folder = fit(small_table(tmp_path / "t.csv"), tmp_path / "fit", "--sampler", sampler, "--warmup", "60", "--draws", "60",
                 *(["--step", "1.5"] if sampler == "ulisse" else []))
    found = open_page(browser, report(folder, tmp_path / "r.html"))
    titles = browser.execute_script("return ulisseReport.charts.map(({title}) => title)")
    assert found["plots"] == found["drawn"] == len(titles)
    assert ("step size" in titles) == ("noise ratio" in titles) == (sampler != "nuts")
    assert ("gradients an iteration" if sampler == "nuts" else "products an iteration") in titles
    assert blank_plots(browser) == []


def test_predictions_are_drawn_over_their_input(browser, fitted, tmp_path):
    page = report(fitted / "fit", tmp_path / "r.html", "--predictions", fitted / "predictions.csv")
    open_page(browser, page)
    plot = "const {chart} = ulisseReport.charts.find(({title}) => title === 'predictions along x'); "
    assert browser.execute_script(plot + "return chart.options.scales.x.title.text") == "x"
    assert browser.execute_script(plot + "return chart.data.datasets.map((d) => [d.name, d.data.length])") == [["mean", 40], ["observed", 40]]
    low, high = browser.execute_script(plot + "return [chart.scales.x.min, chart.scales.x.max]")
    assert low <= 0 and 39 / 7 <= high < 7
    older = without(fitted / "predictions.csv", tmp_path / "older.csv", "fit", "x.x", "observed", "below")
    assert Ulisse().run("report", fitted / "fit", "--predictions", older, "--out", tmp_path / "older.html").returncode == 0
    open_page(browser, tmp_path / "older.html")
    plot = plot.replace("predictions along x", "predictions by row")
    assert browser.execute_script(plot + "return chart.data.datasets[0].data.map((point) => point.x)") == list(range(1, 41))
    assert "does not say which fit" in browser.find_element("id", "main").text


def test_dates_and_terms_are_read_in_plots(browser, tmp_path):
    table, folder = tmp_path / "days.csv", tmp_path / "fit"
    table.write_text("day,y\n" + "".join(f"2001-{1 + i // 28:02}-{1 + i % 28:02},{(i * 37 % 11) / 5 + i / 9!r}\n" for i in range(56)))
    fit(table, folder, *FIT, "--draws", "60", "--kernel", "rbf(day) + matern12(day)")
    Ulisse().run("predict", folder, table, "--quiet", "--out", tmp_path / "p.csv")  # warns of few draws
    open_page(browser, report(folder, tmp_path / "r.html", "--predictions", tmp_path / "p.csv"))
    plot = "const {chart} = ulisseReport.charts.find(({title}) => title === 'predictions along day'); "
    labels = browser.execute_script(plot + "return chart.scales.x.ticks.map((tick) => tick.label)")
    assert labels and all(re.fullmatch(r"200[01]-\d\d-\d\d", label) for label in labels)
    titles = browser.execute_script("return ulisseReport.charts.map(({title}) => title)")
    assert {"log tau.1 (rbf(day))", "log tau.2 (matern12(day))"} <= set(titles)


def test_many_parameters_are_looked_at_two_at_a_time(browser, tmp_path):
    table = tmp_path / "wide.csv"
    rows = [[((i * k * 7919) % 101) / 50 for k in range(1, 7)] for i in range(30)]
    table.write_text("a,b,c,d,e,y\n" + "\n".join(",".join(map(repr, row)) for row in rows) + "\n")
    folder = fit(table, tmp_path / "fit", *FIT, "--draws", "60", "--kernel", "rbf-ard")
    found = open_page(browser, report(folder, tmp_path / "r.html"))
    assert found["plots"] == found["drawn"] == 7 * 5 + 1
    changed = browser.execute_script("""
        const select = document.getElementById("pair-0");
        const other = [...select.options].find((o) => !o.selected && o.value !== document.getElementById("pair-1").value);
        select.value = other.value;
        select.dispatchEvent(new Event("change"));
        return [ulisseReport.drawn, ulisseReport.charts.at(-1).title.endsWith("against " + other.text)];""")
    assert changed == [36, True]
    assert browser.get_log("browser") == []


def test_chains_are_switched_and_plots_zoomed(browser, fitted, tmp_path):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    open_page(browser, report(fitted / "fit", tmp_path / "r.html"))
    hidden = "return ulisseReport.charts[0].chart.data.datasets.map((d) => d.hidden)"
    assert browser.execute_script(hidden) == [False] * 4
    switch = browser.find_element("id", "chain-1")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", switch)
    switch.click()
    assert browser.execute_script(hidden) == [False, True, False, False]

    limits = "const {min, max} = ulisseReport.charts[0].chart.scales.x; return [min, max]"
    assert browser.execute_script(limits) == [0, 499]
    canvas = browser.find_element("css selector", "canvas")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
    ActionChains(browser).move_to_element_with_offset(canvas, -50, 0).click_and_hold().move_by_offset(100, 0).release().perform()
    low, high = browser.execute_script(limits)
    assert 0 < low < high < 499
    canvas.send_keys("0")
    assert browser.execute_script(limits) == [0, 499]
    canvas.send_keys("+")
    low, high = browser.execute_script(limits)
    assert (low, high) == pytest.approx((499 / 4, 499 * 3 / 4))
    canvas.send_keys(Keys.ARROW_RIGHT)
    assert browser.execute_script(limits)[0] > low
    ActionChains(browser).move_to_element(canvas).double_click().perform()
    assert browser.execute_script(limits) == [0, 499]
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width, scheme", [(1200, "light"), (1200, "dark"), (360, "light")])
def test_readable_on_a_phone_and_in_the_dark(browser, fitted, tmp_path, width, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    try:
        open_page(browser, report(fitted / "fit", tmp_path / "r.html", "--predictions", fitted / "predictions.csv"))
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        page = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert page == ("rgb(20, 23, 28)" if scheme == "dark" else "rgb(255, 255, 255)")
        assert blank_plots(browser) == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_in_print_everything_is_light(browser, fitted, tmp_path):
    open_page(browser, report(fitted / "fit", tmp_path / "r.html"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.execute_script("return getComputedStyle(document.querySelector('fieldset')).display") == "none"
        assert len(browser.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 50000
        assert blank_plots(browser) == []
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_forty_thousand_draws_are_there_in_three_seconds(browser, tmp_path):
    folder = fit(small_table(tmp_path / "t.csv", rows=20), tmp_path / "fit", *FIT, "--draws", "10000")
    page = report(folder, tmp_path / "r.html")
    assert [len(chain) for chain in data_of(page)["parameters"][0]["draws"]] == [10000] * 4
    best = min(open_page(browser, page)["seconds"] for _ in range(3))
    assert best < 3
