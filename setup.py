"""Builds the compiled modules; everything else is in pyproject.toml.

Variants, chosen by the environment variable SERAI_BUILD:
  release   (default) -O3, no checks
  debug     -O1 -g, ``check()`` aborts on a broken precondition
  sanitize  debug + AddressSanitizer and UndefinedBehaviorSanitizer
"""

import os
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup

ROOT = Path(__file__).parent
FOLDERS = ("core", "search", "protocol", "bots")
VIEW = Path("build") / "view"
VARIANT = os.environ.get("SERAI_BUILD", "release")

# A compiler that may fuse a * b + c rounds once instead of twice: another result on another machine.
UNFUSED = "-ffp-contract=off"
SANITIZED = "-fsanitize=address,undefined"
FLAGS = {
    "release": (["-O3", UNFUSED], []),
    "debug": (["-O1", "-g", UNFUSED, "-DSERAI_CHECK"], []),
    "sanitize": (
        ["-O1", "-g", UNFUSED, "-DSERAI_CHECK", SANITIZED, "-fno-sanitize-recover=undefined"],
        [SANITIZED],
    ),
}

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "nonecheck": False,
    "auto_pickle": False,
    "autotestdict": False,
    "freethreading_compatible": False,
}


def mirror_declarations() -> None:
    """Lay the .pxd files out as the installed package, for ``from serai.core.game cimport …``."""
    shutil.rmtree(VIEW, ignore_errors=True)
    for folder in FOLDERS:
        for source in [ROOT / folder, *(p for p in (ROOT / folder).rglob("*") if p.is_dir())]:
            if source.name.startswith((".", "__")):
                continue
            target = VIEW / "serai" / source.relative_to(ROOT)
            target.mkdir(parents=True, exist_ok=True)
            (target / "__init__.py").touch()
            for declaration in source.glob("*.pxd"):
                shutil.copy2(declaration, target / declaration.name)
    (VIEW / "serai" / "__init__.py").touch()


def extensions() -> list[Extension]:
    """One extension module per .pyx file under the layer folders."""
    sources = sorted(p.relative_to(ROOT) for folder in FOLDERS for p in (ROOT / folder).rglob("*.pyx"))
    if not sources:
        sys.exit("setup.py: no .pyx file found; the source tree is incomplete")
    compile_args, link_args = FLAGS[VARIANT]
    return [
        Extension(
            ".".join(("serai", *path.with_suffix("").parts)),
            [str(path)],
            extra_compile_args=[*compile_args, "-std=c11", "-fno-strict-aliasing", "-Wno-unused-function"],
            extra_link_args=link_args,
            libraries=["m"],
        )
        for path in sources
    ]


def build() -> list[Extension]:
    """Cythonize with one set of directives; a warning stops the build."""
    if VARIANT not in FLAGS:
        sys.exit(f"setup.py: SERAI_BUILD={VARIANT!r} is unknown; use one of {', '.join(FLAGS)}")
    Options.warning_errors = True
    mirror_declarations()
    return cythonize(
        extensions(),
        include_path=[str(VIEW)],
        build_dir=str(Path("build") / f"c-{VARIANT}"),
        compiler_directives=DIRECTIVES,
        emit_linenums=VARIANT != "release",
    )


setup(ext_modules=build())
