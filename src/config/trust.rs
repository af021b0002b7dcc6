//! Which projects' files the person trusts: a copy of each as it was when they said so, in their own config folder.
//! A file that says anything else is not trusted any more.

use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::file::MAX_BYTES;
use crate::fs::{self, Replacement};

/// The folder of trusted copies.
#[derive(Debug, Clone)]
pub struct Trust {
    folder: PathBuf,
}

impl Trust {
    /// The copies in this folder, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        Trust { folder }
    }

    /// Does the person trust the file at `path`, as long as it says `text`?
    pub fn holds(&self, path: &Path, text: &str) -> bool {
        // The copy names the path it is of: two paths may have one hash.
        fs::read_own(&self.copy(path), MAX_BYTES * 2).is_ok_and(|kept| kept == record(path, text).as_bytes())
    }

    /// Trusts the file at `path`, as long as it says `text`.
    ///
    /// # Errors
    /// When the copy cannot be written.
    pub fn grant(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::private_dir(&self.folder)?;
        Replacement::prepare(&self.copy(path), record(path, text).as_bytes())?.commit()
    }

    /// Trusts it no more; false when it was not trusted.
    ///
    /// # Errors
    /// When the copy cannot be removed.
    pub fn revoke(&self, path: &Path) -> io::Result<bool> {
        match std::fs::remove_file(self.copy(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        }
    }

    fn copy(&self, path: &Path) -> PathBuf {
        self.folder.join(format!("{:016x}.toml", xxh3_64(path.as_os_str().as_encoded_bytes())))
    }
}

fn record(path: &Path, text: &str) -> String {
    format!("# {}\n{text}", path.to_string_lossy().escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_in_one_file_at_one_place_as_it_was() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let trust = Trust::new(home.path().join("turnstop/trusted"));
        let path = Path::new("/w/app/.turnstop.toml");
        assert!(!trust.holds(path, "a") && !trust.revoke(path)?);
        trust.grant(path, "a")?;
        assert!(trust.holds(path, "a") && !trust.holds(path, "b") && !trust.holds(Path::new("/w/b/.turnstop.toml"), "a"));
        assert!(trust.revoke(path)? && !trust.holds(path, "a"));
        Ok(())
    }
}
