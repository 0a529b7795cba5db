import {
  choiceField,
  countField,
  laneListField,
  nsField,
  numberSetField,
  rangeField,
  textField,
  wordSetField,
  type Field,
} from './fields';
import { eventIdField, sliceIdField } from './itemIds';
import { viewSpec } from './viewSpec';

/** What is written where the worst cases of every kind are shown, or of none. */
export const ALL_KINDS = 'all';
export const NO_KIND = 'none';

/** The least is that of a name beside a lane. */
export const LANE_PX = { least: 18, most: 120 } as const;

export const AREA_GROUPINGS = ['name', 'task', 'cpu'] as const;
export type AreaGrouping = (typeof AREA_GROUPINGS)[number];

const SORTED_BY = ['total', 'count', 'longest', 'name'] as const;
export type AreaSort = (typeof SORTED_BY)[number] | `-${(typeof SORTED_BY)[number]}`;
export const AREA_SORTS: readonly [AreaSort, ...AreaSort[]] = [
  '-total',
  'total',
  ...SORTED_BY.slice(1).flatMap((name): AreaSort[] => [`-${name}`, name]),
];

/** The timeline: what is in sight, which lanes are shown, and what is selected and marked in it. */
export const timelineState = viewSpec({
  window: rangeField(),
  /** The CPUs whose lanes are shown; none named means all. */
  cpu: numberSetField(0, 8191),
  /** Kinds of lanes that are left out. */
  hide: wordSetField(),
  /** Tasks that have lanes of their own, by pid. */
  tasks: numberSetField(1, 4_194_304),
  /** Lanes at the top, in this order. */
  pin: laneListField(),
  /** Lanes that were moved, one after the other. */
  order: laneOrderField(),
  /** Single lanes that are left out. */
  without: laneListField(),
  /** Pixels of a lane; absent where lanes share the room. */
  height: countField(LANE_PX.least, LANE_PX.most),
  slice: sliceIdField(),
  event: eventIdField(),
  area: rangeField(),
  /** What the times of the selected stretch are summed up by, and their order. */
  by: choiceField<AreaGrouping>(AREA_GROUPINGS),
  sort: choiceField<AreaSort>(AREA_SORTS),
  /** Id of the opened case. */
  case: textField(300),
  /** The kind whose worst cases are dots above the lanes; empty for that of the opened case, else for the usual one. */
  cases: casesField(),
  /** Whose arrows are drawn: of the selection and the opened case, or of all that is in view. */
  arrows: choiceField<'selection' | 'all'>(['selection', 'all']),
  /** Kinds of arrows that are neither drawn nor followed. */
  arrowsOff: wordSetField(),
  /** The line through what the opened case waited for. */
  path: choiceField<'shown' | 'hidden'>(['shown', 'hidden']),
  a: nsField(),
  b: nsField(),
  q: textField(),
  events: choiceField<'shown' | 'hidden'>(['shown', 'hidden']),
});

export type TimelineState = ReturnType<typeof timelineState.read>['state'];

function casesField(): Field<string> {
  return {
    fallback: '',
    parse: (text) => (/^[a-z][a-z0-9_]{0,63}$/.test(text) ? text : undefined),
    print: (kind) => kind,
    wants: `a kind of latency such as wakeup, ${ALL_KINDS} or ${NO_KIND}`,
  };
}

/** A lane that was moved, and the lane that it is above; none for the end. */
export interface LaneMove {
  readonly id: string;
  readonly above: string | undefined;
}

const MOST_MOVES = 64;
const END = '-';

/** `cpu1.irq:cpu0.sched,cpu0.idle:-`: the first above the second, and the last one at the end. */
function laneOrderField(): Field<readonly LaneMove[]> {
  return {
    fallback: [],
    parse: (text) => {
      const moves = text.split(',').map((move) => /^([\w.-]{1,80}):([\w.-]{1,80})$/.exec(move));
      if (moves.length > MOST_MOVES) return undefined;
      const read = moves.flatMap((move) =>
        move?.[1] === undefined || move[2] === undefined
          ? []
          : [{ id: move[1], above: move[2] === END ? undefined : move[2] }],
      );
      return read.length === moves.length ? read : undefined;
    },
    print: (moves) => moves.map(({ id, above }) => `${id}:${above ?? END}`).join(','),
    wants: 'moved lanes such as cpu1.irq:cpu0.sched',
  };
}
