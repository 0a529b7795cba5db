/** The pages of documentation, in the order in which they are listed. */
export const PAGES: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'recording', title: 'How to record' },
  { name: 'latencies', title: 'Latencies' },
  { name: 'why', title: 'Why a case took so long' },
  { name: 'advice', title: 'What usually helps' },
  { name: 'tails', title: 'Tail profiles' },
  { name: 'diff', title: 'Comparing calls' },
  { name: 'experiments', title: 'Comparing recordings' },
  { name: 'measurements', title: 'Files of measurements' },
  { name: 'filter', title: 'The search box' },
  { name: 'sql', title: 'SQL' },
  { name: 'exports', title: 'Exports' },
  { name: 'formats', title: 'Formats' },
  { name: 'trace-dat', title: 'trace.dat' },
  { name: 'diagnostics', title: 'Diagnostics' },
  { name: 'terminal', title: 'In the terminal' },
  { name: 'cookbook', title: 'Cookbook' },
  { name: 'api', title: 'REST by example' },
  { name: 'operators', title: 'Running a server' },
  { name: 'settings', title: 'Settings' },
];

const TEXTS = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });
/** The text of a page; nothing where there is no such page. */
export async function loadPage(name: string): Promise<string | undefined> {
  return isPage(name) ? await TEXTS[`../../../../docs/${name}.md`]?.() : undefined;
}

export function isPage(name: string): boolean {
  return PAGES.some((page) => page.name === name);
}
