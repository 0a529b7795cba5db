import { expect, it } from 'vitest';
import { viewAt } from './startPage';

it.each([
  ['/', 'Traces'],
  ['/t/24sh5tesqht7', 'Overview'],
  ['/t/24sh5tesqht7/timeline', 'Timeline'],
  ['/t/24sh5tesqht7/cases/wakeup-9@1', 'Case'],
  ['/experiments', 'Experiments'],
  ['/experiments/isolated', 'Experiment'],
  ['/experiments/', undefined],
  ['/nowhere', undefined],
])('the script of %s is that of %s', (path, title) => expect(viewAt(path)?.title).toBe(title));
