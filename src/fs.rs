//! Files as this program needs them: private folders, locks with a bound on the wait, whole-file
//! replacement, and content identity that never follows a link or waits on a pipe.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt as _, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fs2::FileExt;
use memchr::memchr;
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// Largest file that is hashed whole, in bytes; of a larger one the first and last [`EDGE_BYTES`].
pub const WHOLE_HASH_BYTES: u64 = 1 << 20;
/// How much of each end of a large file is hashed, in bytes.
pub const EDGE_BYTES: u64 = 64 << 10;

/// Opens `dir` for our own use, creating it readable by its owner alone. One that others may read is closed to them;
/// where everybody may write, anybody may have put anything, so that is refused.
///
/// # Errors
/// When it cannot be created, is a link, is no folder, belongs to somebody else, or can be written by everybody.
pub fn private_dir(dir: &Path) -> io::Result<()> {
    let check = |found: fs::Metadata| {
        if !found.is_dir() {
            Err(io::Error::other(format!("{} is not a folder of its own", dir.display())))
        } else if !is_own(&found) {
            Err(io::Error::other(format!("{} belongs to another user", dir.display())))
        } else if found.mode() & 0o002 != 0 {
            Err(io::Error::other(format!("{} can be written by everybody", dir.display())))
        } else if found.mode() & 0o077 != 0 {
            fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o700))
        } else {
            Ok(())
        }
    };
    match fs::symlink_metadata(dir) {
        Ok(found) => check(found),
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = dir.parent() {
                fs::create_dir_all(parent)?;
            }
            match fs::DirBuilder::new().mode(0o700).create(dir) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                _ => check(fs::symlink_metadata(dir)?),
            }
        }
        Err(error) => Err(error),
    }
}

fn is_own(found: &fs::Metadata) -> bool {
    static USER: LazyLock<u32> = LazyLock::new(|| rustix::process::geteuid().as_raw());
    found.uid() == *USER
}

/// Opens a regular file of our own, and nothing else: a pipe in its place would hold the call for ever, and what
/// somebody else put there is theirs to change.
///
/// # Errors
/// When it cannot be opened, is a link, is no regular file, or belongs to somebody else.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.mode(0o600).custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK)).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        Err(io::Error::other(format!("{} is no regular file", path.display())))
    } else if !is_own(&found) {
        Err(io::Error::other(format!("{} belongs to another user", path.display())))
    } else {
        Ok(file)
    }
}

/// All of a regular file of our own, up to `most` bytes.
///
/// # Errors
/// When it cannot be read, is a link, is no regular file, or is larger.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(open_own(OpenOptions::new().read(true), path)?, most)
}

/// All of a regular file of the person's, up to `most` bytes. It may be reached by links.
///
/// # Errors
/// When it cannot be read, is no regular file, or is larger.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK)).open(path)?;
    if file.metadata()?.is_file() { read_bounded(file, most) } else { Err(io::Error::other("not a regular file")) }
}

fn read_bounded(file: File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::Error::other(format!("larger than {most} bytes"))) } else { Ok(bytes) }
}

fn flags(flags: OFlags) -> i32 {
    flags.bits().cast_signed()
}

/// An exclusive lock on the file `path`, held until the handle is dropped; `None` when `wait` is over.
///
/// # Errors
/// When the lock file cannot be opened.
pub fn lock(path: &Path, wait: Duration) -> io::Result<Option<File>> {
    let file = open_own(OpenOptions::new().create(true).truncate(false).write(true), path)?;
    Ok(locked(&file, wait, FileExt::try_lock_exclusive).then_some(file))
}

fn locked(file: &File, wait: Duration, try_lock: impl Fn(&File) -> io::Result<()>) -> bool {
    let start = Instant::now();
    loop {
        if try_lock(file).is_ok() {
            return true;
        }
        if start.elapsed() >= wait {
            return false;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// How long an append, or whoever takes what was appended, waits for the other, at most. Past it the line
/// is appended all the same: an append is one write, and only one between the last look of a rewrite and its end could be lost.
const APPEND_WAIT: Duration = Duration::from_millis(100);

/// A file that many processes append lines to and one at a time may rewrite.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal at `path`, which need not exist.
    pub fn new(path: PathBuf) -> Self {
        Journal { path }
    }

    /// Appends `lines`, each of which ends in a newline, in one write.
    ///
    /// # Errors
    /// When the file cannot be opened or written.
    pub fn append(&self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut file = open_own(OpenOptions::new().create(true).read(true).append(true), &self.path)?;
        locked(&file, APPEND_WAIT, FileExt::try_lock_shared);
        // What a full disk cut off in the middle must not take the next line with it.
        let mut last = [b'\n'];
        if let Some(at) = file.metadata()?.len().checked_sub(1) {
            file.read_at(&mut last, at)?;
        }
        if last == [b'\n'] { file.write_all(lines) } else { file.write_all(&[b"\n", lines].concat()) }
    }

    /// The last `most` bytes of what was appended so far, from the start of a line on; empty when there is no
    /// file.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn read(&self, most: u64) -> io::Result<Vec<u8>> {
        match open_own(OpenOptions::new().read(true), &self.path) {
            Ok(mut file) => {
                locked(&file, APPEND_WAIT, FileExt::try_lock_shared);
                let skipped = file.metadata()?.len().saturating_sub(most);
                file.seek(SeekFrom::Start(skipped))?;
                let mut bytes = Vec::new();
                file.take(most).read_to_end(&mut bytes)?;
                if skipped > 0 {
                    bytes.drain(..memchr(b'\n', &bytes).map_or(bytes.len(), |newline| newline + 1));
                }
                Ok(bytes)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Its size in bytes; 0 when there is no file.
    pub fn size(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |found| found.len())
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.size() == 0
    }

    /// Takes everything out of it.
    ///
    /// # Errors
    /// As of [`Journal::rewrite`].
    pub fn empty(&self) -> io::Result<()> {
        if self.is_empty() { Ok(()) } else { self.rewrite(|_| Ok(Some(Vec::new()))) }
    }

    /// Hands what was appended to `change` and replaces it, in place, with what comes back, while no
    /// append is under way. `None` leaves it as it is.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is in use for longer than a tenth of a second.
    pub fn rewrite(&self, change: impl FnOnce(&[u8]) -> io::Result<Option<Vec<u8>>>) -> io::Result<()> {
        let mut file = match open_own(OpenOptions::new().read(true).write(true), &self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if !locked(&file, APPEND_WAIT, FileExt::try_lock_exclusive) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if let Some(mut kept) = change(&bytes)? {
            // Whoever could not wait has appended all the same.
            file.read_to_end(&mut kept)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&kept)?;
            file.set_len(kept.len() as u64)?;
        }
        Ok(())
    }
}

/// A replacement of a file, written beside it and not yet in its place. Dropped uncommitted, it is gone.
#[derive(Debug)]
pub struct Replacement {
    fresh: PathBuf,
    target: PathBuf,
    committed: bool,
}

impl Replacement {
    /// Writes `bytes` beside `target`.
    ///
    /// # Errors
    /// When the folder is read-only, the disk full, a folder in the way, and so on.
    pub fn prepare(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        if fs::symlink_metadata(target).is_ok_and(|found| found.is_dir()) {
            return Err(io::Error::other(format!("{} is a folder", target.display())));
        }
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let replacement = Replacement { fresh: target.with_file_name(name), target: target.to_owned(), committed: false };
        open_own(OpenOptions::new().create(true).truncate(true).write(true), &replacement.fresh)?.write_all(bytes)?;
        Ok(replacement)
    }

    /// Puts it in place. Readers see the old content or the new, never a mixture.
    ///
    /// # Errors
    /// When the rename fails.
    pub fn commit(mut self) -> io::Result<()> {
        fs::rename(&self.fresh, &self.target)?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.fresh);
        }
    }
}

/// What tells one content of a file from another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// In bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime: i128,
    /// Inode number.
    pub ino: u64,
    /// XXH3 of the content, 64 bit, in hexadecimal; of a file over [`WHOLE_HASH_BYTES`], of its two ends.
    pub hash: String,
}

impl Identity {
    /// Is it the same content? A file small enough to be hashed whole may have been written anew with the
    /// same bytes; of a larger one time and inode must agree too.
    pub fn same_content(&self, other: &Identity) -> bool {
        !self.differs(other) && (self.size <= WHOLE_HASH_BYTES || (self.mtime == other.mtime && self.ino == other.ino))
    }

    /// Is it surely another content? Of a large file that was written anew with the same ends, nobody can
    /// tell: it neither is the same content nor differs.
    pub fn differs(&self, other: &Identity) -> bool {
        self.size != other.size || self.hash != other.hash
    }
}

/// Why a file has no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoIdentity {
    /// Nothing is there.
    Gone,
    /// It is a folder.
    Folder,
    /// It is a link, a pipe, a socket or a device.
    Special,
    /// It cannot be read.
    Unreadable,
}

/// The identity of the regular file at `path`, without following a link or waiting on a pipe.
///
/// # Errors
/// Anything else, told apart.
pub fn identity(path: &Path) -> Result<Identity, NoIdentity> {
    let found = fs::symlink_metadata(path)
        .map_err(|error| if error.kind() == io::ErrorKind::NotFound { NoIdentity::Gone } else { NoIdentity::Unreadable })?;
    if found.is_dir() {
        return Err(NoIdentity::Folder);
    }
    let kind = found.file_type();
    if kind.is_symlink() || kind.is_fifo() || kind.is_socket() || kind.is_block_device() || kind.is_char_device() {
        return Err(NoIdentity::Special);
    }
    read_identity(path).map_err(|_| NoIdentity::Unreadable)
}

fn read_identity(path: &Path) -> io::Result<Identity> {
    // Between the look above and this open the path may have become a pipe: not waiting is what counts.
    let mut file = OpenOptions::new().read(true).custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK)).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut hash = Xxh3::new();
    if found.len() <= WHOLE_HASH_BYTES {
        feed(&mut hash, file.take(WHOLE_HASH_BYTES))?;
    } else {
        feed(&mut hash, (&mut file).take(EDGE_BYTES))?;
        file.seek(SeekFrom::Start(found.len() - EDGE_BYTES))?;
        feed(&mut hash, file.take(EDGE_BYTES))?;
    }
    Ok(Identity {
        size: found.len(),
        mtime: i128::from(found.mtime()) * 1_000_000_000 + i128::from(found.mtime_nsec()),
        ino: found.ino(),
        hash: format!("{:016x}", hash.digest()),
    })
}

fn feed(hash: &mut Xxh3, mut from: impl Read) -> io::Result<()> {
    let mut chunk = [0; 16 << 10];
    loop {
        match from.read(&mut chunk)? {
            0 => return Ok(()),
            n => hash.update(&chunk[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_tells_contents_apart_and_kinds_of_file() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "one")?;
        fs::copy(&a, &b)?;
        let first = identity(&a).expect("a regular file");
        assert!(first.same_content(&identity(&b).expect("a regular file")));
        fs::write(&a, "two")?;
        assert!(!first.same_content(&identity(&a).expect("a regular file")));
        assert_eq!(identity(dir.path()), Err(NoIdentity::Folder));
        assert_eq!(identity(&dir.path().join("none")), Err(NoIdentity::Gone));
        std::os::unix::fs::symlink(&a, dir.path().join("link"))?;
        assert_eq!(identity(&dir.path().join("link")), Err(NoIdentity::Special));
        Ok(())
    }

    #[test]
    fn a_large_file_is_told_by_its_ends() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("large");
        let mut bytes = vec![b'x'; 3 << 20];
        fs::write(&path, &bytes)?;
        let first = identity(&path).expect("a regular file");
        *bytes.last_mut().expect("not empty") = b'y';
        fs::write(&path, &bytes)?;
        assert!(first.differs(&identity(&path).expect("a regular file")));
        *bytes.last_mut().expect("not empty") = b'x';
        fs::write(&path, &bytes)?;
        let again = identity(&path).expect("a regular file");
        assert!(!first.same_content(&again) && !first.differs(&again), "the middle may be another");
        Ok(())
    }

    #[test]
    fn a_line_after_a_torn_one_stands_alone_and_a_tail_begins_with_a_whole_line() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("journal");
        fs::write(&path, "one\ntor")?;
        let journal = Journal::new(path);
        journal.append(b"two\nthree\n")?;
        assert_eq!(journal.read(100)?, b"one\ntor\ntwo\nthree\n");
        assert_eq!(journal.read(8)?, b"three\n");
        assert_eq!(journal.read(2)?, b"");
        Ok(())
    }

    #[test]
    fn a_state_folder_that_is_a_link_is_refused() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        fs::create_dir(dir.path().join("real"))?;
        std::os::unix::fs::symlink(dir.path().join("real"), dir.path().join("link"))?;
        assert!(private_dir(&dir.path().join("link")).is_err());
        private_dir(&dir.path().join("a/b"))?;
        assert_eq!(fs::metadata(dir.path().join("a/b"))?.mode() & 0o777, 0o700);
        Ok(())
    }

    #[test]
    fn a_replacement_that_is_dropped_leaves_nothing() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let target = dir.path().join("state.json");
        drop(Replacement::prepare(&target, b"x")?);
        assert_eq!(fs::read_dir(dir.path())?.count(), 0);
        assert!(Replacement::prepare(dir.path(), b"x").is_err(), "a folder cannot be replaced");
        Replacement::prepare(&target, b"y")?.commit()?;
        assert_eq!(fs::read(&target)?, b"y");
        Ok(())
    }
}
