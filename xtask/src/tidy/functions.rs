//! TypeScript functions of at most 80 lines, counted as clippy counts Rust's:
//! without blank lines and comments.
//!
//! Follows braces rather than grammar: a brace opens a function if what stands
//! before it ends in `=>` or in a parameter list that is not a control statement's.

use super::{File, Problem, Tree};

const LIMIT: usize = 80;

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let files = tree.typescript().filter(|file| !file.is_generated() && !file.is_fixture());
    files.flat_map(too_long).collect()
}

enum Opened {
    Function,
    /// The braces of a return type, after which the function's own are still to come.
    ReturnType,
    Block,
}

struct Brace {
    opened: Opened,
    /// Where the statement that it belongs to begins.
    head: usize,
    at: usize,
}

fn too_long(file: &File) -> Vec<Problem> {
    let code = file.code();
    let mut problems = Vec::new();
    let mut open: Vec<Brace> = Vec::new();
    let mut head = 0;
    let mut parentheses = 0_usize;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b';' if parentheses == 0 => head = at + 1,
            b'{' => {
                open.push(Brace { opened: opened(&code[head..at]), head, at });
                head = at + 1;
            }
            b'}' => {
                let Some(brace) = open.pop() else { continue };
                head = at + 1;
                match brace.opened {
                    Opened::Function => problems.extend(measure(file, &code, &brace, at)),
                    Opened::ReturnType => head = brace.head,
                    Opened::Block => {}
                }
            }
            _ => {}
        }
    }
    problems
}

fn opened(head: &str) -> Opened {
    let head = head.trim();
    // The last line is enough for control statements and callbacks; without semicolons
    // the statement may begin further up.
    let statement = head.lines().next_back().unwrap_or("").trim_start();
    let word = statement.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let control = ["if", "for", "while", "switch", "catch", "else", "do", "try", "with"];
    if head.ends_with("=>") {
        return if statement.contains("describe(") { Opened::Block } else { Opened::Function };
    }
    if head.ends_with("):") || head.ends_with("): Promise<") {
        return Opened::ReturnType;
    }
    let after_return_type = head.ends_with('}') && head.contains("):");
    let parameters = head.ends_with(')') || statement.contains("): ") || after_return_type;
    let function = parameters && !control.contains(&word);
    if function { Opened::Function } else { Opened::Block }
}

fn measure(file: &File, code: &str, brace: &Brace, end: usize) -> Option<Problem> {
    let body = &code[brace.at + 1..end];
    let lines = body.lines().filter(|line| !line.trim().is_empty()).count();
    (lines > LIMIT).then(|| {
        let what = format!("a function of {lines} lines, over {LIMIT}; split it by step");
        file.problem_at(brace.at, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let tree = Tree::of(&[("web/page/src/a.ts", text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    fn body(lines: usize) -> String {
        "  step(`${'{'}`)\n".repeat(lines)
    }

    #[test]
    fn eighty_lines_pass_and_one_more_does_not() {
        let fits = format!("/** A. */\nexport function a(b: string): void {{\n{}}}\n", body(80));
        assert_eq!(problems(&fits), [""; 0]);
        let over = format!("/** A. */\nexport function a(b: string): void {{\n{}}}\n", body(81));
        let expected = "web/page/src/a.ts:2: a function of 81 lines, over 80; split it by step";
        assert_eq!(problems(&over), [expected]);
    }

    #[test]
    fn blank_lines_and_comments_do_not_count() {
        let commented =
            format!("const a = () => {{\n{}{}}}\n", "  // why\n\n".repeat(50), body(80));
        assert_eq!(problems(&commented), [""; 0]);
    }

    #[test]
    fn arrows_methods_and_object_return_types_are_functions() {
        for head in ["const a = (b) =>", "const o = {\n  a(b)", "function a(): { b: string }"] {
            let text = format!("{head} {{\n{}}}\n", body(81));
            assert_eq!(problems(&text).len(), 1, "{head}");
        }
    }

    #[test]
    fn blocks_objects_and_test_suites_are_not() {
        for head in
            ["const table =", "describe('a', () =>", "if (a)", "export interface A", "class A"]
        {
            let text = format!("{head} {{\n{}}}\n", body(81));
            assert_eq!(problems(&text), [""; 0], "{head}");
        }
    }
}
