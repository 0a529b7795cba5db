// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { catalogQuery } from '../../api/catalog';
import { TRACE } from '../../components/testing/trace.fixture';
import { FactsLine } from './FactsLine';

afterEach(cleanup);

it.each([
  ['cyclictest_text', 'cyclictest'],
  ['schbench_json', 'schbench --json'],
  ['of_a_newer_server', 'of_a_newer_server'],
])('names the program that measured, not the word for its format: %s', (format, program) => {
  const client = new QueryClient();
  const formats = [
    { name: 'cyclictest_text', title: 'cyclictest (text)' },
    { name: 'schbench_json', title: 'schbench --json' },
  ];
  client.setQueryData<object>(catalogQuery.queryKey, { formats });
  render(
    <QueryClientProvider client={client}>
      <FactsLine trace={{ ...TRACE, is_measurement: true, format }} />
    </QueryClientProvider>,
  );
  const [, named] = screen.getAllByRole('listitem');
  expect(named?.textContent).toBe(program);
});

it('gives the length of a recording whose clock counts in steps of the clock', () => {
  render(<FactsLine trace={{ ...TRACE, duration_ns: 2_338, time_unit: 'ticks' }} />);
  expect(screen.getByText(/clock ticks$/).textContent).toBe('2,338 clock ticks');
});
