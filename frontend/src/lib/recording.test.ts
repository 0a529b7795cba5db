import { expect, it } from 'vitest';
import { recordCallsCommand, recordCommand } from './recording';

it('asks for each event once', () => {
  expect(recordCommand(['sched:sched_switch', 'irq', 'sched:sched_switch'])).toBe(
    'trace-cmd record -e sched:sched_switch -e irq -o next.dat sleep 10',
  );
});

it('asks for a tracer', () => {
  expect(recordCommand(['function_graph tracer', 'cpu_idle'])).toBe(
    'trace-cmd record -p function_graph -e cpu_idle -o next.dat sleep 10',
  );
});

it('puts nothing into a shell line that could do more than name an event', () => {
  expect(recordCommand(['irq; rm -rf /', '$(reboot)', 'a b', '-o/etc/passwd', ''])).toBe(
    'trace-cmd record -o next.dat sleep 10',
  );
});

it('records calls only of what can be a name', () => {
  expect(recordCallsCommand('tcp_ack.isra.0')).toContain(' -g tcp_ack.isra.0 ');
  for (const name of ['', '-o', 'f; reboot', '$(reboot)', 'f g', 'f\nreboot']) {
    expect(recordCallsCommand(name)).toBeUndefined();
  }
});
