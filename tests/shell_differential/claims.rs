//! What `shell` says of a command, with its paths in the sandbox.

use turnstop::shell::{Dialect, EffectKind, Path, Root, Sink, effects};

/// A path as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    At {
        path: String,
        glob: bool,
    },
    /// It cannot be known.
    Unknown,
}

impl Place {
    fn of(path: &Path, root: &str) -> Place {
        let base = match path.root {
            Root::Unknown => return Place::Unknown,
            Root::Absolute => String::new(),
            Root::Cwd | Root::Project => format!("{root}/work"),
            Root::Home => format!("{root}/home"),
            Root::TempDir => format!("{root}/tmp"),
        };
        Place::At { path: super::trace::join(&base, path.text.trim_start_matches('/')), glob: path.glob }
    }

    /// It is `actual`, or a folder above it, or a pattern for one of the two.
    pub(crate) fn covers(&self, actual: &str) -> bool {
        match self {
            Place::Unknown => false,
            Place::At { path, glob: false } => {
                path == "/" || actual.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            Place::At { path, glob: true } => {
                let mut names = actual.split('/');
                path.split('/').all(|pattern| names.next().is_some_and(|name| matches(pattern.as_bytes(), name.as_bytes())))
            }
        }
    }
}

/// A name matches a pattern of the shell.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern {
        [] => name.is_empty(),
        [b'*', rest @ ..] => (0..=name.len()).any(|at| matches(rest, &name[at..])),
        [b'?', rest @ ..] => !name.is_empty() && matches(rest, &name[1..]),
        [b'[', rest @ ..] => {
            let Some(end) = rest.iter().skip(1).position(|byte| *byte == b']').map(|at| at + 1) else { return false };
            let (set, negated) = match &rest[..end] {
                [b'!' | b'^', set @ ..] => (set, true),
                set => (set, false),
            };
            let Some((first, others)) = name.split_first() else { return false };
            let ranged = set.windows(3).any(|window| window[1] == b'-' && window[0] <= *first && *first <= window[2]);
            (ranged || set.contains(first)) != negated && matches(&rest[end + 1..], others)
        }
        [byte, rest @ ..] => name.first() == Some(byte) && matches(rest, &name[1..]),
    }
}

/// What becomes of bytes that are read, with its place in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Use {
    Into(Place),
    Look,
    /// They are handed to something that is not seen into.
    Handed,
    /// They are executed, or change files by what they say.
    Obeyed,
}

/// One effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Claim {
    Read(Place, Use),
    Write {
        place: Place,
        whole: bool,
        copy_of: Option<Place>,
    },
    Remove(Place),
    /// Files below the folder are changed, but not told which.
    Changes(Place),
}

/// Everything that is said of a command.
#[derive(Debug)]
pub(crate) struct Claims {
    pub(crate) list: Vec<Claim>,
    /// A command that is run cannot be told at all.
    pub(crate) opaque: bool,
}

impl Claims {
    pub(crate) fn of(text: &str, root: &str) -> Claims {
        let found = effects(text, Dialect::Bash);
        // A program without a name that is not a mere redirect.
        let nameless = |index: usize| found.commands[index].program.is_empty() && !found.list.iter().any(|effect| effect.command == index);
        let opaque = found.approximate || (0..found.commands.len()).any(nameless);
        let mut list = Vec::new();
        for effect in &found.list {
            let place = |path: &Path| Place::of(path, root);
            list.push(match &effect.kind {
                EffectKind::Read { path, sink } => {
                    let used = match sink {
                        Sink::Into(to) => Use::Into(place(to)),
                        Sink::Apply | Sink::Run => Use::Obeyed,
                        Sink::Quote | Sink::Argument => Use::Handed,
                        Sink::Look => Use::Look,
                    };
                    Claim::Read(place(path), used)
                }
                EffectKind::Write { path, whole, copy_of } => {
                    Claim::Write { place: place(path), whole: *whole, copy_of: copy_of.as_ref().map(place) }
                }
                EffectKind::Remove { path } => Claim::Remove(place(path)),
                EffectKind::Git { dir, .. } => Claim::Changes(place(dir)),
                // The directory is in the paths; what `mktemp` makes has a name nobody can tell.
                EffectKind::ChangeDir { .. } | EffectKind::MakeTemp => continue,
            });
        }
        Claims { list, opaque }
    }
}
