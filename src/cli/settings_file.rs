//! Reading and replacing a settings file: through links, whole or not at all, with the permissions it had.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use similar::TextDiff;

use super::{Failure, Report};
use crate::agent::claude::settings::Refusal;

/// The largest file that is taken for settings, in bytes. Real ones are a few KiB.
const SIZE_LIMIT: u64 = 4 << 20;

/// Links followed one after the other before they are taken for a circle, as in the kernel.
const LINK_LIMIT: usize = 40;

/// The text of a settings file; `None` when there is no file.
pub(super) fn read(path: &Path) -> Result<Option<String>, Failure> {
    let bytes = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(found) if !found.is_file() => {
            return Err(Failure::new(format!("{} is not a file", path.display()), "move it away, then run this again"));
        }
        Ok(found) if found.len() > SIZE_LIMIT => {
            return Err(Failure::new(
                format!("{} is larger than {} MiB", path.display(), SIZE_LIMIT >> 20),
                "look whether these are settings at all; the file was not touched",
            ));
        }
        found => found
            .and_then(|_| fs::read(path))
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display()), "look at the file's permissions"))?,
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        let (line, last) = before.split('\n').enumerate().last().unwrap_or_default();
        let (line, column) = (line + 1, last.chars().count() + 1);
        Failure::new(format!("{}:{line}:{column}: not UTF-8", path.display()), "save the file as UTF-8; it was not touched")
    })
}

/// What a refusal of the text means for the file at `path`.
pub(super) fn refused(path: &Path, refusal: Refusal) -> Failure {
    let Refusal { line, column, message, help } = refusal;
    Failure::new(format!("{}:{line}:{column}: {message}", path.display()), help)
}

/// The change as a unified diff, with `/dev/null` for a file that is not there.
pub(super) fn diff(path: &Path, before: Option<&str>, after: Option<&str>) -> Report {
    let name = |text: Option<&str>| text.map_or_else(|| "/dev/null".to_owned(), |_| path.display().to_string());
    let lines = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    Report { text: lines.unified_diff().header(&name(before), &name(after)).to_string(), ..Report::default() }
}

/// Makes the file say `after`, or removes it, provided that it still says `before`.
pub(super) fn replace(path: &Path, before: Option<&str>, after: Option<&str>) -> Result<(), Failure> {
    if read(path)?.as_deref() != before {
        return Err(Failure::new(format!("{} changed just now", path.display()), "run this again"));
    }
    let target = through_links(path);
    let written = match after {
        Some(text) => write(&target, text),
        None => fs::remove_file(&target),
    };
    written.map_err(|error| {
        Failure::new(
            format!("{} cannot be written: {error}", target.display()),
            "look at the permissions of the folder; the file was not touched",
        )
    })
}

/// The file that a path leads to, also where the last link points at nothing yet.
fn through_links(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..LINK_LIMIT {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => break,
        }
    }
    target
}

/// Writes beside the file and renames, so that a reader or a crash meets the old text or the new one.
fn write(target: &Path, text: &str) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.join(format!(".{name}.{}.tmp", process::id()));
    let done = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)
        .and_then(|file| fill(&file, target, text))
        .and_then(|()| fs::rename(&beside, target));
    if done.is_err() {
        // The first error is the one to tell; what cannot be removed either was most likely never made.
        let _ = fs::remove_file(&beside);
    }
    done
}

fn fill(mut file: &File, target: &Path, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    if let Ok(old) = fs::metadata(target) {
        keep_owner(file, &old);
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()
}

/// Gives the new file to the owner of the old one, for who runs this as somebody else.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    if file.metadata().is_ok_and(|new| (new.uid(), new.gid()) != (old.uid(), old.gid())) {
        // Not permitted to most; the file then belongs to who wrote it.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}
