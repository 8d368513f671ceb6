# SPDX-License-Identifier: MIT
"""The files of the project: what git tracks or would add; without git, everything but builds and caches."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def source_files(root=ROOT):
    """Names from the top of the tree, of files that are there."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                            capture_output=True, text=True) if shutil.which("git") else None
    if listed and listed.returncode == 0:
        names = set(filter(None, listed.stdout.split("\0")))
    else:
        names = {str(p.relative_to(root)) for folder in root.iterdir() if not folder.name.startswith("build") and folder.name != ".git"
                 for p in ([folder] if folder.is_file() else folder.rglob("*")) if "__pycache__" not in p.parts}
    return sorted(name for name in names if (root / name).is_file())


def copy_sources(top, edit=lambda name, content: content):
    """Makes `top` a copy of the project, each file as edit(name, content) returns it. A file that is already so keeps
    its time."""
    names = set(source_files())
    for name in names:
        content = edit(name, (ROOT / name).read_bytes())
        target = top / name
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(ROOT / name, target)
    for folder, folders, files in os.walk(top):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__") and not f.startswith("build")]
        for file in files:
            path = pathlib.Path(folder) / file
            if str(path.relative_to(top)) not in names:
                path.unlink()
