import { expect, it } from 'vitest';
import { isKernelThread, taskLabel } from './taskKind';

it('knows the kernel threads by their names', () => {
  const names = ['kworker/0:1', 'ksoftirqd/3', 'irq/24-nvme0q1', 'rcu_preempt', 'migration/0', 'ktimers/1'];
  expect(names.filter((name) => !isKernelThread(name))).toEqual([]);
  expect(['kate', 'cyclictest', 'irqbalance', 'bash'].filter(isKernelThread)).toEqual([]);
});

it('labels tasks as ftrace does', () => {
  expect(taskLabel('cyclictest', 1213)).toBe('cyclictest-1213');
  expect(taskLabel(null, 7)).toBe('<...>-7');
  expect(taskLabel('sh', null)).toBe('sh');
  expect(taskLabel('', 6462)).toBe('pid 6462');
});
