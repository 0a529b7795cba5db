import { expect, it } from 'vitest';
import { isIrqEntry } from './colour';

it('knows interrupts by the function they come in through', () => {
  const entries = [
    'smp_apic_timer_interrupt',
    'sysvec_apic_timer_interrupt',
    'asm_sysvec_apic_timer_interrupt',
    '__sysvec_apic_timer_interrupt',
    'common_interrupt',
    'gic_handle_irq',
    'el1_interrupt',
    'handle_softirqs',
    '__do_softirq',
    'irq_exit_rcu',
  ];
  expect(entries.filter((name) => !isIrqEntry(name))).toEqual([]);
  expect(
    ['hrtimer_start', 'request_irq', 'disable_irq', 'schedule', 'irqtime_account_irq'].filter(isIrqEntry),
  ).toEqual([]);
});
