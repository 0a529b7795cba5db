import { expect, type APIRequestContext } from '@playwright/test';

import { histogramText } from './cyclictest.ts';

export interface Nightly {
  readonly id: string;
  readonly name: string;
}

/**
 * Made-up runs, a build a night, labelled `job:<job>` and `build`: from `badSince` on, one cycle in fifty takes 80 µs
 * and no longer 50. Each is loaded when this resolves. Jobs whose names are of one length have the same files.
 */
export async function uploadNightlies(
  request: APIRequestContext,
  job: string,
  { nights, badSince }: { readonly nights: number; readonly badSince: number },
): Promise<readonly Nightly[]> {
  const runs: Nightly[] = [];
  for (let night = 0; night < nights; night += 1) {
    const late = (night >= badSince ? 80 : 50) + ((night * 7) % 4);
    const counts = new Map([
      [job.length, 900 + night],
      [job.length + 2, 80],
      [late, 20],
    ]);
    const name = `${job}-${(night + 1).toString().padStart(3, '0')}`;
    // oxlint-disable no-await-in-loop -- in this order in the catalog
    const uploaded = await request.post(`/api/v1/traces?filename=${name}.txt`, {
      data: Buffer.from(histogramText(counts)),
    });
    const { id } = (await uploaded.json()) as { readonly id: string };
    const labels = { job, build: `6.12.${night + 1}`, commit: night >= badSince ? 'bad5eed' : 'c0ffee0' };
    expect((await request.patch(`/api/v1/traces/${id}`, { data: { labels } })).ok()).toBe(true);
    runs.push({ id, name });
    // oxlint-enable no-await-in-loop
  }
  // In the order in which they are loaded, each as long as it takes on a busy machine.
  for (const { id } of runs) {
    await expect // oxlint-disable-line no-await-in-loop -- the next one is loaded meanwhile
      .poll(
        async () => {
          const trace = await request.get(`/api/v1/traces/${id}?wait=10`);
          return ((await trace.json()) as { readonly status: string }).status;
        },
        { timeout: 100_000 },
      )
      .toBe('ready');
  }
  return runs;
}
