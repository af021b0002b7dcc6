//! Paths as far as a text tells them: joining, folding and what counts as a file at all.

use std::ops::Range;

use super::{Path, Root};

/// What is longer is no path on any system, in bytes.
const MAX_LENGTH: usize = 4096;

/// Where the outputs stand that variables hold.
const OUTPUT: &str = "/dev/fd//output";

impl Path {
    /// The path `text` stands for, read in the directory `cwd`.
    pub(super) fn from_text(text: &str, cwd: &Path, glob: bool) -> Path {
        if text.is_empty() || text.len() > MAX_LENGTH {
            return Path::unknown();
        }
        for name in ["%TEMP%", "%TMP%"] {
            if let Some(rest) = text.strip_prefix(name) {
                let temp = Path { root: Root::TempDir, text: String::new(), glob, folder: false };
                return temp.join(&rest.replace('\\', "/"));
            }
        }
        if is_drive(text) {
            let text = text.replace('\\', "/");
            return Path { root: Root::Absolute, folder: names_folder(&text), text: fold(&text), glob };
        }
        if text.starts_with('/') {
            return Path { root: Root::Absolute, folder: names_folder(text), text: fold(text), glob };
        }
        let mut path = cwd.join(text);
        path.glob |= glob;
        path
    }

    /// `self/rest`, folded. What is below an unknown path is unknown.
    pub(super) fn join(&self, rest: &str) -> Path {
        if self.root == Root::Unknown || self.text.len() + rest.len() > MAX_LENGTH {
            return Path::unknown();
        }
        let text = if self.text.is_empty() { rest.to_owned() } else { format!("{}/{rest}", self.text) };
        let text = if self.root == Root::Absolute { fold(&text) } else { fold(text.trim_start_matches('/')) };
        Path { root: self.root, text, glob: self.glob, folder: names_folder(rest) }
    }

    /// The last name of the path, where it has one.
    pub(super) fn base_name(&self) -> Option<&str> {
        let name = self.text.rsplit('/').next()?;
        (self.root != Root::Unknown && !name.is_empty() && name != "..").then_some(name)
    }

    /// A folder by its spelling alone: a trailing `/`, a root itself, or a shared temporary root.
    pub(super) fn is_folder(&self) -> bool {
        self.folder
            || match self.root {
                Root::Unknown => false,
                Root::Absolute => {
                    matches!(self.text.as_str(), "/" | "/tmp" | "/var/tmp" | "/private/tmp" | "/private/var/tmp")
                }
                _ => self.text.is_empty() || self.text.ends_with(".."),
            }
    }

    /// What stands for the output of commands that a variable holds: a descriptor no text can name.
    pub(super) fn output_of(commands: Range<usize>) -> Path {
        let text = format!("{OUTPUT}{}-{}", commands.start, commands.end);
        Path { root: Root::Absolute, text, glob: false, folder: false }
    }

    /// The commands whose output it stands for.
    pub(super) fn as_output(&self) -> Option<Range<usize>> {
        let (start, end) = self.text.strip_prefix(OUTPUT)?.split_once('-')?;
        Some(start.parse().ok()?..end.parse().ok()?)
    }

    /// A device or a descriptor, which holds no content of its own.
    pub(super) fn is_device(&self) -> bool {
        self.root == Root::Absolute
            && (matches!(self.text.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "/dev/tty" | "/dev/zero")
                || self.text.starts_with("/dev/fd/")
                || self.text.starts_with("/dev/tcp/")
                || self.text.starts_with("/dev/udp/")
                || self.text.starts_with("/proc/"))
    }
}

/// `C:`, `C:/…` or `C:\…`.
fn is_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes.get(2).is_none_or(|byte| matches!(byte, b'/' | b'\\'))
}

fn names_folder(text: &str) -> bool {
    text.ends_with('/') || matches!(text, "." | "..") || text.ends_with("/.") || text.ends_with("/..")
}

/// Folds `.`, `..` and doubled slashes. A `..` behind a glob stays, for the glob may be a link's name.
fn fold(text: &str) -> String {
    let absolute = text.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in text.split('/') {
        match name {
            "" | "." => {}
            ".." => match names.last() {
                Some(&last) if last != ".." && !last.contains(['*', '?', '[']) && !is_drive(last) => {
                    names.pop();
                }
                None if absolute => {}
                _ => names.push(name),
            },
            _ => names.push(name),
        }
    }
    let folded = names.join("/");
    if absolute { format!("/{folded}") } else { folded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cwd() -> Path {
        Path { root: Root::Cwd, text: String::new(), glob: false, folder: false }
    }

    #[test]
    fn folds_and_joins() {
        for (base, rest, expected) in [
            ("/tmp", "a/../b", "/tmp/b"),
            ("/tmp", "../..", "/"),
            ("a", "../../b", "../b"),
            ("", "./x//y/.", "x/y"),
            ("", "*/../x", "*/../x"),
        ] {
            let path = Path::from_text(rest, &Path::from_text(base, &cwd(), false).or_cwd(), false);
            assert_eq!(path.text, expected, "{base} + {rest}");
        }
        assert_eq!(Path::from_text("C:\\a\\b", &cwd(), false).text, "C:/a/b");
    }

    impl Path {
        fn or_cwd(self) -> Path {
            if self.root == Root::Unknown { cwd() } else { self }
        }
    }

    #[test]
    fn knows_folders_and_devices() {
        assert!(Path::from_text("/tmp", &cwd(), false).is_folder());
        assert!(Path::from_text("a/", &cwd(), false).is_folder());
        assert!(!Path::from_text("/tmp/a", &cwd(), false).is_folder());
        assert!(Path::from_text("/dev/null", &cwd(), false).is_device());
        assert!(!Path::from_text("/dev/shm/x", &cwd(), false).is_device());
    }
}
