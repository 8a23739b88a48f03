/// The style sheet of a page, for light and dark mode, for phones and for print.
enum ReportStyle {
  static let sheet: Markup = """
    :root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --quiet: #57606a;
      --line: #d5dae0; --sum: #1f6fb2; --range: #a9cbe8; --deep: #14366b; --core: #3b7dc4;
      --rem: #6fb7c9; --asleep: #8a8fd1; --awake: #e0883a; --empty: #eceff2; }
    @media (prefers-color-scheme: dark) { :root { --back: #14171b; --text: #e6e9ec;
      --quiet: #a3abb4; --line: #3a424b; --sum: #6cb2f0; --range: #2f5f8c; --deep: #4a6fc0;
      --core: #79b0ea; --rem: #a6dce6; --asleep: #a9adf0; --awake: #f0a560; --empty: #23282e; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--back);
      color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
    h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
    header p { color: var(--quiet); margin: 0; }
    nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; }
    nav a { display: inline-block; padding: 0.25rem 0; }
    a { color: var(--sum); }
    .skip { position: absolute; left: -100rem; }
    .skip:focus { left: 1rem; background: var(--back); padding: 0.5rem; }
    :focus-visible { outline: 3px solid var(--sum); outline-offset: 2px; }
    .pair { display: grid; gap: 1rem; margin: 0 0 1.5rem; }
    figure { margin: 0; min-width: 0; }
    svg { display: block; width: 100%; max-width: 34rem; height: auto; }
    svg text { fill: var(--text); font-size: 11px; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .grid { stroke: var(--line); stroke-width: 1; }
    .sum { fill: var(--sum); }
    .range { fill: var(--range); }
    .mark { fill: var(--sum); }
    .empty { fill: var(--empty); }
    .deep { fill: var(--deep); background: var(--deep); }
    .core { fill: var(--core); background: var(--core); }
    .rem { fill: var(--rem); background: var(--rem); }
    .asleep { fill: var(--asleep); background: var(--asleep); }
    .awake { fill: var(--awake); background: var(--awake); }
    .keys { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0;
      margin: 0.5rem 0; }
    .key { display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.4rem; }
    .table { overflow: auto; max-height: 19.4rem; min-width: 0;
      border-bottom: 1px solid var(--line); }
    table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
    caption { text-align: left; color: var(--quiet); padding-bottom: 0.25rem; }
    th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0;
      border-bottom: 1px solid var(--line); font-weight: normal; overflow-wrap: normal; }
    thead th { font-weight: 600; position: sticky; top: 0; background: var(--back); }
    th[scope=row] { white-space: nowrap; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    @media (min-width: 56rem) { .pair { grid-template-columns: 30rem minmax(0, 1fr); } }
    @media print { .table { max-height: none; } nav, .skip { display: none; }
      .pair { break-inside: avoid; } }

    """
}
