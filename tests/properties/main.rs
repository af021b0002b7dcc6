//! What must hold of any input: of the seeds that the fuzz targets begin with, and of generated ones.
//!
//! `checks` is what the fuzz targets run, too (`fuzz/`).

mod checks;
mod generated;
mod seeds;

use std::fs;
use std::path::Path;

use checks::TARGETS;

/// As many seeds of a target as are looked at here, spread over all of them.
const LOOKED_AT: usize = 40;

#[test]
fn every_check_holds_of_its_seeds() {
    for target in TARGETS {
        let seeds = seeds::of(target.name);
        assert!(seeds.len() >= 10, "{} has {} seeds", target.name, seeds.len());
        seeds.iter().step_by(seeds.len().div_ceil(LOOKED_AT)).for_each(|seed| (target.check)(seed));
    }
}

/// `fuzz/run` begins with this.
#[test]
#[ignore = "writes the corpora of the fuzz targets"]
fn write_the_seeds() {
    for target in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name);
        fs::create_dir_all(&folder).expect("a folder");
        for (number, seed) in seeds::of(target.name).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:04}")), seed).expect("written");
        }
    }
}
