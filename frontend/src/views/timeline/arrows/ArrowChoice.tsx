import { Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import { groupDigits } from '../../../lib/ns';
import type { TimelineState } from '../../../viewState/timeline';
import type { SetViewState } from '../../../viewState/useViewState';
import styles from './ArrowChoice.module.css';
import type { Arrows } from './useArrows';

interface ArrowChoiceProps {
  readonly arrows: Arrows;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
}

/** Which kinds of arrows are drawn, each in front of its name as it is drawn, and whether all in view are; or why none is. */
export function ArrowChoice({ arrows: found, state, setState }: ArrowChoiceProps) {
  const { kinds, isNoneRecorded, hiddenCount } = found;
  const { arrows, arrowsOff, path } = state;
  const toggle = (kind: string) =>
    setState({
      arrowsOff: arrowsOff.includes(kind)
        ? arrowsOff.filter((other) => other !== kind)
        : [...arrowsOff, kind],
    });
  const isAll = arrows === 'all';
  return (
    <>
      {isNoneRecorded && (
        <SwitchGroup name="Arrows">
          <span className={styles.quiet}>none: no wakeups, timers or softirqs were recorded</span>
        </SwitchGroup>
      )}
      {kinds.length > 0 && (
        <SwitchGroup name="Arrows">
          {kinds.map(({ name, title }) => (
            <Switch key={name} isOn={!arrowsOff.includes(name)} onClick={() => toggle(name)}>
              <span className={styles.line} data-kind={name} aria-hidden /> {title}
            </Switch>
          ))}
          <Switch
            isOn={isAll}
            onClick={() => setState({ arrows: isAll ? 'selection' : 'all' }, { history: 'push' })}
          >
            all in view
          </Switch>
          {isAll && hiddenCount > 0 && (
            <span className={styles.quiet} title="Zoom in to see them">
              {`${groupDigits(hiddenCount)} shorter ones hidden`}
            </span>
          )}
        </SwitchGroup>
      )}
      {state.case !== '' && (
        <Switch
          isOn={path === 'shown'}
          onClick={() => setState({ path: path === 'shown' ? 'hidden' : 'shown' })}
        >
          <span className={styles.line} data-kind="path" aria-hidden /> Critical path
        </Switch>
      )}
    </>
  );
}
