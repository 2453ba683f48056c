# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds #include and link lines to the table of rooms in docs/Architecture.md.

usage: check-rooms.py PROJECT; prints one line per violation and exits 1 if there is any.
"""

import itertools
import re
import sys
from pathlib import Path

# What the first word of an include's path or a linked library belongs to; the standard library is everyone's.
INCLUDES = {"mlir": "MLIR", "mlir-c": "MLIR", "llvm": "LLVM", "llvm-c": "LLVM", "lld": "LLVM",
            "nlohmann": "nlohmann-json", "CLI": "CLI11"}
LIBRARIES = {"MLIR": "MLIR", "LLVM": "LLVM", "NovaPch": "MLIR", "nlohmann_json::nlohmann_json": "nlohmann-json",
             "CLI11::CLI11": "CLI11", "NovaBundle": "Runtime", "NovaCompile": "Compiler"}
SYSTEM_LIBRARIES = {"Threads::Threads", "${CMAKE_DL_LIBS}", "m"}


def read_rooms(project):
    """The rows of the table of rooms: what each room or tool may use."""
    lines = (project / "docs/Architecture.md").read_text().splitlines()
    first = lines.index("| room | job | may use |") + 2
    rooms = {}
    for line in itertools.takewhile(lambda line: line.startswith("|"), lines[first:]):
        name, _, uses = (cell.strip() for cell in line.strip("|").split("|"))
        rooms[name] = {use.strip() for use in uses.split(",")} | {name, "Support"}
    return rooms


def folders_of(project, room):
    return [folder for folder in (project / "include/Nova" / room, project / "lib" / room, project / "tools" / room)
            if folder.is_dir()]


def check_include(room, allowed, source, path):
    """Why the include is wrong, or None."""
    first = path.split("/")[0]
    if first == "Nova":
        other = path.split("/")[1]
        return None if other in allowed else f"room {room} may not use {other}"
    if first in INCLUDES:
        return None if INCLUDES[first] in allowed else f"room {room} may not use {INCLUDES[first]}"
    if "/" not in path and not (source.parent / path).is_file():
        return "is neither in include/Nova nor beside the file"
    return "leaves the room by .." if ".." in path else None


def check_source(project, room, allowed, source):
    for number, line in enumerate(source.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<]([^">]+)[">])', line)
        if not match or (match[1][0] == "<" and match[2].split("/")[0] not in INCLUDES):
            continue
        reason = check_include(room, allowed, source, match[2])
        if reason:
            yield f"{source.relative_to(project)}:{number}: #include {match[1]}: {reason}"


def linked_libraries(text):
    """(line number, library) of every USES list and target_link_libraries."""
    text = re.sub(r"#.*", "", text)
    for call in re.finditer(r"(nova_add_\w+_room|target_link_libraries)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text):
        words = call[2]
        start = words.index("USES") + 4 if "USES" in words else 0
        if call[1] != "target_link_libraries" and not start:
            continue
        # The first word of target_link_libraries is the target itself.
        skip_target = call[1] == "target_link_libraries"
        for word in re.finditer(r"\S+", words[start:]):
            name = re.sub(r"^\$<(?:BUILD_INTERFACE|LINK_ONLY):(.*)>$", r"\1", word[0])
            if skip_target or name in ("PUBLIC", "PRIVATE", "INTERFACE"):
                skip_target = False
                continue
            yield text.count("\n", 0, call.start(2) + start + word.start()) + 1, name


def room_of(library):
    if library in LIBRARIES:
        return LIBRARIES[library]
    match = re.fullmatch(r"(?:Nova::)?Nova(\w+)", library)
    return match[1] if match else None


def check_links(project, room, allowed, script):
    for number, library in linked_libraries(script.read_text()):
        if library in SYSTEM_LIBRARIES or library.startswith("-"):
            continue
        other = room_of(library)
        if not other or other not in allowed:
            yield f"{script.relative_to(project)}:{number}: links {library}: room {room} may not use {other or 'it'}"


def main():
    project = Path(sys.argv[1])
    rooms = read_rooms(project)
    problems = []
    for parent in ("include/Nova", "lib", "tools"):
        for folder in sorted((project / parent).iterdir()):
            if folder.is_dir() and folder.name not in rooms:
                problems.append(f"{folder.relative_to(project)}: docs/Architecture.md has no row for it")
    checked = 0
    for room, allowed in rooms.items():
        for folder in folders_of(project, room):
            for file in sorted(folder.rglob("*")):
                if file.suffix in (".h", ".cpp", ".inc"):
                    problems += check_source(project, room, allowed, file)
                    checked += 1
                elif file.name == "CMakeLists.txt":
                    problems += check_links(project, room, allowed, file)
                    checked += 1
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(rooms)} rooms, {checked} files, {len(problems)} problems")
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
