pub(super) const WORDS: &super::Words = &[];
