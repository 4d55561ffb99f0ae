"""--resume with files that are not the fit's: refused in a sentence, and no byte is changed."""

import json
import shutil
import struct
import zlib

import pytest

from conftest import MH, SGLD, ULISSE, draws_of


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def fits(ulisse, signal_table, tmp_path):
    """Makes a fit, and one with another seed."""

    def make(sampler):
        for name, seed in [("fit", "1"), ("foreign", "2")]:
            made = ulisse.run("fit", signal_table, "--target", "y", "--quiet", "--out", tmp_path / name, "--seed", seed, *sampler)
            assert made.returncode == 0, made.stderr
        return tmp_path / "fit", tmp_path / "foreign"

    return make


def refuses_to_go_on(ulisse, out, *more):
    before = files_of(out)
    words = ulisse.refusal("fit", "--resume", "--out", out, "--draws", "400", *more)
    assert files_of(out) == before, words
    return words


def test_a_foreign_checkpoint_destroys_no_draws(ulisse, fits):
    out, foreign = fits(MH)
    shutil.copy(foreign / "checkpoint", out / "checkpoint")
    assert "checkpoint: belongs to another fit" in refuses_to_go_on(ulisse, out)


def test_a_foreign_setup_does_not_change_the_draws(ulisse, fits):
    out, foreign = fits(ULISSE)
    for stage in ["first_mode", "anchor", "plan"]:
        own = (out / f"setup_{stage}").read_bytes()
        for other in [foreign / f"setup_{stage}", out / "checkpoint", out / "setup_curvature"]:
            shutil.copy(other, out / f"setup_{stage}")
            assert f"setup_{stage}: belongs to another fit" in refuses_to_go_on(ulisse, out)
        (out / f"setup_{stage}").write_bytes(own)


def test_a_checkpoint_of_an_earlier_version_says_what_to_do(ulisse, fits):
    out, _ = fits(MH)
    (out / "checkpoint").write_bytes(b"ulisse checkpoint 9\n5 00000000\nstate")
    assert "another version of ulisse" in refuses_to_go_on(ulisse, out)


def test_chain_files_that_do_not_go_with_the_checkpoint_are_not_cut(ulisse, fits):
    out, foreign = fits(MH)
    good = (out / "chain_2.csv").read_text()
    rows = good.splitlines(keepends=True)
    last = max(i for i, row in enumerate(rows) if not row.startswith("#"))
    wrong = {
        "is shorter": good[:1000],
        "other columns": good.replace(",tau,", ",tua,"),
        "": "".join(rows[:last] + ["x" * (len(rows[last]) - 1) + "\n"] + rows[last + 1:]),
        "199 rows, where the checkpoint knows of 200": "".join(rows[:last] + ["#" + rows[last][1:]] + rows[last + 1:]),
    }
    for words, text in wrong.items():
        (out / "chain_2.csv").write_text(text)
        refused = refuses_to_go_on(ulisse, out)
        assert "chain_2.csv" in refused and words in refused, (words, refused)
    (out / "chain_2.csv").unlink()
    assert "chain_2.csv" in refuses_to_go_on(ulisse, out)
    (out / "chain_2.csv").write_text(good)
    assert ulisse.run("fit", "--resume", "--out", out, "--draws", "400").returncode == 0


def test_a_fit_without_its_checkpoint_is_not_begun_anew_over_its_draws(ulisse, fits):
    out, _ = fits(MH)
    fit = json.loads((out / "fit.json").read_text())
    (out / "fit.json").write_text(json.dumps({**fit, "status": "interrupted"}))
    (out / "checkpoint").unlink()
    assert "checkpoint is gone" in refuses_to_go_on(ulisse, out)


@pytest.mark.parametrize("name", ["checkpoint", "fit.json", "chain_1.csv", "setup_anchor", "fit.lock"])
def test_links_are_not_written_through(ulisse, fits, tmp_path, name):
    out, _ = fits(ULISSE)
    mine = tmp_path / "mine"
    if (out / name).exists():
        shutil.move(out / name, mine)
    else:
        mine.write_text("")
    before = mine.read_bytes()
    (out / name).symlink_to(mine)
    assert f"{out}/{name}: is a symbolic link" in refuses_to_go_on(ulisse, out)
    assert mine.read_bytes() == before and (out / name).is_symlink()


def with_state(content, change):
    """A checkpoint with another state, and a right checksum."""
    first, owner, _, state = content.split(b"\n", 3)
    state = change(state)
    return b"\n".join([first, owner, f"{len(state)} {zlib.crc32(state):08x}".encode(), state])


def shapes_in(state):
    """Where matrices and vectors say their rows: a letter, 8 bytes, the letter again, 8 bytes of columns."""
    for at in range(len(state) - 18):
        if state[at:at + 1] in (b"m", b"v") and state[at] == state[at + 9]:
            rows, = struct.unpack_from("<Q", state, at + 1)
            cols, = struct.unpack_from("<Q", state, at + 10)
            if 0 < rows < 1000 and 0 < cols < 1000:
                yield at, rows, cols


@pytest.mark.parametrize("sampler", [MH, SGLD, ULISSE], ids=["mh", "sgld", "ulisse"])
def test_states_of_wrong_shapes_with_a_right_checksum_do_not_crash(ulisse, fits, sampler):
    out, _ = fits(sampler)
    for name in ["checkpoint", *sorted(path.name for path in out.glob("setup_*"))]:
        if not (out / name).exists():
            continue
        content = (out / name).read_bytes()
        found = list(shapes_in(content.split(b"\n", 3)[3]))
        assert found or name == "setup_products"  # of numbers alone
        for at, rows, cols in found[:: max(1, len(found) // (12 if name == "checkpoint" else 3))]:
            def smaller(state):
                """One row, or one column, less."""
                kind = state[at:at + 1]
                values = state[at + 18:at + 18 + 8 * rows * cols]
                shape = (rows, cols - 1) if cols > 1 else (rows - 1, cols)
                head = kind + struct.pack("<Q", shape[0]) + kind + struct.pack("<Q", shape[1])
                return state[:at] + head + values[:8 * shape[0] * shape[1]] + state[at + 18 + 8 * rows * cols:]

            (out / name).write_bytes(with_state(content, smaller))
            assert f"{name}: is damaged" in refuses_to_go_on(ulisse, out)
        for change in [lambda s: s[:-1], lambda s: s + b"b\0", lambda s: b"", lambda s: s[9:]]:
            (out / name).write_bytes(with_state(content, change))
            assert f"{name}: is damaged" in refuses_to_go_on(ulisse, out)
        (out / name).write_bytes(content)


def test_only_a_fit_of_ours_is_replaced(ulisse, signal_table, tmp_path):
    out = tmp_path / "mine"
    out.mkdir()
    (out / "fit.json").write_text('{"my": "own"}')
    (out / "data.csv").write_text("a,b\n1,2\n")
    before = files_of(out)
    refused = ulisse.refusal("fit", signal_table, "--target", "y", "--out", out, "--force", *MH)
    assert "data.csv: would be overwritten" in refused
    assert files_of(out) == before


def test_a_table_put_in_the_place_of_the_fits_is_not_deleted(ulisse, signal_table, fits):
    out, _ = fits(MH)
    (out / "data.csv").write_text("a,b,y\n1,2,3\n2,3,4\n4,5,1\n")
    before = files_of(out)
    refused = ulisse.refusal("fit", signal_table, "--target", "y", "--out", out, "--force", *MH)
    assert "data.csv: would be overwritten, and is not what the fit in that folder wrote" in refused
    assert files_of(out) == before
