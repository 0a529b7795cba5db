import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAIR, SAMPLES, samplesOf } from './samples';

it('reads every sample that there is', () => {
  const toml = readFileSync(new URL('../../../../sample_traces/samples.toml', import.meta.url), 'utf8');
  expect(SAMPLES).toHaveLength(toml.match(/^file = /gm)?.length ?? 0);
  expect(samplesOf('# a comment\n[[sample]]\nfile = "a"\nname = "A"\nshows = "What."\n')).toEqual([
    { name: 'A', shows: 'What.' },
  ]);
});

it('knows the pair that is compared', () => {
  const names = SAMPLES.map(({ name }) => name);
  for (const name of PAIR) expect(names).toContain(name);
});
