# SPDX-License-Identifier: MIT
"""A program of the build once more, from changed sources: what depends on them is made again from a
copy of the sources, and linked before the libraries that the build has."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ["rtl", "systemc", "sim", "tb"]
DEPS = re.compile(r"^(\S+): #deps \d+, .*\n((?:    .*\n)*)", re.MULTILINE)
MEMBER = re.compile(r"^\(.*\)(\S+\.o)$", re.MULTILINE)


class Failure(Exception):
    """Something does not build, or is not there; what was printed."""


class Rebuild:
    """`flags` come last in every call of the compiler: those who run for seconds want -O0. (Clang does not take
    headers that were read with another level, so there it stays.) Objects in folders to `keep` are those of the build though they include
    what was changed."""

    def __init__(self, build, work, program, flags=("-O0",), keep=()):
        self.build, self.work, self.flags, self.keep = build, work, list(flags), keep
        self.name = program
        made = self.run(["ninja", "-t", "commands", f"bin/{program}"]).splitlines()
        # The last step is the program's link, and after it ctest's search for its tests.
        self.link = shlex.split(re.sub(r"^: && ", "", made[-1]).split(" && ")[0])
        if f"bin/{program}" not in self.link:
            raise Failure(f"{program} is not linked by its last step")
        self.verilate = [shlex.split(c.split(" && ")[1]) for c in made if "/cmake/verilate.py " in c]
        self.compile = {}
        for command in made:
            words = shlex.split(command)
            if words[:1] == ["cd"]:  # a compiler that is not CMake's
                words = words[words.index("&&") + 1:]
            if "-c" in words and "-o" in words:
                self.compile[os.path.relpath(build / words[words.index("-o") + 1], build)] = words
        self.deps = {out: {str((build / d.strip()).resolve()) for d in files.splitlines()}
                     for out, files in DEPS.findall(self.run(["ninja", "-t", "deps", *self.compile]))}
        for folder in COPIED:
            shutil.rmtree(work / folder, ignore_errors=True)
            shutil.copytree(ROOT / folder, work / folder)
        shutil.rmtree(work / "made", ignore_errors=True)
        (work / "made").mkdir()

    def run(self, command):
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"does not build:\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
        return done.stdout

    def copy_of(self, path):
        """Where the copy of a file of the project is, to be changed."""
        return self.work / path

    def members(self):
        """Names of the objects that the linker takes, out of archives or by themselves."""
        out = self.work / "made/members"
        told = self.run([*self._linked_to(out), "-Wl,-t,-t"])
        out.unlink()
        return set(MEMBER.findall(told)) | {pathlib.PurePath(w).name for w in self.link if w.endswith(".o")}

    def program(self):
        """The program as the copies have it now. What nobody changed is not made again."""
        changed = {str(ROOT / p.relative_to(self.work)) for folder in COPIED
                   for p in (self.work / folder).rglob("*")
                   if p.is_file() and p.read_bytes() != (ROOT / p.relative_to(self.work)).read_bytes()}
        moved = [(f"{ROOT}/{folder}", f"{self.work}/{folder}") for folder in COPIED]
        again = []
        for words in self.verilate:
            folder, prefix = words[2], words[3]
            known = (pathlib.Path(folder) / f"{prefix}.d").read_text().split(":", 1)[1].split()
            if changed.isdisjoint(known):
                continue
            # A mistake may leave bits unused.
            words = ["-Wno-fatal" if w == "-Wall" else self._moved(w, moved) for w in words]
            words[2] = f"{self.work}/made/{pathlib.PurePath(folder).name}"
            self.run(words)
            again.append((folder, words[2]))
            changed.update(str(p) for p in pathlib.Path(folder).iterdir() if not self._is_same(p, words[2]))
        taken, objects, link = self.members(), [], self.link
        for out, words in self.compile.items():
            source = (self.build / words[-1]).resolve()
            # What Verilator has made includes what is beside it.
            needed = (self.deps.get(out) or set(map(str, source.parent.iterdir()))) | {str(source)}
            if (pathlib.PurePath(out).name not in taken or changed.isdisjoint(needed) or
                    any(folder in out for folder in self.keep)):
                continue
            made = f"{self.work}/made/{out.replace('/', '_')}"
            words = [self._moved(w, moved + again) for w in words]
            for option, value in (("-o", made), ("-MF", made + ".d"), ("-MT", made)):
                if option in words:
                    words[words.index(option) + 1] = value
            words = [w for w in words if w != "-Werror"]
            by_clang = "-fpch-instantiate-templates" in words and any("cmake_pch" in w for w in words)
            flags = [f for f in self.flags if not (by_clang and f.startswith("-O"))]
            self.run([*words[:-2], *flags, *words[-2:]])
            link = [w for w in link if w != out]
            objects.append(made)
        return self._link(link, objects)

    def _link(self, link, objects):
        out = self.work / self.name
        at = link.index("-o")
        # The new objects come first, so they count where an archive that is linked whole has the old ones.
        self.run([*link[:at], *objects, "-Wl,--allow-multiple-definition", "-o", str(out), *link[at + 2:]])
        return out

    def _linked_to(self, out):
        return [str(out) if w == f"bin/{self.name}" else w for w in self.link]

    @staticmethod
    def _is_same(path, folder):
        other = pathlib.Path(folder) / path.name
        return other.exists() and other.read_bytes() == path.read_bytes()

    @staticmethod
    def _moved(word, places):
        """A word of a command with the first of these folders that is in it replaced."""
        for old, new in places:
            found = re.search(re.escape(old) + r"(?=/|$)", word)
            if found:
                return word[:found.start()] + new + word[found.end():]
        return word
