import { useState } from 'react';
import type { Contribution, DiffAnswer } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { useClock } from '../../components/clock/useClock';
import { Panel } from '../../components/panel/Panel';
import { SymbolName } from '../../components/SymbolName';
import { groupDigits, ns } from '../../lib/ns';
import { someOf } from '../../lib/someOf';
import { visibleText } from '../../lib/visibleText';
import styles from './Contributions.module.css';
import { briefDelta, deltaText } from './rowText';
import { whereText } from './whereText';

interface ContributionsProps {
  readonly answer: DiffAnswer;
  readonly selected: number | undefined;
  readonly onSelect: (row: number) => void;
  readonly onHover: (row: number | undefined) => void;
}

/** The contributions, largest first: calls that the other side lacks at their place, and calls of both. */
export function Contributions({ answer, ...rest }: ContributionsProps) {
  const { only_one_side, slower, below_floor } = answer.contributions;
  const isEvents = answer.kind === 'events';
  const clock = useClock();
  // One scale for both lists: what is small beside the other list's looks small.
  const largest = [...only_one_side, ...slower].reduce(
    (most, { delta_ns }) => Math.max(most, Math.abs(delta_ns)),
    1,
  );
  return (
    <div className={styles.lists}>
      <Ranked
        title={isEvents ? 'Events without a counterpart' : 'Calls without a counterpart'}
        items={only_one_side}
        largest={largest}
        of={answer.kind}
        {...rest}
      />
      <Ranked
        title={changedTitle(slower, isEvents)}
        items={slower}
        largest={largest}
        of={answer.kind}
        {...rest}
      />
      {below_floor.count > 0 && (
        <p className={styles.floor}>
          {`${groupDigits(below_floor.count)} more below the noise floor: ${deltaText(below_floor.delta_ns, clock)} in total`}
        </p>
      )}
    </div>
  );
}

/** What both sides have may be slower here and faster there. */
function changedTitle(items: readonly Contribution[], isEvents: boolean): string {
  const isSlower = items.length === 0 || items.some(({ delta_ns }) => delta_ns > 0);
  const isFaster = items.some(({ delta_ns }) => delta_ns < 0);
  const how = isSlower && isFaster ? 'both' : isSlower ? 'slower' : 'faster';
  return isEvents ? EVENTS_THAT[how] : CALLS_THAT[how];
}

const CALLS_THAT = {
  slower: 'Slower calls',
  faster: 'Faster calls',
  both: 'Slower and faster calls',
} as const;

const EVENTS_THAT = {
  slower: 'Longer waits after an event',
  faster: 'Shorter waits after an event',
  both: 'Longer and shorter waits after an event',
} as const;
interface RankedProps extends Omit<ContributionsProps, 'answer'> {
  readonly title: string;
  readonly items: readonly Contribution[];
  /** The length of a full bar. */
  readonly largest: number;
  readonly of: 'calls' | 'events';
}

/** The items shown at first. */
const FIRST_ITEMS = 8;

function Ranked({ title, items, largest, of, selected, onSelect, onHover }: RankedProps) {
  const [showsAll, setShowsAll] = useState(false);
  const clock = useClock();
  const shown = showsAll ? items : items.slice(0, FIRST_ITEMS);
  const sum = items.reduce((all, { delta_ns }) => all + delta_ns, 0);
  return (
    <Panel title={title} note={items.length > 0 ? deltaText(sum, clock) : undefined}>
      {items.length === 0 && <p className={styles.none}>None.</p>}
      <ol className={styles.items} onPointerLeave={() => onHover(undefined)}>
        {shown.map((item) => (
          <li key={`${item.row} ${item.names.join(' ')}`}>
            <button
              type="button"
              className={styles.item}
              aria-pressed={item.row === selected}
              title={`${visibleText(item.sentence)}\n${visibleText(item.path.join(' → '))}`}
              onClick={() => onSelect(item.row)}
              onPointerOver={() => onHover(item.row)}
            >
              <span className={styles.names}>
                <code>
                  <SymbolName name={someOf(item.names, FIRST_NAMES)} />
                </code>
                <span className={styles.where}>{whereText(item, of)}</span>
              </span>
              <span className={styles.delta} title={clock.exact(ns(item.delta_ns))}>
                {briefDelta(item.delta_ns, clock)}
              </span>
              <span aria-hidden className={styles.bar} data-sign={item.delta_ns < 0 ? 'faster' : 'slower'}>
                <span style={{ width: `${(100 * Math.abs(item.delta_ns)) / largest}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ol>
      {shown.length < items.length && (
        <p className={styles.more}>
          <Button look="bare" onClick={() => setShowsAll(true)}>
            {`Show all ${groupDigits(items.length)}`}
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** The names shown; the sentence has all of them. */
const FIRST_NAMES = 4;
