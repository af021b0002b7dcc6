//! Cutting a known text by a shell pattern.

/// `${v%p}`, `${v%%p}`, `${v#p}`, `${v##p}` for a known text and a pattern of `*`, `?` and plain characters.
pub(super) fn trim<'a>(text: &'a str, pattern: &str, suffix: bool, longest: bool) -> &'a str {
    // Beyond this a value is no path, and trying every cut would be quadratic.
    if text.len() > 4096 || pattern.len() > 64 {
        return text;
    }
    let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    if suffix != longest {
        cuts.reverse();
    }
    for cut in cuts {
        let (head, tail) = text.split_at(cut);
        if suffix && glob_matches(pattern, tail) {
            return head;
        }
        if !suffix && glob_matches(pattern, head) {
            return tail;
        }
    }
    text
}

/// Matches with one point of return, so the time is at most the product of both lengths.
fn glob_matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, t + 1));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((back, from)) => {
                    p = back;
                    t = from;
                    retry = Some((back, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}
