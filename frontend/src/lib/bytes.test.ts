import { expect, it } from 'vitest';
import { formatBytes } from './bytes';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KiB'],
  [4_606_541, '4.39 MiB'],
  [55_410_688, '52.8 MiB'],
  [1_073_741_823, '1.00 GiB'],
  [600 * 1024 * 1024, '600 MiB'],
])('%i bytes are %s', (size, text) => {
  const { value, unit } = formatBytes(size);
  expect(`${value} ${unit}`).toBe(text);
});
