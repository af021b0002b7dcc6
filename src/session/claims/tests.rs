use proptest::prelude::*;

use super::*;

/// What a message claims, in the words of the fixtures.
fn claimed(message: &str) -> String {
    let mut gates: Vec<&str> = claims(message).iter().map(|claim| claim.gate.map_or("all", Gate::word)).collect();
    gates.sort_unstable();
    gates.dedup();
    if gates.is_empty() { "-".to_owned() } else { gates.join(",") }
}

#[test]
fn every_sentence_is_read_as_a_person_reads_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/claims");
    let mut wrong = Vec::new();
    for file in
        std::fs::read_dir(folder).expect("the sentences").flatten().filter(|file| file.path().extension().is_some_and(|e| e == "txt"))
    {
        let text = std::fs::read_to_string(file.path()).expect("sentences");
        for line in text.lines() {
            let (want, message) = line.split_once('\t').expect("a tab");
            let mut want: Vec<&str> = want.split(',').collect();
            want.sort_unstable();
            let (want, found) = (want.join(","), claimed(&message.replace("\\n", "\n")));
            if want != found {
                wrong.push(format!("{}: want {want}, found {found}: {message}", file.file_name().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_claim_says_how_much_and_where() {
    for (message, whole, count, at) in [
        ("Done. All 41 tests pass now. Bye.", true, Some(41), "All 41 tests pass now."),
        ("41/41 tests pass", true, Some(41), "41/41 tests pass"),
        ("- 1,204 tests pass\n- more", false, Some(1204), "1,204 tests pass"),
        ("**Tests:** 12 passed", false, Some(12), "Tests:** 12 passed"),
        ("The full suite is green (318 tests).", true, None, "The full suite is green (318 tests)."),
        ("Die Tests sind grün.", false, None, "Die Tests sind grün."),
        ("全41件のテストがパスしました。", true, Some(41), "全41件のテストがパスしました。"),
        ("| Tests | ✅ 7/7 |", true, Some(7), "| Tests | ✅ 7/7 |"),
    ] {
        let found = claims(message);
        assert_eq!(found.len(), 1, "{message}");
        assert_eq!((found[0].whole, found[0].count, &message[found[0].at.clone()]), (whole, count, at), "{message}");
    }
}

#[test]
fn a_claim_says_of_what() {
    for (message, runner, language, part) in [
        ("All tests pass.", "", None, false),
        ("`npm test` passes.", "", None, false),
        ("pytest is green.", "pytest", None, false),
        ("`uv run pytest -q` passes (16 tests).", "pytest", None, false),
        ("`pytest` passes; for `npm test` I need your registry token.", "pytest", None, false),
        ("All 8 Playwright tests pass.", "playwright", None, false),
        ("`cargo test` passes with 9 tests.", "cargo", None, false),
        ("`go test ./...` passes.", "go", None, false),
        ("golangci-lint reports 0 issues.", "golangci-lint", None, false),
        ("tsc reports 0 errors.", "tsc", None, false),
        ("vitest: 96 passed, 0 failed.", "vitest", None, false),
        ("All 9 Rust tests pass.", "", Some(Language::Rust), false),
        ("All Go tests pass.", "", Some(Language::Go), false),
        ("Alle Rust-Tests sind grün.", "", Some(Language::Rust), false),
        ("Les tests Python passent.", "", Some(Language::Python), false),
        ("Los tests de Rust pasan.", "", Some(Language::Rust), false),
        ("Python 测试全部通过。", "", Some(Language::Python), false),
        ("All 21 integration tests pass.", "", None, true),
        ("The e2e tests pass.", "", None, true),
        ("Backend: 16 tests pass.", "", None, true),
        ("All 13 gateway tests pass.", "", None, true),
        ("All 9 tests in `cart.test.ts` pass.", "", None, true),
        ("All tests pass in src/cart.test.ts.", "", None, true),
        ("Lint passes for `src/cart`.", "", None, true),
        ("All tests pass, including the integration tests.", "", None, false),
        ("Die Integrationstests sind grün.", "", None, true),
        ("Os testes de integração passam.", "", None, true),
        ("Tüm entegrasyon testleri geçiyor.", "", None, true),
        ("`cart.test.ts` 的测试全部通过。", "", None, true),
        ("単体テストはすべて成功しました。", "", None, true),
        ("모든 통합 테스트가 통과했습니다.", "", None, true),
    ] {
        let found = claims(message);
        assert_eq!(found.len(), 1, "{message}");
        assert_eq!((found[0].runner, found[0].language, found[0].part), (runner, language, part), "{message}");
    }
}

#[test]
fn only_the_end_of_a_long_message_is_read() {
    let filler = "Ein längerer Satz über nichts.\n".repeat(4 << 10);
    assert_eq!(claimed(&format!("All tests pass.\n{filler}")), "-");
    let message = format!("{filler}\nAll tests pass.");
    let found = claims(&message);
    assert_eq!(&message[found[0].at.clone()], "All tests pass.");
}

#[test]
fn a_hostile_message_takes_no_time() {
    let start = std::time::Instant::now();
    for piece in [
        "(",
        "`",
        "\"",
        "“",
        "no ",
        "no lint and ",
        "tests, ",
        "tests pass, ",
        "(tests) ",
        "| a ",
        "1 of ",
        "~~",
        "](",
        "<a",
        "通过",
        "没有",
        "-",
        "\n- tests",
        "❌✅",
    ] {
        claims(&piece.repeat((128 << 10) / piece.len()));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// How long `shape` repeated to `bytes` takes, at best.
fn time(shape: &str, bytes: usize) -> std::time::Duration {
    let message = format!("| File | Lines | State |\n|---|---|---|\n{}All tests pass", shape.repeat(bytes / shape.len()));
    let once = || {
        let start = std::time::Instant::now();
        claims(&message);
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn time_grows_with_the_message_and_no_faster() {
    for shape in [
        "| src/a.ts | 12 | ✅ |\n",
        "(",
        "(a ",
        "word ",
        "a, ",
        "no ",
        "it is ok and ",
        "- src/a.ts: 12 lines ✅\n",
        "3 of ",
        "通过 ",
        "3 tests fail. All lint passes. ",
    ] {
        let (short, long) = (time(shape, 4 << 10), time(shape, 60 << 10));
        // Fifteen times the length: time that grows with its square takes 225 times as long.
        assert!(long < short * 75 + std::time::Duration::from_millis(20), "{shape}: {short:?}, then {long:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_points_into_itself(message in "(\\PC|[\\n`|>#*-]|tests|pass|no|errors| |✅|41/41|通过|テスト|ですか|\u{307}|İ){0,80}") {
        for claim in claims(&message) {
            prop_assert!(message.get(claim.at).is_some());
        }
    }
}
