/** A recording that comes with the program, and what it shows, in one sentence. */
export interface Sample {
  readonly name: string;
  readonly shows: string;
}

const [index = ''] = Object.values(
  import.meta.glob<string>('../../../../sample_traces/samples.toml', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

/** The samples in the order in which they are best opened. */
export const SAMPLES: readonly Sample[] = samplesOf(index);

/** Two runs of one interrupt that are best seen side by side: abnormal, normal. */
export const PAIR = ['Slow timer interrupt, with notes', 'Normal timer interrupt'] as const;

/** The entries of samples.toml, whose values are texts without escapes, each on a line of its own. */
export function samplesOf(toml: string): readonly Sample[] {
  return toml
    .split('[[sample]]')
    .slice(1)
    .flatMap((entry) => {
      const name = /^name = "([^"\\]*)"$/m.exec(entry)?.[1];
      const shows = /^shows = "([^"\\]*)"$/m.exec(entry)?.[1];
      return name === undefined || shows === undefined ? [] : [{ name, shows }];
    });
}
