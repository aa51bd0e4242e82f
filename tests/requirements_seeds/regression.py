"""Baselines and verdicts: what a page was like, and what has become worse; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("regression-001", "regression", "Baselines", "A baseline is kept by its name, or by the pattern of its address, with what it was made of: browser, viewport, scale, version, runs and time. The first two loads are cold and not counted."),
    Requirement("regression-002", "regression", "Baselines", "What is asked again by the same id is done once; several processes use one file, and no acknowledged baseline is lost when they are killed."),
    Requirement("regression-003", "regression", "Statistics", "A time is slower if chance is no explanation (Mann-Whitney, exact, p at most 0.05), the Hodges-Lehmann shift is at least 50 ms, 10 % and, of a page that varies much, two robust sigmas, and its median is outside of what the baseline had; or if even its fast half is so much slower than the slow half of the baseline. Faster is the same the other way."),
    Requirement("regression-004", "regression", "Statistics", "The probability is that of counting every order of the loads, ties against it; the interval of the shift is the exact one."),
    Requirement("regression-005", "regression", "Statistics", "Five more loads are made before a change of a time is claimed, and judged with the first."),
    Requirement("regression-006", "regression", "Statistics", "Loads that depend on the one before, that differ too much, or are fewer than four on a side are inconclusive, with the reason; so is a part without evidence. What only seems faster is no change."),
    Requirement("regression-007", "regression", "Statistics", "Bytes (more than 5 % and 1,460), requests (more than 10 % and one) and layout shifts (at least 0.05) are compared exactly."),
    Requirement("regression-008", "regression", "Parts", "Accessibility is compared by rule and by element; an element that only moved is no change, and what axe could not decide is none."),
    Requirement("regression-009", "regression", "Parts", "Security is compared by finding and by the names that it affects."),
    Requirement("regression-010", "regression", "Parts", "Memory: a heap that grew by 5 MB and 30 %, or 50 detached nodes more, is a regression; what the whole process counts is shown and not judged."),
    Requirement("regression-011", "regression", "Parts", "Another browser, viewport or page is warned of; what depends on it is inconclusive, and shown all the same. Chrome's bar about a debugger is no other viewport."),
    Requirement("regression-012", "regression", "Replies", "A compare answers in the seed's shape with median, range, interval, floor and probability of each metric, a verdict and one sentence; a small budget leaves out details and never the verdict."),
    Requirement("regression-013", "regression", "Verdict", "On real pages an identical twin is no change, and a slow, a broken and a heavy one are regressions that name what it is."),
    Requirement("regression-014", "regression", "Bad input", "An unknown baseline is answered with the names that exist, a run of no or 10,000 loads with the range, an argument that a scope does not take with its name."),
    Requirement("regression-015", "regression", "Bad input", "A page that never comes to rest and a hidden tab are warned of; one that does not load in time, answers with an error or leads elsewhere ends the run with an error that states it."),
    Requirement("regression-016", "regression", "Bad input", "A damaged baseline is named and can be made again or deleted; a damaged file is set aside and an empty one begun."),
    Requirement("regression-017", "regression", "Jobs", "A baseline and a compare answer at once with a correlation_id; while they run, their stage is stated."),
    Requirement("regression-018", "regression", "Single refresh", "`perf_diff` marks a time that is less than 50 ms or 20 % from the median of the page's recent loads, or among them, as `within_noise`."),
    Requirement("regression-019", "regression", "Command line", "`gasoline check` starts a headless browser and a system of its own beside the user's, shares only the baselines and pictures with it, makes the baseline of a page that has none, and else compares."),
    Requirement("regression-020", "regression", "Command line", "Its exit code is 0 where nothing is worse, 1 for a regression, 2 for what is inconclusive or failed; each page is one line, and one that fails keeps no other from being checked."),
    Requirement("regression-021", "regression", "Command line", "It writes JUnit XML with a case for each page, and SARIF with a result for each element, finding and metric that is worse."),
    Requirement("regression-022", "regression", "Command line", "It writes a report in one HTML file that loads nothing: verdict, metrics with a plot of all loads, what is new and resolved, the page as it was and as it is under a slider; axe finds nothing in it, light or dark."),
    Requirement("regression-023", "regression", "Command line", "`gasoline baseline` lists, shows and deletes baselines; the last compare is kept with its baseline, until that is replaced or deleted."),
    Requirement("regression-024", "regression", "Command line", "`gasoline baseline approve` makes what the last compare judged as changed the baseline, by name or by the pattern of the pages' addresses, and states it; what was no change or could not be judged stays; without a compare it is refused, and a second time changes nothing."),
    Requirement("regression-025", "regression", "Trend", "Every compare is kept, 500 entries of a baseline, 50,000 of all, 400 days at most; `gasoline report` draws the history of each metric as a plot in one HTML file that loads nothing, in which axe finds nothing, light or dark, and prints it as a table."),
    Requirement("regression-026", "regression", "Team", "`gasoline baseline export DIR` writes baselines as JSON and PNG: twice gives the same bytes, a changed metric changes its lines alone, and no secret is in them."),
    Requirement("regression-027", "regression", "Team", "`gasoline baseline import DIR` takes them in whole, again without a change; what is damaged, missing or of a newer version is named, and nothing is imported then."),
    Requirement("regression-028", "regression", "Team", "`gasoline check --urls FILE --jobs N` checks the pages of a file, N at a time, each in a window of its own; their loads are one after another, and pages of one baseline too; a baseline is made, and a change of times or memory confirmed, while no other page is checked. Comments and blank lines are left out, a page that is listed twice is checked once, and a wrong line is named by its number before anything starts."),
    Requirement("regression-029", "regression", "Team", "`gasoline check --baselines DIR` compares with the exported baselines of a folder, and with no others; a baseline that is made is written there; the user's own stay as they are."),
    Requirement("regression-030", "regression", "Command line", "The browser of a check has its sandbox; where Chromium finds none the check ends with an error that names `--no-sandbox`. It works with any TMPDIR."),
    Requirement("regression-031", "regression", "Team", "The examples for GitHub Actions and GitLab pass actionlint and GitLab's schema, and their scripts make baselines, find no change, and fail for a fault; the SARIF output meets the schema of 2.1.0."),
    Requirement("regression-032", "regression", "Two pages", "`against` compares the page with another URL or tab in place of a baseline: both are loaded by turns in one tab, the reply and its verdict are those of a compare, `visual` needs one load of each, and the tab ends at the page that it showed."),
    Requirement("regression-033", "regression", "Two pages", "Identical twins have no change; a slow and broken twin is a regression, and the memory of two pages is not judged."),
    Requirement("regression-034", "regression", "Team", "`gasoline check --approve` makes what it judges as changed the baseline, also that of a folder's files; what is inconclusive stays as it was."),
    Requirement("regression-035", "regression", "Noise", "What a look at the page finds changed (accessibility, security, memory) is looked at in another load, and is a change only if both looks have it; of a page that does not come to rest the baseline has what either of two looks found."),
    Requirement("regression-036", "regression", "Noise", "A page that draws after its load, or whose fonts or images come late, is pictured and analysed once it rests, for which 5 s are waited; only one that does not rest is warned of."),
    Requirement("regression-037", "regression", "Noise", "Beside each load that counts the machine does a fixed piece of work. A time that is slower by no more than that work may explain is `inconclusive` with the reason, and so is one that is no slower though the machine was much faster."),
    Requirement("regression-038", "regression", "Noise", "A time that is slower by what matters and hardly by chance, but by less than its loads vary, is `inconclusive`, not `no_change`."),
)
# fmt: on
