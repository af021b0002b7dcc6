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
    for file in std::fs::read_dir(folder).expect("the sentences").flatten().filter(|file| file.path().extension().is_some_and(|e| e == "txt")) {
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
fn show() {
    if let Ok(path) = std::env::var("CLAIMS_FILE") {
        for line in std::fs::read_to_string(path).unwrap().lines().filter(|l| l.contains('\t')) {
            let (want, message) = line.split_once('\t').expect("a tab");
            let mut want: Vec<&str> = want.split(',').collect();
            want.sort_unstable();
            let (want, found) = (want.join(","), claimed(&message.replace("\\n", "\n")));
            if want != found {
                println!("want {want}, found {found}: {message}");
            }
        }
    }
    let Ok(message) = std::env::var("CLAIM") else { return };
    for block in blocks::blocks(&message, 0) {
        let tokens = tokens::tokens(&message, block.at.clone());
        for sentence in sentences::sentences(&message, &tokens) {
            let own = &tokens[sentence.tokens.clone()];
            let lexicon = words::language(&message[span(own)], None);
            let roles: Vec<_> = lexicon.items(&message, own).iter().map(|item| format!("{:?}", item.role)).collect();
            println!("{} | {}", &message[span(own)], roles.join(" "));
        }
    }
    println!("{:?}", claims(&message));
}
