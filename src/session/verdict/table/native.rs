//! C and C++, what builds any language, and images.

use super::{BUILD, COMPILED, COMPILES, Family, Says, TEST, alone, family, only_named, row, shared};
use Says::{Fail, Ok, Pass, Problems, Tests, Zero};

pub(super) const FAMILIES: &[Family] = &[
    family(
        &["ctest", "cmake"],
        &[
            row(TEST, Tests, "{n}% tests passed, {f} tests? failed out of {t}"),
            row(TEST, Fail, "The following tests FAILED:"),
            row(TEST, Zero, "No tests were found!!!"),
            row(TEST, Fail, "Errors while running CTest"),
        ],
    ),
    family(
        &["meson"],
        &[
            row(TEST, Tests, "Ok: {p}"),
            row(TEST, Tests, "Fail: {f}"),
            row(TEST, Tests, "Timeout: {f}"),
            row(TEST, Zero, "No tests defined."),
            row(BUILD, Fail, "ninja: build stopped: …"),
            shared(TEST, Fail, "ninja: build stopped: …"),
            row(BUILD, Ok, "ninja: no work to do."),
        ],
    ),
    family(
        &["gtest", "catch2", "doctest"],
        &[
            row(TEST, Tests, "[ PASSED ] {p} tests?."),
            row(TEST, Tests, "[ FAILED ] {f} tests?, listed below:"),
            row(TEST, Zero, "[==========] 0 tests from 0 test …s ran.…"),
            row(TEST, Pass, "All tests passed ({n} assertions? in {p} test cases?)"),
            row(TEST, Tests, "test cases: {t} | {counts}"),
            row(TEST, Zero, "No tests ran"),
            row(TEST, Tests, "[doctest] test cases: {t} | {counts}…"),
            row(TEST, Ok, "[doctest] Status: SUCCESS!"),
            row(TEST, Fail, "[doctest] Status: FAILURE!"),
        ],
    ),
    family(
        &["bazel", "buck2"],
        &[
            row(TEST, Pass, "//{name} PASSED in {d}s…"),
            row(TEST, Pass, "//{name} (cached) PASSED in {d}s"),
            row(TEST, Tests, "Executed {n} out of {n} tests?: {counts}…"),
            row(TEST, Tests, "Tests finished: Pass {p}. Fail {f}. …"),
            row(TEST, Fail, "//{name} FAILED in …"),
            row(TEST, Fail, "//{name} TIMEOUT in …"),
            row(TEST, Fail, "//{name} FAILED TO BUILD"),
            row(TEST, Zero, "ERROR: No test targets were found, yet testing was requested"),
            row(BUILD, Ok, "INFO: Build completed successfully, …"),
            row(BUILD, Fail, "ERROR: Build did NOT complete successfully"),
            row(BUILD, Fail, "FAILED: Build did NOT complete successfully…"),
            shared(TEST, Fail, "ERROR: Build did NOT complete successfully"),
        ],
    ),
    family(
        &["zig"],
        &[
            row(TEST, Pass, "All {p} tests passed."),
            row(TEST, Tests, "{list}."),
            row(TEST, Fail, "Build Summary: {n}/{n} steps succeeded; {x} failed; …"),
            row(TEST, Pass, "Build Summary: {n}/{n} steps succeeded; {p}/{n} tests passed"),
            row(BUILD, Fail, "Build Summary: {n}/{n} steps succeeded; {x} failed…"),
            row(BUILD, Ok, "Build Summary: {n}/{n} steps succeeded…"),
        ],
    ),
    family(
        &["cmake", "gcc", "clang", "meson"],
        &[
            alone(COMPILES, Fail, "…:{n}:{n}: error: …"),
            row(COMPILES, Fail, "…:{n}:{n}: fatal error: …"),
            shared(TEST, Fail, "…:{n}:{n}: fatal error: …"),
            row(COMPILES, Problems, "{f} errors? generated."),
            row(COMPILES, Problems, "{n} warnings? and {f} errors? generated."),
            row(BUILD, Fail, "collect2: error: ld returned …"),
            shared(TEST, Fail, "collect2: error: ld returned …"),
            row(BUILD, Fail, "CMake Error at …"),
            row(BUILD, Ok, "[100%] Built target …"),
        ],
    ),
    only_named(&["cmake", "gcc", "clang", "meson"], &[row(COMPILES, Fail, "…:{n}:{n}: error: …")]),
    family(
        &["docker", "docker-compose", "buildx", "podman"],
        &[
            row(BUILD, Fail, "ERROR: failed to solve: …"),
            row(BUILD, Fail, "ERROR: failed to build: …"),
            row(BUILD, Fail, "failed to solve: …"),
            row(BUILD, Fail, "target {name}: failed to solve: …"),
            row(BUILD, Fail, "The command '…' returned a non-zero code: {n}"),
            row(BUILD, Ok, "…naming to …done"),
            row(BUILD, Ok, "Successfully built {name}"),
            row(BUILD, Ok, "Successfully tagged {name}"),
            row(BUILD, Ok, "✔ {name} Built…"),
        ],
    ),
    // Compilers that other programs run.
    family(
        &["maven", "mvn", "mvnw", "gradle", "gradlew"],
        &[shared(COMPILED, Fail, "{name}.java:{n}: error: …"), shared(COMPILED, Fail, "e: file:///…")],
    ),
];
