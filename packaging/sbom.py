"""The bill of materials in CycloneDX: what an installation consists of, and what a bundle does (`make sbom`).

    python packaging/sbom.py RUNTIME_PYTHON      in an environment made from packaging/lock/audit.txt

cyclonedx-py reads the environment of RUNTIME_PYTHON (made from packaging/lock/run.txt): `build/sbom/installation.cdx.json`. The same less
what a bundle leaves out, with interpreter, vocabularies and the system's libraries: `build/sbom/bundle.cdx.json`, where there is a bundle.
Both are checked against the schema.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import licences
import parts

sys.path.append(str(parts.ROOT))

from app.model.digests import DIGESTS
from app.model.parts import PARTS, PYTHON_LICENCE

OUT = parts.BUILD / "sbom"
TOOLS = ("pip", "setuptools", "wheel")  # of the environment, not of the program
PROPERTY = "transcript-inspector:file"


def main(words: list[str]) -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    project = ["--pyproject", str(parts.ROOT / "pyproject.toml"), "--mc-type", "application"]
    form = ["--output-reproducible", "--sv", "1.6", "--of", "JSON"]
    command = [sys.executable, "-m", "cyclonedx_py", "environment", *project, *form, words[0]]
    made = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    made["metadata"]["component"]["version"] = parts.VERSION
    known = {named(part.package): part.licence for part in PARTS}
    for component in made["components"]:  # where a package says it in words alone
        if named(component["name"]) in known and not component.get("licenses"):
            component["licenses"] = [{"license": {"id": known[named(component["name"])]}}]
    vocabularies = [vocabulary(name) for name in DIGESTS]
    installation = without(made, TOOLS)
    installation["components"] += vocabularies
    write(OUT / "installation.cdx.json", installation)
    if parts.BUNDLE.exists():
        left_out = [component["name"] for component in made["components"] if named(component["name"]) not in known]
        bundle = without(made, left_out)
        bundle["components"] += [*vocabularies, interpreter(words[0]), *system()]
        write(OUT / "bundle.cdx.json", bundle)
    return 0


def named(package: str) -> str:
    """A package's name as all write it alike."""
    return package.lower().replace("_", "-")


def without(bill: dict[str, Any], names: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """The bill less some components, and what depends on what without them."""
    gone = {component["bom-ref"] for component in bill["components"] if component["name"] in names}
    return {
        **bill,
        "components": [component for component in bill["components"] if component["bom-ref"] not in gone],
        "dependencies": [
            {**entry, **({"dependsOn": [ref for ref in entry["dependsOn"] if ref not in gone]} if "dependsOn" in entry else {})}
            for entry in bill["dependencies"] if entry["ref"] not in gone
        ],
    }  # fmt: skip


def vocabulary(name: str) -> dict[str, Any]:
    return {
        "type": "data", "bom-ref": f"vocabulary-{name}", "name": f"{name}.tiktoken",
        "hashes": [{"alg": "SHA-256", "content": DIGESTS[name]}], "licenses": [{"license": {"id": "MIT"}}],
    }  # fmt: skip


def interpreter(python: str) -> dict[str, Any]:
    ask = "import platform; print(platform.python_version())"
    version = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
    return {
        "type": "platform", "bom-ref": "cpython", "name": "cpython", "version": version.stdout.strip(),
        "licenses": [{"license": {"id": PYTHON_LICENCE}}],
    }  # fmt: skip


def system() -> list[dict[str, Any]]:
    """The libraries of the system that the bundle holds, a component for each package."""
    lines = (parts.BUILD / "bundle-sources.tsv").read_text("utf-8").splitlines()
    found = licences.system_libraries((inside, outside) for inside, _, outside in (line.partition("\t") for line in lines))
    return [
        {
            "type": "library", "bom-ref": f"debian-{package}", "name": package, "version": debian_version(package),
            "purl": f"pkg:deb/debian/{package}@{debian_version(package).replace(':', '%3A').replace('+', '%2B')}",
            "properties": [{"name": PROPERTY, "value": file} for file in sorted(files)],
        }
        for package, files in sorted(found.items()) if package != "unknown"
    ]  # fmt: skip


def debian_version(package: str) -> str:
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def write(path: Path, bill: dict[str, Any]) -> None:
    """Writes a bill that keeps to the schema; ends with what is wrong with one that does not."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = json.dumps(bill, indent=1, ensure_ascii=False) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong:
        sys.exit(f"sbom: {path.name} does not keep to the schema: {wrong}")
    path.write_text(text, "utf-8")
    print(f"{path.relative_to(parts.ROOT)}: {len(bill['components'])} components, CycloneDX 1.6")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
