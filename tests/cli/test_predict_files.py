"""Files that ulisse predict reads and writes."""

import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import time

import pytest

from predicting import fitted  # noqa: F401


def test_data_that_are_not_kept_are_read_again_and_must_not_change(ulisse, fitted, tmp_path):
    train = tmp_path / "train.csv"
    train.write_text((fitted / "train.csv").read_text())
    out = tmp_path / "fit"
    fit = ["fit", train, "--target", "y", "--sampler", "mh", "--draws", "20", "--warmup", "20", "--out", out, "--no-data", "--quiet"]
    assert ulisse.run(*fit).returncode == 0
    assert not (out / "data.csv").exists()
    assert "is the table that the fit was made from" in ulisse.refusal("predict", out, fitted / "new.csv", "--out", train)
    new = ["predict", out, fitted / "new.csv", "--out", tmp_path / "predictions.csv", "--force"]
    assert ulisse.run(*new).returncode == 0
    train.write_text(train.read_text().replace("1", "2", 1))
    assert "have changed" in ulisse.refusal(*new)
    train.unlink()
    assert "train.csv" in ulisse.refusal(*new) and "No such file" in ulisse.refusal(*new)


@pytest.mark.parametrize("content", ["root:x:0:0:secret\n", "a,b,y\n1,2,secret\n", "secret,b,y\n1,2,3\n", "a,b,y\n1,2,3,secret\n"])
def test_a_file_that_a_fit_of_somebody_else_names_is_not_shown(ulisse, fitted, tmp_path, content):
    copy = tmp_path / "copy"
    shutil.copytree(fitted / "fit", copy)
    (copy / "data.csv").unlink()
    private = tmp_path / "private"
    private.write_text(content)
    about = json.loads((copy / "fit.json").read_text())
    for path, says in [(private, "have changed"), ("/dev/zero", "no regular file"), ("-", "cannot be read")]:
        about["data"]["path"] = str(path)
        (copy / "fit.json").write_text(json.dumps(about))
        words = ulisse.refusal("predict", copy, fitted / "new.csv", "--out", tmp_path / "p.csv")
        assert says in words and "secret" not in words
    (copy / "data.csv").symlink_to(private)
    words = ulisse.refusal("predict", copy, fitted / "new.csv", "--out", tmp_path / "p.csv")
    assert "has changed" in words and "secret" not in words


def test_the_copy_of_the_data_is_all_that_is_needed(ulisse, fitted, tmp_path):
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    for file in (fitted / "fit").iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    out = tmp_path / "predictions.csv"
    assert ulisse.run("predict", copy, fitted / "new.csv", "--out", out).returncode == 0
    text = (copy / "data.csv").read_text()
    # Its own copy, not the table that the user keeps.
    for changed in [text.replace("1", "2", 1), text.replace('"a"', '"c"'), "secret", ""]:
        (copy / "data.csv").write_text(changed)
        words = ulisse.refusal("predict", copy, fitted / "new.csv", "--out", out, "--force")
        assert "data.csv: has changed since the fit wrote it" in words and "--no-data" not in words and "secret" not in words


def test_nothing_that_is_needed_is_overwritten(ulisse, fitted):
    before = (fitted / "new.csv").read_bytes()
    command = ["predict", fitted / "fit", fitted / "new.csv", "--out"]
    assert "is the table to predict for" in ulisse.refusal(*command, fitted / "new.csv")
    assert "among the files of the fit" in ulisse.refusal(*command, fitted / "fit" / "data.csv")
    assert "there is no folder" in ulisse.refusal(*command, fitted / "nowhere" / "p.csv")
    assert (fitted / "new.csv").read_bytes() == before


def test_out_replaces_regular_files_only(ulisse, fitted, tmp_path):
    kept = tmp_path / "kept.csv"
    kept.write_text("the user's own")
    (tmp_path / "link.csv").symlink_to(kept)
    os.mkfifo(tmp_path / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "socket.csv"))
    before = sorted(tmp_path.iterdir())
    for name, says in [("link.csv", "is a symbolic link"), ("pipe.csv", "is a pipe"), ("socket.csv", "is a socket")]:
        for command in [["predict", fitted / "fit", fitted / "new.csv"], ["report", fitted / "fit"]]:
            words = ulisse.refusal(*command, "--out", tmp_path / name)
            assert "--out" in words and says in words
    for command in [["predict", fitted / "fit", fitted / "new.csv"], ["report", fitted / "fit"]]:
        assert "is a device" in ulisse.refusal(*command, "--out", "/dev/null")
    assert sorted(tmp_path.iterdir()) == before and kept.read_text() == "the user's own"


def test_a_file_named_like_the_new_one_and_new_is_kept(ulisse, fitted, tmp_path):
    kept, beyond = tmp_path / "p.csv.new", tmp_path / "beyond"
    kept.write_text("the user's own")
    beyond.write_text("the user's own, too")
    (tmp_path / "r.html.new").symlink_to(beyond)
    assert ulisse.run("predict", fitted / "fit", fitted / "new.csv", "--out", tmp_path / "p.csv").returncode == 0
    assert ulisse.run("report", fitted / "fit", "--out", tmp_path / "r.html").returncode == 0
    assert kept.read_text() == "the user's own" and beyond.read_text() == "the user's own, too"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["beyond", "p.csv", "p.csv.new", "r.html", "r.html.new"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_ends_the_reading_of_a_pipe_that_nobody_writes_to(fitted, tmp_path, number):
    from conftest import EXECUTABLE

    command = [EXECUTABLE, "predict", str(fitted / "fit"), "-", "--out", str(tmp_path / "p.csv")]
    # What runs in the background of a shell ignores SIGINT, and so would its children.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed) as process:
        time.sleep(0.5)
        process.send_signal(number)
        try:
            assert process.wait(5) == -number
        finally:
            process.kill()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("out", ["p.csv.gz", "."])
def test_places_that_are_no_csv_file_are_refused(ulisse, fitted, out):
    assert "--out" in ulisse.refusal("predict", fitted / "fit", fitted / "new.csv", "--out", out)
