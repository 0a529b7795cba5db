import { expect, it } from 'vitest';
import type { ChainLink } from '../../../api/chain';
import { criticalPath } from './criticalPath';

function link(start: number, end: number, pid: number | null, under: readonly ChainLink[] = []): ChainLink {
  const kind = pid === null ? 'interrupt' : 'task';
  return {
    start,
    duration_ns: end - start,
    cpu: 1,
    mechanism: 'waits_for',
    also: [],
    subject: { kind, name: 'x', pid, cpu: pid === 9 ? 0 : 1, prio: null },
    sentence: `by ${pid}`,
    is_late: false,
    evidence: [],
    certainty: 'recorded',
    bounds: null,
    normal: null,
    deeper: under.length === 0 ? null : { case: null, url: null, links: under },
  };
}

const check = (why: readonly ChainLink[], expected: readonly string[]) =>
  expect(
    criticalPath(why).map(({ start, end, cpu, pid }) => `${start}-${end} cpu ${cpu} ${pid ?? '-'}`),
  ).toEqual(expected);

it('goes through the subject of every link, in time', () => {
  check([link(10, 20, 7), link(0, 10, null), link(20, 20, 3)], ['0-10 cpu 1 -', '10-20 cpu 1 7']);
});

it('goes through what lies under a link, cut to it, and through the link where nothing lies under it', () => {
  const under = [link(-5, 4, 8), link(6, 30, 9)];
  check([link(0, 10, 7, under)], ['0-4 cpu 1 8', '4-6 cpu 1 7', '6-10 cpu 0 9']);
});

it('goes down through every depth', () => {
  check([link(0, 9, 7, [link(0, 9, 8, [link(3, 6, 9)])])], ['0-3 cpu 1 8', '3-6 cpu 0 9', '6-9 cpu 1 8']);
});
