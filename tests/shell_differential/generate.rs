//! Commands put together by chance: always the same ones, from the same seed.

use super::Case;

/// Simple commands. `I` is a file that is there, `D` one that is removed, `U` one that is changed and `O` a new
/// one; each is another file.
const SIMPLE: [&str; 40] = [
    "cat I > O",
    "cat I >> U",
    "cat < I > O",
    "cat I I > O",
    "cp I O",
    "cp I U",
    "cp -p I O",
    "mv D O",
    "rm D",
    "rm -f D",
    "touch O",
    "echo x > O",
    "echo x >> U",
    "printf '%s' x > O",
    "head -n 1 I",
    "tail -n 1 I > O",
    "grep -c line I",
    "grep line I > O",
    "sort I > O",
    "sort -o O I",
    "sort I | uniq > O",
    "sed s/x/y/ I > O",
    "sed -i s/x/y/ U",
    "sed -i -e 1d U",
    "tee O < I > /dev/null",
    "tee -a U < I",
    "cat I | tee O",
    "cat I | grep line > O",
    "cat I | sort | head -n 1 > O",
    "dd if=I of=O 2> /dev/null",
    "install -m 644 I O",
    "ln I O",
    "wc -l < I",
    "diff I I",
    "cut -c1 I > O",
    "awk '{ print }' I > O",
    "truncate -s 0 U",
    "cat <<< x > O",
    "cat I 2> /dev/null > O",
    "{ cat I; echo x; } > O",
];

const INPUTS: [&str; 6] = ["a.txt", "b.txt", "c.txt", "my file.txt", "d/e.txt", "src/main.c"];
const REMOVED: [&str; 3] = ["old1.txt", "old2.txt", "old3.txt"];
const CHANGED: [&str; 3] = ["upd1.txt", "upd2.txt", "upd3.txt"];

/// How many are made of each shape.
const COUNT: usize = 80;

/// xorshift64*
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap_or(0) % bound
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (construct, branches, shape) in SHAPES {
        // Each shape has a seed of its own, so that a change to one leaves the others as they are.
        let seed = construct.bytes().fold(0x9E37_79B9_7F4A_7C15_u64, |seed, byte| seed.rotate_left(7) ^ u64::from(byte));
        let mut maker = Maker { chance: Chance(seed), used: [0; 4], before: String::new() };
        for _ in 0..COUNT {
            maker.used = [0; 4];
            maker.before.clear();
            let text = shape(&mut maker);
            cases.push(Case { construct, branches, text: format!("{}{text}", maker.before) });
        }
    }
    cases
}

/// A shape makes one command.
type Shape = fn(&mut Maker) -> String;

const SHAPES: [(&str, bool, Shape); 5] = [
    ("generated: one command", false, |maker| maker.simple()),
    ("generated: lists", false, |maker| {
        let (first, second) = (maker.simple(), maker.simple());
        let joint = maker.pick(&["; ", "\n", " && : && ", "; true && ", " & wait; "]);
        format!("{first}{joint}{second}")
    }),
    ("generated: groups", false, |maker| {
        let (first, second) = (maker.simple(), maker.simple());
        match maker.chance.below(6) {
            0 => format!("({first}); {second}"),
            1 => format!("{{ {first}; {second}; }}"),
            2 => format!("({first}; {second}) > log.out"),
            3 => format!("{{ {first}; }} > one.out; {second}"),
            4 => format!("f() {{ {first}; }}; {second}; f"),
            _ => format!("(cd d; true); {first}\n({second})"),
        }
    }),
    ("generated: launchers", false, |maker| {
        let inner = maker.simple();
        let quoted = inner.replace('\'', "'\\''");
        match maker.chance.below(6) {
            0 => format!("bash -c '{quoted}'"),
            1 => format!("sh -c '{quoted}'"),
            2 => format!("eval '{quoted}'"),
            3 => format!("timeout 9 bash -c '{quoted}'"),
            4 => format!("env X=1 nice bash -c '{quoted}'"),
            _ => format!("bash <<'END'\n{inner}\nEND"),
        }
    }),
    ("generated: branches", true, |maker| {
        let (first, second) = (maker.simple(), maker.simple());
        match maker.chance.below(6) {
            0 => format!("{first} || {second}"),
            1 => format!("if {first}; then {second}; fi"),
            2 => format!("if false; then {first}; else {second}; fi"),
            3 => format!("for x in 1; do {first}; done; {second}"),
            4 => format!("case x in x) {first};; *) {second};; esac"),
            _ => format!("while true; do {first}; break; done\n{second}"),
        }
    }),
];

struct Maker {
    chance: Chance,
    /// How many of the inputs, the removed, the changed and the new files are in use.
    used: [usize; 4],
    /// Assignments that must stand before the command.
    before: String,
}

impl Maker {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.chance.below(list.len())]
    }

    fn simple(&mut self) -> String {
        let template = self.pick(&SIMPLE);
        let mut text = String::new();
        for (at, c) in template.char_indices() {
            let alone = !template[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
                || template[..at].ends_with("if=")
                || template[..at].ends_with("of=");
            match c {
                'I' | 'D' | 'U' | 'O' if alone => text += &self.file(c),
                c => text.push(c),
            }
        }
        text
    }

    /// The next file of a kind, spelled in one of many ways.
    fn file(&mut self, kind: char) -> String {
        let at = "IDUO".find(kind).unwrap_or(0);
        let number = self.used[at];
        self.used[at] += 1;
        let name = match kind {
            'I' => INPUTS[(number + self.chance.below(3)) % INPUTS.len()].to_owned(),
            'D' => REMOVED[number % REMOVED.len()].to_owned(),
            'U' => CHANGED[number % CHANGED.len()].to_owned(),
            _ => format!("{}new{number}.out", self.pick(&["", "", "", "d/", "emptied/", "$TMPDIR/", "/sandbox/tmp/", "~/", "$PWD/"])),
        };
        self.spelled(&name)
    }

    fn spelled(&mut self, name: &str) -> String {
        let blank = name.contains(' ');
        // What starts at a place stays outside of single quotes.
        if name.starts_with(['$', '~']) {
            return if name.starts_with('$') && self.chance.below(2) == 0 { format!("\"{name}\"") } else { name.to_owned() };
        }
        match self.chance.below(10) {
            0 => format!("'{name}'"),
            1 => format!("\"{name}\""),
            2 => name.replace(' ', "\\ ").replace('.', "\\."),
            3 if !name.starts_with('/') => format!("./{}", name.replace(' ', "\\ ")),
            4 if !name.starts_with('/') => format!("\"$PWD\"/{}", name.replace(' ', "\\ ")),
            5 if !name.starts_with('/') => format!("d/../'{name}'"),
            6 => {
                let variable = format!("V{}", self.before.matches("; ").count());
                self.before.extend([&variable, "='", name, "'; "]);
                format!("\"${{{variable}}}\"")
            }
            7 => format!("$'{name}'"),
            _ if blank => format!("'{name}'"),
            _ => name.to_owned(),
        }
    }
}
