import { ns, type Ns } from '../lib/ns';
import type { Field } from './fields';

/** One event by where and when it was recorded. `cpu1@2160118` */
export interface EventId {
  readonly cpu: number;
  readonly t: Ns;
}

/** One slice by its lane and start. `cpu1.irq.0@2160118` */
export interface SliceId extends EventId {
  readonly kind: string;
  readonly depth: number;
  /** Of a slice on the lane of this task, which may be on any CPU. `task1213@2160118` */
  readonly pid?: number;
}

/** The kind of the lanes of tasks. */
const TASK = 'task';

export function sliceIdField(): Field<SliceId | undefined> {
  return {
    fallback: undefined,
    parse: (text) => {
      const [, pid, since] = /^task(\d{1,7})@(-?\d{1,16})$/.exec(text) ?? [];
      if (pid !== undefined && Number.isSafeInteger(Number(since))) {
        return { cpu: 0, kind: TASK, depth: 0, pid: Number(pid), t: ns(Number(since)) };
      }
      const [, cpu, kind, depth, t] =
        /^cpu(\d{1,5})\.([a-z_]{1,32})\.(\d{1,5})@(-?\d{1,16})$/.exec(text) ?? [];
      if (kind === undefined || !Number.isSafeInteger(Number(t))) return undefined;
      return { cpu: Number(cpu), kind, depth: Number(depth), t: ns(Number(t)) };
    },
    print: (id) => (id ? sliceText(id) : ''),
    wants: 'a slice such as cpu1.irq.0@2160118 or task1213@2160118',
  };
}

const sliceText = ({ cpu, kind, depth, pid, t }: SliceId): string =>
  pid === undefined ? `cpu${cpu}.${kind}.${depth}@${t}` : `task${pid}@${t}`;

export function eventIdField(): Field<EventId | undefined> {
  return {
    fallback: undefined,
    parse: (text) => {
      const [, cpu, t] = /^cpu(\d{1,5})@(-?\d{1,16})$/.exec(text) ?? [];
      if (cpu === undefined || !Number.isSafeInteger(Number(t))) return undefined;
      return { cpu: Number(cpu), t: ns(Number(t)) };
    },
    print: (id) => (id ? `cpu${id.cpu}@${id.t}` : ''),
    wants: 'an event such as cpu1@2160118',
  };
}
