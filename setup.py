# SPDX-License-Identifier: MIT
"""Builds the Python module with CMake, for `pip install .`.

The extension is the CMake target `rdt_python`. CMakeLists.txt is therefore the only list of its
sources. All files of the build are in build_pip.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = "build_pip"


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        build = ROOT / BUILD
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DRDT_PYTHON=ON",
                        f"-DPython_EXECUTABLE={sys.executable}", "-DRDT_SYSTEMC=OFF", "-DRDT_VERILATOR=OFF",
                        "-DBUILD_TESTING=OFF"], check=True)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", build, "--target", "rdt_python", "--parallel", jobs], check=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python" / target.name, target)


(ROOT / BUILD).mkdir(parents=True, exist_ok=True)
setup(
    version=re.search(r'RDT_VERSION "(.+)"', (ROOT / "sim/rdt/version.h").read_text())[1],
    ext_modules=[Extension("rdt", sources=[])],
    py_modules=[],
    packages=[],
    cmdclass={"build_ext": BuildByCMake},
    options={"build": {"build_base": BUILD}, "egg_info": {"egg_base": BUILD}},
)
