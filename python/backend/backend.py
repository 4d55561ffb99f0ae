"""setuptools, without a download.

pip builds in an environment of its own, into which it would fetch setuptools from the network. The interpreter that pip runs
on has them in most places (Debian: python3-setuptools, python3-wheel); here they are found.
"""

import site
import sys
import sysconfig


def _find_setuptools():
    try:
        import setuptools  # noqa: F401
    except ImportError:
        known = [sysconfig.get_paths(vars={"base": sys.base_prefix, "platbase": sys.base_prefix})["purelib"], "/usr/lib/python3/dist-packages",
                 *site.getsitepackages([sys.base_prefix])]
        sys.path.extend(path for path in known if path not in sys.path)


_find_setuptools()
from setuptools.build_meta import *  # noqa: E402,F401,F403


def get_requires_for_build_wheel(config_settings=None):
    """Nothing to download: the wheel package is found where setuptools are."""
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel
