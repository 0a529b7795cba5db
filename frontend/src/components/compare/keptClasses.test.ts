import { expect, it } from 'vitest';
import { keptClasses } from './keptClasses';

const measure = { measured_class: 'real_time' } as const;

it('keeps to the class that the traces measure until another is chosen', () => {
  expect(keptClasses({ comm: '', priority: undefined }, measure)).toEqual(['real_time']);
  expect(keptClasses({ comm: '', priority: [] }, measure)).toEqual([]);
  expect(keptClasses({ comm: '', priority: ['fair'] }, measure)).toEqual(['fair']);
});

it('keeps to none where traces measure none, and where a task is named', () => {
  expect(keptClasses({ comm: '', priority: undefined }, { measured_class: null })).toEqual([]);
  expect(keptClasses({ comm: '', priority: undefined }, undefined)).toEqual([]);
  expect(keptClasses({ comm: 'sh', priority: undefined }, measure)).toEqual([]);
});
