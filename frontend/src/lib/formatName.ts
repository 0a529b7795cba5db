/** What people call the recordings of each format: the table of docs/formats.md, which a test compares with this. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  format: 'recording',
  trace_dat: 'trace.dat (trace-cmd)',
  function_graph_text: 'function_graph text (tracefs)',
  latency_text: 'latency-format text (tracefs)',
  report_text: 'trace-cmd report text',
  tracefs_text: 'trace text (tracefs)',
  systrace_html: 'page of systrace (HTML)',
  cyclictest_text: 'cyclictest (text)',
  rt_tests_json: 'rt-tests --json (cyclictest, oslat and others)',
  rtla_text: 'rtla timerlat and osnoise (text)',
  oslat_text: 'oslat (text)',
  ptsematest_text: 'ptsematest, pmqtest, svsematest (text)',
  hackbench_text: 'hackbench (text)',
  hwlatdetect_text: 'hwlatdetect (text)',
  perf_sched_timehist: 'perf sched timehist (text)',
  perf_sched_latency: 'perf sched latency (text)',
  schbench_text: 'schbench (text)',
  schbench_json: 'schbench --json',
  stress_ng_cyclic: 'stress-ng --cyclic (text)',
  ftq_counts: 'FTQ counts (text, Octave)',
  fwq_times: 'FWQ times (text)',
  duration_columns: 'columns of durations (TSV, CSV)',
  duration_lines: 'durations (JSON lines)',
  bare_numbers: 'FTQ and FWQ counts and times (bare numbers)',
};

/** What people call a format; its own word where it is newer than this page. */
export function formatName(format: string): string {
  return Object.hasOwn(FORMAT_NAMES, format) ? (FORMAT_NAMES[format] ?? format) : format;
}

/** The program or the layout alone, without whether it is a text or who writes it. */
export function shortFormatName(format: string): string {
  return formatName(format).replace(/ \(.*\)$/, '');
}
