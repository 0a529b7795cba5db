import { expect, test } from 'vitest';
import { chainRuns } from './chainRuns';

const chain = (count: number, length: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ duration_ns: length(index) }));

test('a chain that fits is listed link by link', () => {
  expect(chainRuns(chain(24, () => 1))).toEqual([{ isFolded: false, links: [...Array(24).keys()] }]);
});

test('links that are short beside the longest are summed up where several follow on each other', () => {
  const lengths = [4, 5, 100_000, 8, 5_000, 6, 2, 3, 1];
  expect(chainRuns(chain(lengths.length, (index) => lengths[index] ?? 0))).toEqual([
    { isFolded: true, links: [0, 1] },
    { isFolded: false, links: [2] },
    { isFolded: false, links: [3] },
    { isFolded: false, links: [4] },
    { isFolded: true, links: [5, 6, 7, 8] },
  ]);
});

test('of a long chain the longest links are listed, and every link is in one run', () => {
  const runs = chainRuns(chain(100, (index) => (index % 10 === 0 ? 1_000 : index)));
  expect(runs.flatMap(({ links }) => links)).toEqual([...Array(100).keys()]);
  const listed = runs.filter(({ isFolded }) => !isFolded).flatMap(({ links }) => links);
  expect(listed).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 94, 95, 96, 97, 98, 99]);
  expect(runs.filter(({ isFolded, links }) => isFolded && links.length < 2)).toEqual([]);
});
