import type { Field } from './fields';

/** By what samples are told apart so that one part of them can be asked for. */
export const STRATUM_NAMES = ['cpu', 'pid', 'comm', 'key'] as const;

export type StratumName = (typeof STRATUM_NAMES)[number];

/** The part of the samples that has one value: those of a CPU, of a task, of a name, or of what a kind is keyed by. */
export interface Stratum {
  readonly name: StratumName;
  readonly value: string;
}

const LONGEST_VALUE = 512;

/** `cpu:1`, `comm:ksoftirqd/0`, `key:NET_RX`; absent for all samples. */
export function stratumField(): Field<Stratum | undefined> {
  return {
    fallback: undefined,
    parse: (text) => {
      const [, found = '', value = ''] = /^([a-z]+):([^]+)$/.exec(text) ?? [];
      const name = STRATUM_NAMES.find((known) => known === found);
      const isNumber = name === 'cpu' || name === 'pid';
      const isGood = isNumber ? /^\d{1,7}$/.test(value) : value.length > 0 && value.length <= LONGEST_VALUE;
      return name !== undefined && isGood ? { name, value } : undefined;
    },
    print: (stratum) => (stratum ? `${stratum.name}:${stratum.value}` : ''),
    wants: 'a part of the samples such as cpu:1 or comm:ksoftirqd/0',
  };
}
