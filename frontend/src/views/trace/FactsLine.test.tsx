// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { TRACE } from '../../components/testing/trace.fixture';
import { FactsLine } from './FactsLine';

afterEach(cleanup);

it('names the program that measured, not the word for its format', () => {
  render(<FactsLine trace={{ ...TRACE, is_measurement: true, format: 'cyclictest_text' }} />);
  expect(screen.getByRole('list', { name: 'Facts' }).textContent).toMatch(/^measurementscyclictest\d/);
});
