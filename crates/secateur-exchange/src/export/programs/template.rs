//! Source texts with gaps: `{{name}}` is filled in, and lines between `{{#flag}}` and `{{/flag}}` stay where the flag is set
//! (between `{{^flag}}` and `{{/flag}}` where it is not).

/// Fills a template. Every line between marks belongs to all marks around it.
pub(super) fn fill(template: &str, flags: &[(&str, bool)], words: &[(&str, String)]) -> String {
    let is_set = |name: &str| match flags.iter().find(|(flag, _)| *flag == name) {
        Some((_, set)) => *set,
        None => panic!("the template asks for a flag {name} that nobody sets"),
    };
    let mut out =
        String::with_capacity(template.len() + words.iter().map(|(_, word)| word.len()).sum::<usize>());
    let mut open: Vec<bool> = Vec::new();
    for line in template.lines() {
        match line.trim().strip_prefix("{{").and_then(|mark| mark.strip_suffix("}}")) {
            Some(mark) if mark.starts_with('#') => open.push(is_set(&mark[1..])),
            Some(mark) if mark.starts_with('^') => open.push(!is_set(&mark[1..])),
            Some(mark) if mark.starts_with('/') => drop(open.pop()),
            _ if open.iter().all(|set| *set) => {
                gaps(line, words, &mut out);
                out.push('\n');
            }
            _ => {}
        }
    }
    out
}

/// One line with its gaps filled in. What is filled in is not looked at again.
fn gaps(mut line: &str, words: &[(&str, String)], out: &mut String) {
    while let Some((before, rest)) = line.split_once("{{") {
        out.push_str(before);
        let (name, after) = rest.split_once("}}").unwrap_or((rest, ""));
        match words.iter().find(|(word, _)| *word == name) {
            Some((_, word)) => out.push_str(word),
            None => panic!("the template asks for a word {name} that nobody gives"),
        }
        line = after;
    }
    out.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn gaps_are_filled_once_and_lines_stay_by_their_flags() {
        let template = "a {{x}}{{y}}\n  {{#on}}\nb\n{{^on}}\nc\n{{/on}}\n{{/on}}\n{{^on}}\nd\n{{/on}}\ne";
        let words = [("x", "{{y}}".to_string()), ("y", "1".to_string())];
        assert_eq!(fill(template, &[("on", true)], &words), "a {{y}}1\nb\ne\n");
        assert_eq!(fill(template, &[("on", false)], &words), "a {{y}}1\nd\ne\n");
    }
}
