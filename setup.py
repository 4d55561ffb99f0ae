"""Builds the extension with CMake. ULISSE_BUILD names a build folder to use again; ULISSE_JOBS how many jobs run at once."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    return re.search(r"project\(ulisse VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        folder = pathlib.Path(os.environ.get("ULISSE_BUILD", self.build_temp)).resolve()
        jobs = os.environ.get("ULISSE_JOBS", str(os.cpu_count() or 1))
        configure = ["cmake", "-S", ROOT, "-B", folder, "-DULISSE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        if not (folder / "CMakeCache.txt").exists():
            configure += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DULISSE_TESTS=OFF"]
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "ulisse_python", "--parallel", jobs], check=True)
        subprocess.run(["cmake", "--install", folder, "--component", "python", "--prefix", target.parent], check=True)


# build/ is CMake's.
BUILD = "build-pip"
(ROOT / BUILD).mkdir(exist_ok=True)
setup(version=version(), options={"build": {"build_base": BUILD}, "egg_info": {"egg_base": BUILD}}, ext_modules=[Extension("ulisse._core", [])], cmdclass={"build_ext": CMakeBuild})
