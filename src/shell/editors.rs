//! Programs that edit files in place, or filter them by a program of their own: `sed`, `awk`, `perl`, `ruby`.

use super::args::Args;
use super::lexer::Language;
use super::programs::{Flow, Io, Written, filter, generic};
use super::words::Word;
use super::{Path, Root, Sink};

/// What an in-place edit writes: the file, and before it a copy under its name with the suffix.
fn edited(io: &mut Io, operands: &[Word], suffix: &str, cwd: &Path) {
    for word in operands {
        let path = word.path(cwd);
        if !suffix.is_empty() && path.root != Root::Unknown && !path.folder {
            let backup = Path { text: format!("{}{suffix}", path.text), ..path.clone() };
            io.read(path.clone(), Flow::To(Sink::Into(backup.clone())));
            io.writes.push(Written { path: backup, whole: true, copy_of: (!path.glob).then(|| path.clone()) });
        }
        io.write(path, false);
    }
}

/// The suffix behind the `i` of the option at `at`, which is taken away from it lest its letters are read as options.
/// One that starts with a letter is options more likely, and one with a `*` or a `/` is a pattern for another name.
fn take_suffix(words: &mut [Word], at: usize, suffix: &str) -> String {
    if suffix.starts_with(|c: char| c.is_ascii_alphanumeric()) || suffix.contains(['*', '/']) {
        return String::new();
    }
    if let Some(word) = words.get_mut(at)
        && let Some(option) = word.text().and_then(|text| text.strip_suffix(suffix))
    {
        *word = Word::text_of(option.trim_end_matches('='));
    }
    suffix.to_owned()
}

pub(super) fn sed(io: &mut Io, args: &[Word], cwd: &Path) {
    // BSD's `-i ''` gives the empty suffix as a word of its own.
    let mut words = args.to_vec();
    if let Some(at) = words.iter().position(|word| word.is("-i"))
        && words.get(at + 1).is_some_and(|word| word.is(""))
    {
        words.remove(at + 1);
    }
    let in_place = words.iter().enumerate().find_map(|(at, word)| {
        let head = word.head();
        if let Some(rest) = head.strip_prefix("--in-place") {
            return Some((at, rest.strip_prefix('=').unwrap_or("").to_owned()));
        }
        let (flags, suffix) = head.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?.split_once('i')?;
        flags.chars().all(|c| "nErsuz".contains(c)).then(|| (at, suffix.to_owned()))
    });
    let suffix = in_place.map(|(at, suffix)| take_suffix(&mut words, at, &suffix));
    let args = Args::read(&words, "efl", &["expression", "file", "line-length"]);
    let skip = usize::from(!args.has(&["e", "expression", "f", "file"]));
    io.read_all(args.values(&["f", "file"]), cwd, &Flow::To(Sink::Run));
    let operands = args.operands.get(skip..).unwrap_or(&[]);
    match suffix {
        Some(suffix) => edited(io, operands, &suffix, cwd),
        None => filter(io, operands, cwd),
    }
}

pub(super) fn awk(io: &mut Io, args: &[Word], cwd: &Path) {
    let read = Args::read(args, "Ffvi", &["file", "assign", "field-separator", "include"]);
    let in_place = read.values(&["i", "include"]).any(|word| word.is("inplace"));
    let skip = usize::from(!read.has(&["f", "file"]));
    io.read_all(read.values(&["f", "file"]), cwd, &Flow::To(Sink::Run));
    let operands: Vec<Word> = read.operands.iter().skip(skip).filter(|word| !word.head().contains('=')).cloned().collect();
    if in_place {
        io.edit_all(&operands, cwd);
    } else {
        filter(io, &operands, cwd);
    }
}

/// `perl -pi -e … f`, `ruby -ne … f`; without `-e` the first operand is the script.
pub(super) fn one_liner(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    // In perl the suffix of `-i` is attached, so a cluster is read by hand up to the `e`.
    let in_place = args.iter().enumerate().find_map(|(at, word)| {
        let cluster = word.head().strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
        let letter = cluster.find(['i', 'e', 'E', 'M', 'I']).filter(|at| cluster[*at..].starts_with('i'))?;
        Some((at, cluster[letter + 1..].to_owned()))
    });
    let mut words = args.to_vec();
    let suffix = in_place.map(|(at, suffix)| take_suffix(&mut words, at, &suffix));
    let read = Args::read(&words, "eEMI", &[]);
    let code = read.value(&["e", "E"]);
    let Some(code) = code else {
        if let Some((script, rest)) = read.operands.split_first().filter(|(script, _)| !script.is("-")) {
            io.read(script.path(cwd), Flow::To(Sink::Run));
            generic(io, rest, cwd);
        } else {
            io.stdin = Some(Flow::To(Sink::Run));
            io.stdin_script = Language::of(name);
        }
        return;
    };
    if let Some(suffix) = suffix {
        edited(io, &read.operands, &suffix, cwd);
    } else if read.has(&["n", "p"]) {
        filter(io, &read.operands, cwd);
    } else {
        io.read_all(&read.operands, cwd, &Flow::To(Sink::Argument));
        io.stdin = Some(Flow::Out);
    }
    io.script = Language::of(name).zip(code.text().map(str::to_owned));
    io.words = Some(Flow::To(Sink::Run));
}
