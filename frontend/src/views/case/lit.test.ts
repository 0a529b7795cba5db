import { expect, test } from 'vitest';
import { CASE, CHAIN } from '../../api/latencies.fixture';
import { caseState } from '../../viewState/case';
import { casePieces, normalPieces } from '../../components/ruler/latePart';
import { litBy } from './lit';

const chained = { ...CASE, why: CHAIN };

test('a stage lights its stretch and the events at its ends', () => {
  expect(litBy(CASE, 'stage-2')).toEqual({
    id: 'stage-2',
    start: 996_000,
    end: 1_005_000,
    events: new Set([2]),
  });
});

test('a link lights its stretch and its evidence, however deep it hangs', () => {
  expect(litBy(chained, 'link-2')).toMatchObject({ start: 996_000, end: 1_005_000, events: new Set([1, 2]) });
  expect(litBy(chained, 'link-3.1')).toMatchObject({ start: 1_005_000, end: 1_010_000 });
});

test.each(['stage-0', 'stage-7', 'link-9', 'link-2.1', 'link-', 'other', ''])('%o lights nothing', (id) => {
  expect(litBy(chained, id)).toBeUndefined();
});

test('the address of a lit link can be read back', () => {
  const { state, notices } = caseState.read(
    caseState.write({ ...caseState.read({}).state, lit: 'link-3.1' }),
  );
  expect([state.lit, notices]).toEqual(['link-3.1', []]);
  expect(caseState.read({ lit: '<b>' }).notices).toHaveLength(1);
});

const late = (latencyCase: Parameters<typeof casePieces>[0]) =>
  casePieces(latencyCase).flatMap(({ isLate, id, name, start, end }) =>
    isLate ? [[id, name, start, end]] : [],
  );

test('the late part is the widest stage where nothing explains the case', () => {
  expect(late(CASE)).toEqual([['stage-2', 'irq entry → handler', 996_000, 1_005_000]]);
  expect(casePieces(CASE)).toHaveLength(6);
});

test('with a chain it is all links that took most of it', () => {
  expect(late(chained)).toEqual([['link-2', 'local_timer', 996_000, 1_005_000]]);
});

test('what is all of a case is no late part of it', () => {
  const whole = CHAIN.slice(1, 2).map((link) => ({ ...link, start: CASE.t, duration_ns: CASE.end - CASE.t }));
  const stages = CASE.stages.slice(0, 1);
  expect(late({ ...CASE, stages: [] })).toEqual([]);
  expect(late({ ...CASE, stages })).toEqual([]);
  expect(late({ ...CASE, stages, why: whole })).toEqual([]);
  expect(late({ ...CASE, why: whole })).toEqual([['link-1', 'local_timer', CASE.t, CASE.end]]);
});

test('a part of the chain lies over all of the case where it has no stages', () => {
  const pieces = casePieces({ ...chained, stages: [] });
  expect(pieces.map(({ id, isLate }) => [id, isLate])).toEqual([
    ['all', false],
    ['link-2', true],
  ]);
});

test('the normal case is read on the scale of this one, and is not late', () => {
  const pieces = normalPieces({ ...CASE, t: CASE.t - 500, stages: [] }, CASE.t);
  expect(pieces).toMatchObject([{ start: CASE.t, end: CASE.end + 500, isLate: false }]);
});
