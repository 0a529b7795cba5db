import { describe, expect, it } from 'vitest';
import { choiceField, countField, nsField, numberSetField, rangeField, textField } from './fields';
import { viewSpec } from './viewSpec';

const spec = viewSpec({
  q: textField(10),
  sort: choiceField(['-created', 'name']),
  cpu: numberSetField(0, 8191),
  at: nsField(),
  window: rangeField(),
  pid: countField(0, 4_194_304),
});

function check(query: string, expected: object, notices: readonly RegExp[] = []): void {
  const reading = spec.read(Object.fromEntries(new URLSearchParams(query)));
  expect(reading.state).toMatchObject(expected);
  expect(reading.notices).toHaveLength(notices.length);
  for (const [at, notice] of notices.entries()) expect(reading.notices[at]).toMatch(notice);
}

describe('reading', () => {
  it('takes good values', () => {
    check('v=1&q=rt&sort=name&cpu=3,1,1&at=50us&window=10-20&pid=0', {
      q: 'rt',
      sort: 'name',
      cpu: [1, 3],
      at: 50_000,
      window: { start: 10, end: 20 },
      pid: 0,
    });
  });

  it('drops what nobody declared', () => {
    check('v=1&q=rt&colour=red&__proto__=x&constructor=y', { q: 'rt' });
  });

  it.each([
    ['sort=size', /sort=size, which is not one of -created, name/],
    ['cpu=99999999', /cpu=99999999/],
    ['cpu=1,', /cpu=1,/],
    ['at=soon', /at=soon, which is not a time/],
    ['window=20-10', /start first/],
    ['window=1-99999999999999999', /window/],
    ['pid=-1', /pid=-1/],
    ['pid=1e3', /pid=1e3/],
    ['q=12345678901', /at most 10 characters/],
    ['v=zwei', /not a version/],
    ['v=9', /newer version/],
  ])('falls back with a notice at %s', (query, notice) => {
    check(query, { q: '', sort: '-created', cpu: [] }, [notice]);
  });
});

describe('writing', () => {
  it('leaves out what is at its fallback, and the version with it', () => {
    const { state } = spec.read({});
    expect(spec.write(state)).toEqual({});
    expect(spec.write({ ...state, cpu: [2] })).toEqual({ v: '1', cpu: '2' });
  });

  it('gives back what was read', () => {
    const raw = { v: '1', q: 'rt', sort: 'name', cpu: '0,7', at: '1500', window: '10-20', pid: '12' };
    expect(spec.write(spec.read(raw).state)).toEqual(raw);
  });
});

it('upgrades every version that ever shipped, step by step', () => {
  const third = viewSpec({ name: textField() }, [
    ({ title = '', ...rest }) => ({ ...rest, label: title }),
    ({ label = '', ...rest }) => ({ ...rest, name: label.toUpperCase() }),
  ]);
  expect(third.version).toBe(3);
  expect(third.read({ v: '1', title: 'a' }).state).toEqual({ name: 'A' });
  expect(third.read({ v: '2', label: 'b' }).state).toEqual({ name: 'B' });
  expect(third.read({ v: '3', name: 'c' }).state).toEqual({ name: 'c' });
  expect(third.read({ name: 'typed' }).state).toEqual({ name: 'typed' });
});
