//! Names: every surface ignores case, `_`, `-` and a leading `browser_`, and
//! a wrong name is answered with the nearest right ones.

/// The form in which names are compared.
pub fn squashed(name: &str) -> String {
    let name: String = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    match name.strip_prefix("browser") {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => name,
    }
}

/// The known names nearest to a wrong one, best first; none that is nothing like it.
pub fn nearest<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
    at_most: usize,
) -> Vec<&'a str> {
    let wrong = squashed(wrong);
    let mut ranked: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let squashed_name = squashed(name);
            let far = distance(&wrong, &squashed_name);
            let limit = wrong.chars().count().max(squashed_name.chars().count()) / 2;
            let part = wrong.len() >= 3
                && (squashed_name.contains(&wrong) || wrong.contains(&squashed_name));
            (far <= limit || part).then_some((if part { far.min(2) } else { far }, name))
        })
        .collect();
    ranked.sort_by_key(|(far, name)| (*far, name.len(), *name));
    ranked.into_iter().take(at_most).map(|(_, name)| name).collect()
}

/// Edits (insert, remove, replace, swap of neighbours) from one word to another.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        for name in ["get_text", "getText", "browser_get_text", "get-text", "GETTEXT"] {
            assert_eq!(squashed(name), "gettext", "{name}");
        }
        assert_eq!(squashed("browser"), "browser");
    }

    #[test]
    fn the_nearest_comes_first_and_nonsense_gets_nothing() {
        let known = ["click", "dblclick", "clear", "snapshot"];
        assert_eq!(nearest("clik", known, 3)[0], "click");
        assert_eq!(nearest("browser_snapsot", known, 3), ["snapshot"]);
        assert!(nearest("xyzzyplugh", known, 3).is_empty());
    }
}
