//! The paths that a text says are there. What is an example, a pattern, an address or a command is none, nor is what
//! the text itself calls gone.

use super::markdown::{self, Span};
use super::words::{holds, sentence, words};

/// Longest path that is looked at, in bytes.
const MAX_PATH_BYTES: usize = 512;
/// Most paths of one text that are looked at.
const MAX_LOOKED_AT: usize = 4096;

/// A path that a text says is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathClaim {
    /// As it is written, without what follows the path.
    pub shown: String,
    /// Where it starts.
    pub from: From,
    /// What follows from there.
    pub rest: String,
    /// Line of the text, counted from 1.
    pub line: u32,
}

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The project.
    Project,
    /// The home folder.
    Home,
    /// The root of the file system.
    Root,
}

/// The paths that `text` says are there, each once.
pub fn claims(text: &str) -> Vec<PathClaim> {
    let mut found: Vec<PathClaim> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut looked_at = 0;
    // What a heading, or the words above a list, say of all that follows.
    let (mut section_gone, mut list_gone) = (false, false);
    for (number, line) in markdown::prose(text) {
        if let Some(title) = markdown::heading(line) {
            section_gone = says_gone(&words(title));
            list_gone = false;
        } else if line.trim_end().ends_with(':') {
            list_gone = says_gone(&words(line));
        } else if !line.trim().is_empty() && !markdown::is_item(line) && !line.starts_with([' ', '\t']) {
            list_gone = false;
        }
        if section_gone || list_gone || !line.contains(['/', '\\']) {
            continue;
        }
        for (at, candidate, code) in candidates(line) {
            let Some(claim) = claim(candidate, code, number).filter(|claim| !seen.contains(&claim.shown)) else { continue };
            if looked_at == MAX_LOOKED_AT {
                return found;
            }
            looked_at += 1;
            if !called_gone(line, at, candidate) {
                seen.insert(claim.shown.clone());
                found.push(claim);
            }
        }
    }
    found
}

/// Words of a line that may be paths: where each begins, itself, and whether it stands between backticks.
fn candidates(line: &str) -> Vec<(usize, &str, bool)> {
    let mut found = Vec::new();
    for Span { at, text, code } in markdown::spans(line) {
        if code {
            // What holds a blank is a command, and its words may be anything.
            let inner = text.trim();
            if !inner.contains(char::is_whitespace) {
                found.push((at + (text.len() - text.trim_start().len()), inner, true));
            }
            continue;
        }
        let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '"' | '|');
        for word in text.split(separator).filter(|word| word.contains('/')) {
            // `[text](target)`
            let target = word.rfind("](").map_or(word, |middle| &word[middle + 2..]);
            let target = target.trim_start_matches(['(', '\'', '[', '<', '*', '“', '‘']);
            found.push((at + (target.as_ptr() as usize - text.as_ptr() as usize), target, false));
        }
    }
    found
}

/// The path that a word is, if it is one.
fn claim(word: &str, code: bool, line: u32) -> Option<PathClaim> {
    if word.len() > MAX_PATH_BYTES || word.contains("://") || word.starts_with("//") {
        return None;
    }
    let expanded = ["$HOME/", "${HOME}/"].iter().find_map(|home| word.strip_prefix(home)).map(|rest| format!("~/{rest}"));
    let shown = without_place(expanded.as_deref().unwrap_or(word));
    let shown = shown.trim_end_matches([')', '}', ']', '.', ',', ';', ':', '!', '?', '\'', '>', '*', '”', '’']);
    if shown.contains(['*', '?', '{', '}', '<', '>', '$', '|', '&', ';', '=', '"', '\\', '`', '…', '%', '^', '[', ']', ':', '(', ')'])
        || shown.contains("...")
        || shown.starts_with('@')
    {
        return None;
    }
    let (from, rest) = match shown {
        path if path.starts_with("~/") => (From::Home, &path[2..]),
        path if path.starts_with('/') => (From::Root, path),
        path if path.starts_with('~') => return None,
        path => (From::Project, path),
    };
    let segments: Vec<&str> = rest.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    let names = segments.iter().filter(|segment| **segment != "..").count();
    let (first, last) = (*segments.first()?, *segments.last()?);
    let explicit = shown.starts_with("./") || shown.starts_with("../");
    let has_extension = extension(last).is_some_and(|it| code || is_known(it));
    let folder = code && shown.ends_with('/');
    let is_path = match from {
        From::Home => names >= 1,
        // `/clear` is a command of the client's, `/blog` an address.
        From::Root => names >= 2,
        From::Project if explicit => names >= 1 && (has_extension || code),
        From::Project => shown.contains('/') && names >= 2 && (has_extension || folder) && !is_host(first),
    };
    let is_name = segments.iter().any(|segment| is_placeholder(segment)) || rest.contains("path/to/");
    let is_ref = segments.iter().any(|segment| segment.len() > 2 && segment.contains(".."))
        || extension(last) == Some("git")
        || (BRANCH_PREFIXES.contains(&first) && !extension(last).is_some_and(is_known));
    if !is_path || is_name || is_ref || is_technology(last, names) {
        return None;
    }
    Some(PathClaim { shown: shown.to_owned(), from, rest: rest.trim_start_matches("./").to_owned(), line })
}

/// Without `:12`, `:12:3`, `#L12` or `::name` behind the path.
fn without_place(word: &str) -> &str {
    let end = word.find('#').unwrap_or(word.len());
    let word = &word[..end];
    match word.find(':') {
        // Before a colon there is a path only where it is one already: not in `localhost:3000/a`, not in `C:/a`.
        Some(colon) if word[..colon].contains('/') => &word[..colon],
        _ => word,
    }
}

/// What follows the last dot: short, of letters and digits, and not of digits alone.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let plain = (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let version = stem.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !stem.is_empty();
    (plain && !version && extension.bytes().any(|byte| byte.is_ascii_alphabetic())).then_some(extension)
}

fn is_known(extension: &str) -> bool {
    KNOWN_EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
}

/// `github.com`, `Node.js`: a first part with a dot inside is no folder of a project's.
fn is_host(first: &str) -> bool {
    first.trim_start_matches('.').contains('.')
}

/// `Node.js` and the like, in a list of two.
fn is_technology(last: &str, names: usize) -> bool {
    names == 2 && TECHNOLOGIES.contains(&last.to_ascii_lowercase().as_str())
}

/// A name that stands for others: `YYYY-MM-DD`, `foo.ts`, `your-app`.
fn is_placeholder(segment: &str) -> bool {
    let stem = segment.split('.').find(|part| !part.is_empty()).unwrap_or(segment);
    let lower = stem.to_ascii_lowercase();
    PLACEHOLDERS.contains(&lower.as_str())
        || lower.starts_with("your-")
        || lower.starts_with("your_")
        || ["YYYY", "XXX", "NNN"].iter().any(|mark| stem.contains(mark))
}

/// Does the text around a path say that it is gone, or not there yet?
fn called_gone(line: &str, at: usize, path: &str) -> bool {
    let (start, sentence) = sentence(line, at);
    let before = words(&sentence[..at - start]);
    let after = words(&line[(at + path.len()).min(start + sentence.len())..start + sentence.len()]);
    let around: Vec<String> = before.iter().chain(&["\0".to_owned()]).chain(&after).cloned().collect();
    let moved = |words: &[String]| MOVED.iter().any(|verb| holds(words, verb));
    let near = &before[before.len().saturating_sub(NEAR)..];
    if near.iter().any(|word| NEGATIONS.contains(&word.as_str()) || MAKING.contains(&word.as_str())) {
        return true;
    }
    match before.last().map(String::as_str) {
        Some("from") if moved(&before) => true,
        // "renamed to x", "removed in x": x is there.
        Some("to" | "into" | "by" | "with" | "in" | "from" | "as" | "see" | "at") => NOT_THERE.iter().any(|phrase| holds(&after, phrase)),
        _ => says_gone(&around),
    }
}

fn says_gone(words: &[String]) -> bool {
    GONE.iter().chain(NOT_THERE).chain(MOVED).any(|phrase| holds(words, phrase))
}

/// What is said of a file that was taken away, or is one among many.
const GONE: &[&str] = &[
    "removed",
    "deleted",
    "gone",
    "dropped",
    "obsolete",
    "superseded",
    "replaced",
    "merged into",
    "folded into",
    "got rid of",
    "used to",
    "formerly",
    "previously",
    "e.g",
    "for example",
    "for instance",
    "such as",
    "remove",
    "delete",
    "removing",
    "deleting",
];

/// What is said of a file that is not there.
const NOT_THERE: &[&str] = &[
    "no longer",
    "not exist",
    "doesn't exist",
    "doesn’t exist",
    "don't exist",
    "does not yet exist",
    "not yet",
    "was removed",
    "was deleted",
    "were removed",
    "were deleted",
    "will be created",
    "will be added",
    "to be created",
    "should be created",
    "would be",
    "planned",
    "proposed",
    "to create",
    "will create",
    "should create",
    "gitignored",
    "git-ignored",
    "ignored by git",
    "not committed",
    "not in git",
    "untracked",
    "is missing",
    "optional",
    "if present",
    "if it exists",
    "generated at build",
    "build output",
    "created at runtime",
];

/// How many words before a path may deny it, or say that it is yet to be made.
const NEAR: usize = 3;
const NEGATIONS: &[&str] =
    &["no", "not", "never", "without", "don't", "don’t", "doesn't", "isn't", "avoid", "neither", "nor", "lacks", "missing"];
const MAKING: &[&str] =
    &["create", "creates", "creating", "add", "adding", "generates", "writes", "write", "emits", "produces", "outputs", "touch", "todo"];

/// What the names of branches begin with.
const BRANCH_PREFIXES: &[&str] = &[
    "bugfix",
    "chore",
    "dependabot",
    "feat",
    "feature",
    "fix",
    "heads",
    "hotfix",
    "origin",
    "refs",
    "release",
    "releases",
    "renovate",
    "upstream",
];

/// Verbs after which `from` names the old place.
const MOVED: &[&str] = &["moved", "renamed", "migrated", "extracted", "split", "split out", "ported", "copied", "relocated"];

/// Extensions by which a word of prose is known for a file.
const KNOWN_EXTENSIONS: &[&str] = &[
    "adoc",
    "astro",
    "avif",
    "bash",
    "bat",
    "bib",
    "bz2",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "cmd",
    "conf",
    "cpp",
    "cs",
    "csproj",
    "css",
    "csv",
    "cts",
    "cu",
    "cxx",
    "dart",
    "db",
    "diff",
    "ejs",
    "elm",
    "env",
    "erl",
    "ex",
    "exs",
    "fish",
    "fs",
    "go",
    "gql",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "hbs",
    "hcl",
    "hpp",
    "hs",
    "htm",
    "html",
    "ico",
    "ini",
    "ipynb",
    "java",
    "jl",
    "jpeg",
    "jpg",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lisp",
    "lock",
    "log",
    "lua",
    "m",
    "md",
    "mdc",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mts",
    "nim",
    "nix",
    "patch",
    "pdf",
    "php",
    "pl",
    "plist",
    "png",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "pug",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scss",
    "sh",
    "sln",
    "sol",
    "sql",
    "sqlite",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "tfvars",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "ttf",
    "txt",
    "vb",
    "vim",
    "vue",
    "wasm",
    "webp",
    "woff2",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Products that are named like files.
const TECHNOLOGIES: &[&str] = &[
    "alpine.js",
    "asp.net",
    "backbone.js",
    "chart.js",
    "d3.js",
    "discord.js",
    "ember.js",
    "express.js",
    "koa.js",
    "lit.js",
    "moment.js",
    "nest.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "p5.js",
    "preact.js",
    "react.js",
    "require.js",
    "solid.js",
    "socket.io",
    "svelte.js",
    "three.js",
    "vue.js",
];

/// Names that stand for any other.
const PLACEHOLDERS: &[&str] =
    &["foo", "bar", "baz", "qux", "foobar", "xyz", "xxx", "placeholder", "somefile", "some-file", "my-file", "myfile"];

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        claims(text).into_iter().map(|claim| claim.shown).collect()
    }

    #[test]
    fn paths_of_every_shape_are_seen() {
        for (text, path) in [
            ("The client lives in `src/api/client.ts` and is generated.", "src/api/client.ts"),
            ("The client lives in src/api/client.ts.", "src/api/client.ts"),
            ("see src/api/client.ts:42, and", "src/api/client.ts"),
            ("see `src/api/client.ts:42:7`", "src/api/client.ts"),
            ("see `src/api/client.rs::build`", "src/api/client.rs"),
            ("see [the client](src/api/client.ts#L10)", "src/api/client.ts"),
            ("(src/a/b.py)", "src/a/b.py"),
            ("**src/a/b.py**:", "src/a/b.py"),
            ("'src/a/b.py'!", "src/a/b.py"),
            ("- `./scripts/run.sh`", "./scripts/run.sh"),
            ("`../lib/src/x.rs`", "../lib/src/x.rs"),
            ("config in ~/.config/app/x.toml", "~/.config/app/x.toml"),
            ("config in `$HOME/.config/app`", "~/.config/app"),
            ("`/home/u/app/src/x.ts`", "/home/u/app/src/x.ts"),
            ("the folder `src/api/`", "src/api/"),
            (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
            ("`a/b.customx`", "a/b.customx"),
            ("docs/größe/x.md", "docs/größe/x.md"),
            ("it moved to `src/new/x.ts`", "src/new/x.ts"),
            ("the cache was removed in src/db/x.ts", "src/db/x.ts"),
            ("not in `src/x.ts`, but in `src/db/x.ts`", "src/db/x.ts"),
            ("The old one is gone. See src/db/x.ts", "src/db/x.ts"),
        ] {
            assert_eq!(shown(text), [path], "{text}");
        }
        assert_eq!(shown("a/b.ts, c/d.ts,e/f.ts | `a/b.ts`"), ["a/b.ts", "c/d.ts", "e/f.ts"], "each once");
    }

    #[test]
    fn what_only_looks_like_a_path_is_none() {
        for text in [
            "https://example.com/a/b.html and http://x/y.js",
            "//cdn.example.com/x.js",
            "example.com/docs/x.html",
            "github.com/me/app.git",
            "run /clear or /compact",
            "the /blog page",
            "and/or, client/server, TCP/IP, n/a",
            "TypeScript/Node.js and Node.js/Express.js",
            "about ~80% or ~2x or ~5/10",
            "`src/**/*.ts` and src/*.ts",
            "`src/{a,b}.ts` and `src/<name>.ts` and `src/${x}.ts`",
            "`src/[slug]/page.tsx`",
            "`node scripts/build.js --prod`",
            "python/3.11 and release/1.2.0",
            "`owner/repo` `origin/main` `feature/x` `text/html`",
            "`@scope/pkg/file.js` and `@/components/x.tsx`",
            "localhost:3000/api/x.json",
            "`C:/Users/me/x.ts` and C:\\Users\\me\\x.ts",
            "path/to/file.ts and src/foo.ts and logs/YYYY-MM-DD.log",
            "your-app/src/x.ts",
            "~root/x.ts",
            ".../x/y.ts",
            "```\nsrc/a/b.ts\n```",
            "~~~\nsrc/a/b.ts\n~~~",
            "key=src/a/b.ts",
            "`origin/main..HEAD` and `feature/add-x.y` and `me/app.git`",
        ] {
            assert_eq!(shown(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn what_the_text_calls_gone_is_no_claim() {
        for text in [
            "`src/old/x.ts` was removed in May",
            "We deleted src/old/x.ts",
            "`src/old/x.ts` no longer exists",
            "renamed `src/old/x.ts` to it",
            "moved from src/old/x.ts",
            "## Removed files\n\n- src/old/x.ts",
            "These are gone:\n- src/old/x.ts\n- src/old/y.ts",
            "`conf/local.json` is git-ignored",
            "name it e.g. `src/pages/about.tsx`",
            "There is no `src/index.ts`, never commit `config/secrets.yml`",
            "To add a page, create `src/pages/about.tsx`",
            "it writes to `reports/out/x.json`",
        ] {
            assert_eq!(shown(text), [] as [&str; 0], "{text}");
        }
        assert_eq!(shown("These are gone:\n- src/old/x.ts\n\nThe rest is in src/new/x.ts"), ["src/new/x.ts"]);
    }

    #[test]
    fn hostile_text_costs_little() {
        let text = format!("x{} {}", "`".repeat(100_000), "a/b.ts ".repeat(200_000));
        assert_eq!(shown(&text).len(), 1);
        assert!(claims(&"/a/b.c ".repeat(10)).len() == 1);
    }
}
