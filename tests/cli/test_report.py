"""ulisse report: the file, and what a browser makes of it."""

import csv
import json
import re
import shutil

import pytest

from conftest import Ulisse

FIT = ["--sampler", "mh", "--warmup", "200"]


def fit(table, out, *options):
    result = Ulisse().run("fit", table, "--target", "y", "--quiet", "--out", out, *options)
    assert result.returncode == 0, result.stderr
    return out


def small_table(path, rows=40):
    lines = ["x,y", *(f"{i / 7!r},{((i * 37) % 11) / 5 + i / 9!r}" for i in range(rows))]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with a fit and predictions at known targets."""
    folder = tmp_path_factory.mktemp("report")
    table = small_table(folder / "table.csv")
    fit(table, folder / "fit", *FIT, "--draws", "500")
    Ulisse().output("predict", folder / "fit", table, "--out", folder / "predictions.csv", "--quiet")
    return folder


def report(folder, out, *options):
    assert Ulisse().output("report", folder, "--out", out, *options) == f"{out}\n"
    return out


def data_of(page):
    """What the page shows, as JSON."""
    text = page.read_text()
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def test_numbers_are_those_of_the_summary(ulisse, fitted, tmp_path):
    data = data_of(report(fitted / "fit", tmp_path / "r.html"))
    summary = ulisse.json("summary", fitted / "fit")
    assert data["summary"]["natural"] == summary["parameters"]
    assert data["summary"]["quantities"] == summary["quantities"]
    assert data["warnings"] == summary["warnings"]
    assert data["predictions"] is None
    assert [p["name"] for p in data["parameters"]] == list(summary["parameters"])
    for p in data["parameters"]:
        assert [len(chain) for chain in p["draws"]] == [500] * 4
        total = sum(sum(chain) for chain in p["draws"]) / 2000
        assert total == pytest.approx(summary["log_parameters"][p["name"]]["mean"], rel=1e-4)
        assert p["convergence"]["rhat"][-1] == pytest.approx(summary["parameters"][p["name"]]["rhat"], abs=1e-4)
        grid, density = p["density"]["x"], p["density"]["all"]
        area = sum((b - a) * (f + g) / 2 for a, b, f, g in zip(grid, grid[1:], density, density[1:]))
        assert area == pytest.approx(1, abs=0.01)
        assert all(chain[0] == 1 for chain in p["autocorrelation"])


def test_predictions_are_shown_with_their_calibration(fitted, tmp_path):
    data = data_of(report(fitted / "fit", tmp_path / "r.html", "--predictions", fitted / "predictions.csv"))
    shown = data["predictions"]
    assert shown["points"] == 40 and len(shown["mean"]) == 40 and shown["levels"] == [0.05, 0.5, 0.95]
    assert shown["below"] == sorted(shown["below"]) and 0 <= shown["below"][0] <= shown["below"][-1] <= 1
    inside = sum(low <= y <= high for low, y, high in zip(shown["low"], shown["observed"], shown["high"]))
    assert shown["share_below"][2] - shown["share_below"][0] == pytest.approx(inside / 40)


def test_predictions_of_another_fit_are_refused(ulisse, fitted, tmp_path):
    table = small_table(tmp_path / "table.csv")
    others = {"seed": ["--seed", "2"], "kernel": ["--kernel", "matern32"]}
    for name, options in others.items():
        fit(table, tmp_path / name, *FIT, "--draws", "20", *options)
        words = ulisse.refusal("report", tmp_path / name, "--predictions", fitted / "predictions.csv", "--out", tmp_path / "r.html")
        assert "predictions.csv: is of another fit" in words
    other = tmp_path / "other.csv"
    other.write_text(table.read_text().replace("0.0,", "0.1,", 1))
    fit(other, tmp_path / "data", *FIT, "--draws", "20")
    assert "is of another fit" in ulisse.refusal("report", tmp_path / "data", "--predictions", fitted / "predictions.csv", "--out", tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_predictions_stay_those_of_a_fit_that_is_moved_or_has_draws_added(fitted, tmp_path):
    shutil.copytree(fitted / "fit", tmp_path / "moved")
    fit(fitted / "table.csv", tmp_path / "moved", *FIT, "--draws", "600", "--resume")
    report(tmp_path / "moved", tmp_path / "r.html", "--predictions", fitted / "predictions.csv")


def without(predictions, out, *names):
    """The file without some of its columns, as older versions wrote it."""
    with open(predictions) as file:
        rows = list(csv.DictReader(file))
    kept = [name for name in rows[0] if name not in names]
    out.write_text("\n".join([",".join(kept), *(",".join(row[name] for name in kept) for row in rows)]) + "\n")
    return out


def test_predictions_that_do_not_name_their_fit_are_said_to(ulisse, fitted, tmp_path):
    older = without(fitted / "predictions.csv", tmp_path / "older.csv", "fit", "row", "x.x")
    result = ulisse.run("report", fitted / "fit", "--predictions", older, "--out", tmp_path / "r.html")
    assert result.returncode == 0 and "does not say which fit it is of" in result.stderr
    shown = data_of(tmp_path / "r.html")["predictions"]
    assert shown["of_this_fit"] is False and shown["input"] is None and shown["row"] == list(range(1, 41))
    mixed = tmp_path / "mixed.csv"
    lines = (fitted / "predictions.csv").read_text().splitlines()
    mixed.write_text("\n".join([*lines[:-1], lines[-1].replace("fit-", "fit-0")]) + "\n")
    assert "mixed.csv:41: the row is of the fit" in ulisse.refusal("report", fitted / "fit", "--predictions", mixed)


def test_one_input_is_the_axis_of_predictions(ulisse, fitted, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("x\n" + "\n".join(repr((i * 997 % 4001) / 700) for i in range(4001)) + "\n")
    ulisse.output("predict", fitted / "fit", new, "--out", tmp_path / "p.csv", "--quiet", "--draws", "2")
    shown = data_of(report(fitted / "fit", tmp_path / "r.html", "--predictions", tmp_path / "p.csv"))["predictions"]
    assert shown["points"] == 4001 and shown["of_this_fit"]
    values = shown["input"]["values"]
    assert shown["input"]["name"] == "x" and values == sorted(values) and 1000 < len(values) <= 1500
    assert values[0] < 0.01 and values[-1] == 4000 / 700
    # The row of a point that is shown is that of the table, however few are.
    rows = new.read_text().splitlines()
    assert [float(rows[int(row)]) for row in shown["row"]] == values


def test_many_inputs_have_their_rows_as_axis(ulisse, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b,y\n" + "\n".join(f"{i % 7},{i % 5},{(i * 37) % 11}" for i in range(30)) + "\n")
    fit(table, tmp_path / "fit", *FIT, "--draws", "20")
    new = tmp_path / "new.csv"
    new.write_text("a,b\n" + "\n".join(f"{i % 7},{i % 5}" for i in range(2000)) + "\n")
    assert ulisse.run("predict", tmp_path / "fit", new, "--out", tmp_path / "p.csv", "--draws", "1").returncode == 0
    shown = data_of(report(tmp_path / "fit", tmp_path / "r.html", "--predictions", tmp_path / "p.csv"))["predictions"]
    assert shown["input"] is None and shown["row"] == list(range(2, 2001, 2))


def test_few_draws_are_called_so(tmp_path):
    folder = fit(small_table(tmp_path / "t.csv"), tmp_path / "fit", *FIT, "--draws", "20")
    data = data_of(report(folder, tmp_path / "r.html"))
    assert data["verdict"]["level"] == "distrust" and data["warnings"]


def test_a_name_that_looks_like_a_tag_stays_text(tmp_path):
    table = small_table(tmp_path / "t.csv")
    table.write_text(table.read_text().replace("x,y", "</script><b>,y", 1))
    folder = fit(table, tmp_path / "fit", *FIT, "--draws", "20")
    page = report(folder, tmp_path / "r.html")
    assert "</script><b>" not in page.read_text()
    assert "</script><b>" in str(data_of(page)["about"])


def test_refusals(ulisse, fitted, tmp_path):
    assert "no-such" in ulisse.refusal("report", tmp_path / "no-such")
    other = tmp_path / "other.csv"
    other.write_text("mean,x\n1,2\n")
    assert "--out" in ulisse.refusal("report", fitted / "fit", "--predictions", other, "--out", other)
    assert "among the files of the fit" in ulisse.refusal("report", fitted / "fit", "--out", fitted / "fit" / "data.csv")
    assert "no column 'sd'" in ulisse.refusal("report", fitted / "fit", "--predictions", other)
    assert "'mean'" in ulisse.refusal("report", fitted / "fit", "--predictions", fitted / "table.csv")
    result = ulisse.run("report", fitted / "fit", "--out", tmp_path / "no" / "r.html")
    assert result.returncode == 2 and "there is no folder" in result.stderr


# ---- In a browser


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
