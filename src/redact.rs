//! Masks what looks like a secret in text that is about to be shown or stored.
//!
//! Five shapes: well-known key formats, a password in a URL, the value beside a telling name, the word after a
//! telling flag or `Bearer`, and the ways of programs that take a password as `-u name:it`, `-pit` or `-p it`. It
//! fails toward masking: a masked word costs a look at the transcript, a shown secret cannot be taken back.

use std::borrow::Cow;

const MASK: &str = "***";

/// How long a known key is at least: the shortest beginning, and what follows.
const SHORTEST_KEY: usize = 3 + 12;

/// Beginnings of key formats that their issuers publish.
const KEY_PREFIXES: &[&str] = &[
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_live_",
    "rk_live_",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "npm_",
    "pypi-",
    "hf_",
    "dop_v1_",
    "shpat_",
    "SG.",
    "hvs.",
    "hvb.",
    "eyJ",
];

/// Parts of a name that make its value a secret, in lower case.
const TELLING_NAMES: &[&str] =
    &["token", "secret", "passw", "apikey", "api_key", "api-key", "access_key", "access-key", "private_key", "credential", "auth_key"];

/// `text` with every word that looks like a secret replaced by `***`.
pub fn mask(text: &str) -> String {
    mask_front(text, usize::MAX)
}

/// The same of the front of a text: what is left of its words once there are this many bytes.
pub fn mask_front(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    let (mut after_telling, mut after_user, mut short_password) = (false, false, false);
    let (mut flag, mut before) = ("", "");
    for word in text.split_inclusive([' ', '\n', '\t']) {
        if out.len() > most {
            break;
        }
        let body = word.trim_end();
        let blank = &word[body.len()..];
        if after_telling && !body.is_empty() && !body.starts_with('-') {
            out.push_str(MASK);
            after_telling = false;
        } else if let Some((name, _)) = body.split_once(':').filter(|_| after_user) {
            out.extend([name, ":", MASK]);
        } else if short_password && body.len() > 2 && body.starts_with("-p") {
            out.extend(["-p", MASK]);
        } else {
            out.push_str(&mask_word(body));
            after_telling = announces_secret(body) || body == flag || has_secret_behind(before, body);
        }
        after_user = matches!(body, "-u" | "--user" | "--proxy-user");
        let name = body.rsplit('/').next().unwrap_or(body);
        short_password |= takes_short_password(name);
        flag = password_flag(name).unwrap_or(flag);
        before = if body.is_empty() { before } else { name };
        out.push_str(blank);
    }
    out
}

/// Does the program take a password right behind `-p`?
fn takes_short_password(program: &str) -> bool {
    matches!(program, "mysql" | "mysqldump" | "mysqladmin" | "mariadb" | "mariadb-dump" | "sshpass")
}

/// The flag that does not tell it and has a password behind it, of the programs that have such a one.
fn password_flag(program: &str) -> Option<&'static str> {
    match program {
        "sshpass" | "docker" | "podman" => Some("-p"),
        "redis-cli" => Some("-a"),
        "zip" | "unzip" | "sqlcmd" => Some("-P"),
        "ldapsearch" | "ldapmodify" => Some("-w"),
        "gh" => Some("--body"),
        _ => None,
    }
}

/// Are these a program and its subcommand whose next word is the secret?
fn has_secret_behind(program: &str, subcommand: &str) -> bool {
    program == "vault" && matches!(subcommand, "login" | "unseal")
}

/// Is the next word the secret? `--password`, `Authorization: Bearer`.
fn announces_secret(word: &str) -> bool {
    let word = word.trim_start_matches(['"', '\'']);
    let named = (word.starts_with("--") && !word.contains('=')) || word.ends_with(':');
    (named && is_telling(&word.to_ascii_lowercase())) || word.eq_ignore_ascii_case("bearer")
}

fn is_telling(name: &str) -> bool {
    TELLING_NAMES.iter().any(|part| name.contains(part))
}

fn mask_word(word: &str) -> Cow<'_, str> {
    if word.len() < SHORTEST_KEY && !word.bytes().any(|byte| matches!(byte, b'=' | b':')) {
        return word.into();
    }
    if let Some((name, value)) = word.split_once(['=', ':'])
        && is_telling(&name.to_ascii_lowercase())
        && !value.is_empty()
        && !value.starts_with('$')
    {
        return format!("{}{}{MASK}", name, &word[name.len()..=name.len()]).into();
    }
    if word.len() < SHORTEST_KEY {
        return mask_url_password(word);
    }
    mask_known_keys(mask_url_password(word))
}

/// `scheme://user:password@host`.
fn mask_url_password(word: &str) -> Cow<'_, str> {
    let Some(start) = word.find("://").map(|at| at + 3) else { return word.into() };
    let host = &word[start..];
    let authority = &host[..host.find('/').unwrap_or(host.len())];
    match (authority.find(':'), authority.rfind('@')) {
        (Some(colon), Some(at)) if colon < at => format!("{}{MASK}{}", &word[..=start + colon], &word[start + at..]).into(),
        _ => word.into(),
    }
}

fn mask_known_keys(word: Cow<'_, str>) -> Cow<'_, str> {
    let is_key_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_key = |run: &str| {
        run.len() >= SHORTEST_KEY && KEY_PREFIXES.iter().any(|prefix| run.starts_with(prefix) && run.len() >= prefix.len() + 12)
    };
    if !word.split(|c| !is_key_char(c)).any(is_key) {
        return word;
    }
    let runs = word.split_inclusive(|c| !is_key_char(c)).map(|run| {
        let key = run.trim_end_matches(|c| !is_key_char(c));
        if is_key(key) { format!("{MASK}{}", &run[key.len()..]) } else { run.to_owned() }
    });
    runs.collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn secrets_are_masked_and_the_rest_stays() {
        for (text, want) in [
            ("cp a.txt /tmp/a.bak", "cp a.txt /tmp/a.bak"),
            ("curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: Bearer *** x"),
            ("git clone https://me:hunter2@host.example/r.git", "git clone https://me:***@host.example/r.git"),
            ("git clone https://host.example:8443/a@b", "git clone https://host.example:8443/a@b"),
            ("DB_PASSWORD=hunter2 run", "DB_PASSWORD=*** run"),
            ("DB_PASSWORD=$PW run", "DB_PASSWORD=$PW run"),
            ("login --token hunter2 now", "login --token *** now"),
            ("login --token=hunter2", "login --token=***"),
            ("curl -u bob:hunter2 https://h.example", "curl -u bob:*** https://h.example"),
            ("docker run -u 1000 -p8080:80 img", "docker run -u 1000 -p8080:80 img"),
            ("mysql -uroot -phunter2 db", "mysql -uroot -p*** db"),
            ("sshpass -p hunter2 ssh box", "sshpass -p *** ssh box"),
            ("/usr/bin/sshpass -phunter2 ssh box", "/usr/bin/sshpass -p*** ssh box"),
            ("vault login s.4Xcj && vault status", "vault login *** && vault status"),
            ("redis-cli -a hunter2 -p 6379 ping", "redis-cli -a *** -p 6379 ping"),
            ("mkdir -p a && zip -r a.zip a", "mkdir -p a && zip -r a.zip a"),
            ("use ghp_0123456789abcdefghij, then", "use ***, then"),
            ("skip sk-ip", "skip sk-ip"),
        ] {
            assert_eq!(mask(text), want);
        }
    }
}
