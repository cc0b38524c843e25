"""The looks of a report's page, in light, in dark and on paper."""

from typing import Final

STYLE: Final = """\
:root {
  color-scheme: light dark;
  --paper: #fdfdfb; --ink: #1b1f23; --muted: #59636e; --line: #d8dce0; --accent: #0a5fa8; --alert: #b3261e;
  --above: 10, 95, 168; --below: 176, 88, 12;
  --series1: #0a5fa8; --series2: #c2500a; --series3: #0b7a5c; --series4: #9a3d8f; --series5: #836800;
  --series6: #5a6673;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --ink: #e4e7ea; --muted: #9aa5b0; --line: #3a4148; --accent: #6cb4f5; --alert: #ff8a80;
    --above: 80, 165, 240; --below: 240, 150, 70;
    --series1: #6cb4f5; --series2: #ff9d57; --series3: #45cda3; --series4: #e28bd3; --series5: #dcc04c;
    --series6: #a9b4bf;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 {
  font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line);
}
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .5rem 0; max-width: 46rem; }
.muted, figcaption, caption { color: var(--muted); font-size: .875rem; }
.verdict { font-weight: 600; }
.alert { color: var(--alert); }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 .25rem; }
th, td {
  padding: .3rem .65rem .3rem 0; text-align: right; white-space: nowrap; overflow-wrap: normal;
  border-bottom: 1px solid var(--line);
}
thead th { color: var(--muted); font-weight: 500; vertical-align: bottom; }
.name { text-align: left; max-width: 15rem; overflow: hidden; text-overflow: ellipsis; }
tbody .name { font-weight: 600; position: sticky; left: 0; background: var(--paper); }
@media (max-width: 40rem) { .name { max-width: 8.5rem; } }
.faults { text-align: left; white-space: normal; min-width: 7rem; }
.tables { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; }
.tables .scroll { max-width: 100%; }
.matrix td, .matrix thead th { padding: .3rem .5rem; text-align: center; }
.matrix thead th.name { text-align: left; padding-left: 0; }
.a1 { background: rgba(var(--above), .10); } .a2 { background: rgba(var(--above), .22); }
.a3 { background: rgba(var(--above), .36); } .b1 { background: rgba(var(--below), .10); }
.b2 { background: rgba(var(--below), .22); } .b3 { background: rgba(var(--below), .36); }
.charts {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem 2rem;
}
figure { margin: .5rem 0; min-width: 0; max-width: 36rem; }
.chart { display: block; width: 100%; height: auto; font-family: inherit; }
.chart * { stroke-linejoin: round; }
.legend { list-style: none; margin: .25rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
.legend li { font-size: .875rem; }
.legend i {
  display: inline-block; width: 1.5rem; margin-right: .4rem; vertical-align: middle; border-top: 3px solid;
}
.legend .dashed { border-top-style: dashed; }
details { margin: .75rem 0; }
summary { cursor: pointer; }
dl {
  display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .25rem 0 1rem;
  font-size: .875rem;
}
dt { color: var(--muted); }
dd { margin: 0; }
@media print { body { max-width: none; padding: 0; } figure, table { break-inside: avoid; } }
"""
