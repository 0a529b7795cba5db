import { visibleText } from '../../lib/visibleText';

interface NotedTrace {
  readonly kernel: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** What tells traces of like names apart: the kernel and the labels. */
export function traceNote({ kernel, labels }: NotedTrace): string {
  const named = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return visibleText([kernel, ...named].filter(Boolean).join(' '));
}
