/** Where the pages live. A link is one of these and what the view's spec writes. */
export const paths = {
  traces: () => '/',
  trace: (id: string) => `/t/${encodeURIComponent(id)}`,
  timeline: (id: string) => `/t/${encodeURIComponent(id)}/timeline`,
  calls: (id: string) => `/t/${encodeURIComponent(id)}/calls`,
} as const;
