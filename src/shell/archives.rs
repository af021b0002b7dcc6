//! Programs that pack and unpack.

use super::args::Args;
use super::programs::{Flow, Io, generic};
use super::words::Word;
use super::{Path, Sink};

pub(super) fn tar(io: &mut Io, args: &[Word], cwd: &Path) {
    // The first word may be a cluster without its dash.
    let mut words = args.to_vec();
    if let Some(first) = words.first_mut()
        && let Some(text) = first.text()
        && !text.starts_with('-')
        && text.chars().all(|c| c.is_ascii_alphabetic())
    {
        *first = Word::text_of(format!("-{text}"));
    }
    let args = Args::read(
        &words,
        "fCTXIb",
        &["file", "directory", "files-from", "exclude", "exclude-from", "transform", "strip-components", "use-compress-program"],
    );
    let dir = args.value(&["C", "directory"]).map(|word| word.path(cwd));
    let file = args.value(&["f", "file"]).filter(|word| !word.is("-") && !word.head().contains(':'));
    if args.has(&["x", "extract", "get"]) {
        let flow = if args.has(&["O", "to-stdout"]) { Flow::Out } else { Flow::To(Sink::Into(dir.clone().unwrap_or_else(|| cwd.clone()))) };
        match file {
            Some(word) => io.read(word.path(cwd), flow),
            None => io.stdin = Some(flow),
        }
        if let Some(dir) = dir {
            io.write(dir, false);
        }
    } else if args.has(&["c", "create", "r", "append", "u", "update"]) {
        let archive = file.map(|word| word.path(cwd));
        let flow = archive.clone().map_or(Flow::Out, |path| Flow::To(Sink::Into(path)));
        io.read_all(&args.operands, dir.as_ref().unwrap_or(cwd), &flow);
        io.read_all(args.values(&["T", "files-from"]), cwd, &Flow::To(Sink::Argument));
        if let Some(path) = archive {
            io.write(path, args.has(&["c", "create"]));
        }
    } else if let Some(word) = file {
        io.read(word.path(cwd), Flow::To(Sink::Look));
    } else {
        io.stdin = Some(Flow::To(Sink::Look));
    }
}

/// `zip`, `unzip`, `7z`, `cpio`.
pub(super) fn archive(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    match name {
        "unzip" => {
            let args = Args::read(args, "dxP", &[]);
            let Some(file) = args.operands.first() else { return };
            let flow = if args.has(&["l", "t", "Z", "v"]) {
                Flow::To(Sink::Look)
            } else if args.has(&["p", "c"]) {
                Flow::Out
            } else {
                let dir = args.value(&["d"]).map(|word| word.path(cwd));
                if let Some(dir) = &dir {
                    io.write(dir.clone(), false);
                }
                Flow::To(Sink::Into(dir.unwrap_or_else(|| cwd.clone())))
            };
            io.read(file.path(cwd), flow);
        }
        "zip" => {
            let args = Args::read(args, "xinbtP", &[]);
            let Some((file, rest)) = args.operands.split_first() else { return };
            if file.is("-") {
                io.read_all(rest, cwd, &Flow::Out);
                return;
            }
            let mut archive = file.path(cwd);
            if archive.base_name().is_some_and(|base| !base.contains('.')) {
                archive.text.push_str(".zip");
            }
            io.read_all(rest, cwd, &Flow::To(Sink::Into(archive.clone())));
            io.write(archive, true);
        }
        "cpio" => {
            let args = Args::read(args, "DFIOHE", &["directory", "file", "format"]);
            let dir = args.value(&["D", "directory"]).map_or_else(|| cwd.clone(), |word| word.path(cwd));
            let extract = Flow::To(Sink::Into(dir));
            if args.has(&["i", "extract"]) {
                match args.value(&["F", "I", "file"]) {
                    Some(word) => io.read(word.path(cwd), extract),
                    None => io.stdin = Some(extract),
                }
            } else {
                io.stdin = Some(Flow::To(Sink::Argument));
            }
        }
        _ => {
            let (verb, rest) = match args.split_first() {
                Some((verb, rest)) => (verb.text().unwrap_or(""), rest),
                None => return,
            };
            let dir = rest.iter().find_map(|word| word.strip_prefix("-o")).map_or_else(|| cwd.clone(), |word| word.path(cwd));
            let operands: Vec<Word> = rest.iter().filter(|word| !word.head().starts_with('-')).cloned().collect();
            let Some((file, inputs)) = operands.split_first() else { return };
            match verb {
                "x" | "e" => io.read(file.path(cwd), Flow::To(Sink::Into(dir))),
                "a" | "u" => {
                    let archive = file.path(cwd);
                    io.read_all(inputs, cwd, &Flow::To(Sink::Into(archive.clone())));
                    io.write(archive, verb == "a");
                }
                _ => generic(io, rest, cwd),
            }
        }
    }
}

/// Endings that go when a file is unpacked, by program family.
const ENDINGS: [&str; 5] = [".gz", ".bz2", ".xz", ".zst", ".lz4"];

/// `gzip`, `gunzip` and the like: they put a file in another's place, or filter.
pub(super) fn compress(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    let args = Args::read(args, "So", &["suffix"]);
    if args.operands.is_empty() || args.has(&["c", "stdout", "to-stdout"]) {
        io.stdin = Some(Flow::Out);
        io.read_all(&args.operands, cwd, &Flow::Out);
        return;
    }
    if args.has(&["t", "l", "test", "list"]) {
        io.read_all(&args.operands, cwd, &Flow::To(Sink::Look));
        return;
    }
    let unpack = name.starts_with("un") || matches!(name, "gunzip" | "bunzip2") || args.has(&["d", "decompress", "uncompress"]);
    let keep = args.has(&["k", "keep"]) || name.contains("zst") || name.contains("lz4");
    let ending = match name {
        "gzip" => ".gz",
        "bzip2" => ".bz2",
        "xz" => ".xz",
        "zstd" => ".zst",
        _ => ".lz4",
    };
    for word in &args.operands {
        let source = word.path(cwd);
        let mut result = args.value(&["o"]).map_or_else(|| source.clone(), |word| word.path(cwd));
        if result == source {
            match (unpack, ENDINGS.iter().find_map(|ending| source.text.strip_suffix(ending))) {
                (true, Some(text)) => text.clone_into(&mut result.text),
                (true, None) => result = Path::unknown(),
                (false, _) => result.text.push_str(ending),
            }
        }
        io.read(source.clone(), Flow::To(Sink::Into(result.clone())));
        io.write(result, true);
        if !keep {
            io.removes.push(source);
        }
    }
}
