//! Splitting arguments into options and operands.

use super::words::Word;

/// Arguments of a program that follows the usual conventions.
#[derive(Debug, Default)]
pub(super) struct Args {
    /// What is no option, in order.
    pub(super) operands: Vec<Word>,
    /// Options without their dashes, with the value where they take one.
    options: Vec<(String, Option<Word>)>,
}

impl Args {
    /// Reads `args`; `short` are the one-letter options that take a value, `long` the others.
    pub(super) fn read(args: &[Word], short: &str, long: &[&str]) -> Args {
        let mut read = Args::default();
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            let head = word.head();
            if word.is("--") {
                read.operands.extend(rest.cloned());
                break;
            }
            if let Some(name) = head.strip_prefix("--") {
                if let Some((name, _)) = name.split_once('=') {
                    read.options.push((name.to_owned(), word.strip_prefix(&format!("--{name}="))));
                } else {
                    let value = if long.contains(&name) { rest.next().cloned() } else { None };
                    read.options.push((name.to_owned(), value));
                }
            } else if let Some(cluster) = head.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
                for (at, letter) in cluster.char_indices() {
                    if short.contains(letter) {
                        let attached = word.strip_prefix(&head[..=at + letter.len_utf8()]);
                        let value = attached.filter(|value| !value.is("")).or_else(|| rest.next().cloned());
                        read.options.push((letter.to_string(), value));
                        break;
                    }
                    read.options.push((letter.to_string(), None));
                }
            } else {
                read.operands.push(word.clone());
            }
        }
        read
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The value of the last of these options that has one.
    pub(super) fn value<'a>(&'a self, names: &'a [&str]) -> Option<&'a Word> {
        self.values(names).last()
    }

    pub(super) fn values<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a Word> {
        self.options.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_ref())
    }

    /// Without any option at all.
    pub(super) fn is_plain(&self) -> bool {
        self.options.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_spellings() {
        let words: Vec<Word> =
            ["-ab", "-oout", "-o", "x", "--long=v", "--dir", "d", "f", "--", "-g"].into_iter().map(Word::text_of).collect();
        let args = Args::read(&words, "o", &["dir"]);
        assert!(args.has(&["a"]) && args.has(&["b"]));
        assert_eq!(args.values(&["o"]).filter_map(Word::text).collect::<Vec<_>>(), ["out", "x"]);
        assert!(args.value(&["long"]).is_some_and(|value| value.is("v")));
        assert!(args.value(&["dir"]).is_some_and(|value| value.is("d")));
        assert_eq!(args.operands.iter().filter_map(Word::text).collect::<Vec<_>>(), ["f", "-g"]);
    }
}
