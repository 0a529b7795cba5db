import { Fragment, useId } from 'react';
import type { ArrowKind } from '../../../api/arrows';
import { useClock } from '../../../components/clock/useClock';
import type { Clock } from '../../../lib/clock';
import { ns } from '../../../lib/ns';
import { arrowsAt, endsOf, type Arrow, type ArrowPlace, type ArrowSide } from './arrow';
import styles from './ArrowLinks.module.css';

/** More than fit beside the facts of a selection. */
const MOST = 6;

interface ArrowLinksProps {
  readonly arrows: readonly Arrow[];
  readonly kinds: readonly ArrowKind[];
  readonly place: ArrowPlace;
  readonly onGo: (arrow: Arrow, side: ArrowSide) => void;
}

/** What caused the selection and what it causes, each a way to the other end. */
export function ArrowLinks({ arrows, kinds, place, onGo }: ArrowLinksProps) {
  const clock = useClock();
  const heading = useId();
  const sides = (['backward', 'forward'] as const)
    .map((side) => ({ side, all: arrowsAt(arrows, place, side) }))
    .filter(({ all }) => all.length > 0);
  if (sides.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className={styles.head}>
        Arrows
      </h3>
      {sides.map(({ side, all }) => (
        <ul key={side} className={styles.list}>
          {all.slice(0, MOST).map((arrow) => (
            <li key={arrow.id}>
              {wordOf(arrow, side, kinds)}{' '}
              <button type="button" className={styles.link} onClick={() => onGo(arrow, side)}>
                {endText(arrow, side)}
              </button>{' '}
              <span className={styles.quiet}>{lengthText(arrow, side, clock)}</span>
            </li>
          ))}
          {all.length > MOST && <li className={styles.quiet}>{`${all.length - MOST} more`}</li>}
        </ul>
      ))}
      <p className={styles.quiet}>
        {sides.map(({ side }, at) => (
          <Fragment key={side}>
            {at > 0 && ' and '}
            <kbd>{side === 'backward' ? '[' : ']'}</kbd>
          </Fragment>
        ))}
        {sides.length > 1 ? ' follow the nearest.' : ' follows the nearest.'}
      </p>
    </section>
  );
}

const wordOf = ({ kind }: Arrow, side: ArrowSide, kinds: readonly ArrowKind[]): string =>
  kinds.find(({ name }) => name === kind)?.[side] ?? kind;

/** `hrtimer_wakeup on CPU 1`, `ktimers/1-34 on CPU 1`. */
function endText(arrow: Arrow, side: ArrowSide): string {
  const { there } = endsOf(arrow, side);
  const name = side === 'forward' && arrow.what !== '' ? arrow.what : there.task;
  return `${name} on CPU ${there.cpu}`;
}

function lengthText({ from, to }: Arrow, side: ArrowSide, clock: Clock): string {
  return `${clock.duration(ns(to.t - from.t))} ${side === 'forward' ? 'later' : 'before'}`;
}
