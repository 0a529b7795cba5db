/** Where the pages live. A link is one of these and what the view's spec writes. */
export const paths = {
  traces: () => '/',
  trace: (id: string) => `/t/${encodeURIComponent(id)}`,
  timeline: (id: string) => `/t/${encodeURIComponent(id)}/timeline`,
  case: (id: string, caseId: string) => `/t/${encodeURIComponent(id)}/cases/${readable(caseId)}`,
  calls: (id: string) => `/t/${encodeURIComponent(id)}/calls`,
  diff: () => '/diff',
  compare: () => '/compare',
  trend: () => '/trend',
  query: () => '/query',
  help: (page: string) => `/help/${encodeURIComponent(page)}`,
  server: () => '/server',
  experiments: () => '/experiments',
  experiment: (slug: string) => `/experiments/${encodeURIComponent(slug)}`,
} as const;

/** The id of a case as part of a path, with the signs that it is made of left as they are. */
function readable(id: string): string {
  return encodeURIComponent(id).replaceAll('%40', '@').replaceAll('%2B', '+');
}
