"""The two builds of the PyCharm plugin, Gradle's and ours, build the same thing."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.packages import ROOT

PLUGIN = ROOT / "pycharm-plugin"
LIBRARIES = PLUGIN / "node_modules" / "kotlin-compiler" / "lib"
GRADLE = (PLUGIN / "build.gradle.kts").read_text("utf-8")
OURS = (PLUGIN / "build" / "compiling.py").read_text("utf-8")


@pytest.fixture(scope="session")
def workflow() -> dict[str, Any]:
    path = ROOT / ".github" / "workflows" / "pycharm-plugin.yml"
    parsed = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(parsed, dict)
    return parsed


def one(pattern: str, text: str) -> str:
    """The one place where the pattern is."""
    (found,) = re.findall(pattern, text)
    assert isinstance(found, str)
    return found


def test_both_read_the_version_of_the_backend() -> None:
    assert 'stated(repository.file("backend/gradpeek/__init__.py"), "__version__' in GRADLE
    packing = (PLUGIN / "build" / "packing.py").read_text("utf-8")
    assert 'ROOT / "backend" / "gradpeek" / "__init__.py"' in packing


def test_both_take_the_oldest_ide_from_plugin_xml() -> None:
    description = one(r'projectDirectory\.file\("([^"]+plugin\.xml)"\)', GRADLE)
    assert 'since-build="251"' in (PLUGIN / description).read_text("utf-8")
    assert "sinceBuild = stated(description, " in GRADLE


def test_both_read_bytecode_and_language_from_one_file() -> None:
    for key in ("gradpeek.bytecode", "gradpeek.kotlin"):
        assert f'providers.gradleProperty("{key}")' in GRADLE
        assert f'setting("{key}")' in OURS


def test_both_compile_the_folders_that_gradle_takes_by_itself() -> None:
    assert 'SOURCES = PLUGIN / "src" / "main"' in OURS
    assert (PLUGIN / "src/main/kotlin").is_dir()
    assert (PLUGIN / "src/main/resources/META-INF/plugin.xml").is_file()
    # Of all folders Gradle leaves out one: the tests, which stand on our stubs.
    assert re.findall(r"setSrcDirs|srcDirs?\(|exclude\(", GRADLE.replace("__pycache__", "")) == [
        "setSrcDirs",
        "exclude(",
    ]
    assert 'named("test") { kotlin.setSrcDirs(emptyList<String>()) }' in GRADLE


def test_both_use_the_same_compiler() -> None:
    npm = json.loads((PLUGIN / "package.json").read_text("utf-8"))["devDependencies"]
    assert (
        one(r'"org\.jetbrains\.kotlin\.jvm"\) version "([\d.]+)"', GRADLE)
        == (npm["kotlin-compiler"])
    )


def test_both_bundle_the_server_by_the_same_script_and_the_licences() -> None:
    assert 'repository.file("backend/bundle/bundle_backend.py")' in GRADLE
    assert 'from(bundleBackend) { into(pluginName.map { "$it/backend" }) }' in GRADLE
    packing = (PLUGIN / "build" / "packing.py").read_text("utf-8")
    for name in ("LICENSE", "NOTICES.txt"):
        assert f'"{name}"' in GRADLE
        assert f'"{name}"' in packing


def test_one_gradle_is_named_everywhere(workflow: dict[str, Any]) -> None:
    wrapper = (PLUGIN / "gradle/wrapper/gradle-wrapper.properties").read_text("utf-8")
    steps = workflow["jobs"]["real-ide"]["steps"]
    (setup,) = [step for step in steps if step.get("uses", "").startswith("gradle/")]
    gradle = one(r'gradleVersion = "([\d.]+)"', GRADLE)
    assert one(r"gradle-([\d.]+)-bin\.zip", wrapper) == gradle == setup["with"]["gradle-version"]


def test_the_workflow_builds_and_verifies_against_a_real_ide(workflow: dict[str, Any]) -> None:
    runs = [step["run"] for step in workflow["jobs"]["real-ide"]["steps"] if "run" in step]
    assert runs == ["gradle buildPlugin", "gradle verifyPlugin"]
    without = [step.get("run", "") for step in workflow["jobs"]["tests"]["steps"]]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (target,) = [run.removeprefix("make ") for run in without if run.startswith("make ")]
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("script", ["build.gradle.kts", "settings.gradle.kts"])
def test_the_script_is_kotlin(script: str, tmp_path: Path) -> None:
    if not LIBRARIES.exists():
        pytest.skip("there is no Kotlin compiler: run `make pycharm-plugin`")
    compiler = ["java", "-Xmx1g", "-cp", str(LIBRARIES / "kotlin-preloader.jar")]
    compiler += ["org.jetbrains.kotlin.preloading.Preloader", "-cp"]
    compiler += [
        str(LIBRARIES / "kotlin-compiler.jar"),
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
    ]
    names = ("kotlin-stdlib.jar", "kotlin-script-runtime.jar")
    options = [
        "-no-stdlib",
        "-no-reflect",
        "-cp",
        ":".join(str(LIBRARIES / name) for name in names),
    ]
    options += ["-Xallow-any-scripts-in-source-roots", "-d", str(tmp_path), str(PLUGIN / script)]
    done = subprocess.run(
        [*compiler, *options], check=False, capture_output=True, text=True, timeout=150
    )
    # Gradle's own names are not known here; what comes before that, the grammar, is.
    assert "unresolved reference" in done.stderr
    assert "syntax error" not in done.stderr
