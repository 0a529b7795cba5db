import { ports } from './ports.ts';
import { Stack } from './stack.ts';

/** Starts one product with its samples for all specs, and returns the function that stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stack = new Stack(ports.shared);
  await stack.start({ samples: true });
  await samplesLoaded(stack.url);
  return () => stack.remove();
}

async function samplesLoaded(url: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  let waiting: string[] = ['all'];
  while (waiting.length > 0) {
    if (Date.now() > deadline) throw new Error(`samples still loading: ${waiting.join(', ')}`);
    const answer = await fetch(`${url}/api/v1/traces?limit=100`);
    const { items } = (await answer.json()) as { items: { name: string; status: string }[] };
    waiting = items.filter((t) => !['ready', 'failed'].includes(t.status)).map((t) => t.name);
    if (items.length === 0) waiting = ['all'];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
