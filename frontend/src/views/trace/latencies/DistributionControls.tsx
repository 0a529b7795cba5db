import { useState } from 'react';
import type { LatencyKind } from '../../../api/latencyTypes';
import { ScaleSwitch, Switch, SwitchGroup } from '../../../components/toolbar/Toolbar';
import type { Measure } from '../../../lib/measure';
import { exactIn, ns, parseDuration, unitOf, type Ns } from '../../../lib/ns';
import {
  DISTRIBUTION_FORMS,
  LATENCY_GROUPS,
  type DistributionForm,
  type LatencyGrouping,
  type TraceState,
} from '../../../viewState/trace';
import type { SetViewState } from '../../../viewState/useViewState';
import styles from './DistributionPanel.module.css';
import { USUAL_BARS } from '../../../components/distribution/usual';
import { niceStep } from '../../../components/series/durationAxis';

interface DistributionControlsProps {
  readonly kind: LatencyKind;
  readonly state: TraceState;
  readonly setState: SetViewState<TraceState>;
  /** Of the samples; absent until it is known. */
  readonly longest: number | undefined;
  readonly measure: Measure;
  readonly form: DistributionForm;
  /** The width of bars for values within one power of two, which have no other kind of bars. */
  readonly closeBucket?: Ns | undefined;
  /** Whether the curves may be drawn on either scale. */
  readonly hasScale: boolean;
}

const GROUP_NAMES: Record<LatencyGrouping, string> = {
  none: 'nothing',
  cpu: 'CPU',
  pid: 'task',
  comm: 'name',
  key: 'key',
  sleep: 'sleep',
  frequency: 'frequency',
  idle_state: 'idle state',
};

/** In which form the distribution is drawn, by what it is divided, and how wide the bars are. */
export function DistributionControls(props: DistributionControlsProps) {
  const { kind, state, setState, longest, measure, form, closeBucket, hasScale } = props;
  const offered = LATENCY_GROUPS.filter((group) => group === 'none' || kind.groups.includes(group));
  const group = kind.groups.includes(state.group) ? state.group : 'none';
  return (
    <div className={styles.controls}>
      <SwitchGroup name="as">
        {DISTRIBUTION_FORMS.map((one) => (
          <Switch key={one} isOn={form === one} onClick={() => setState({ form: one })}>
            {one}
          </Switch>
        ))}
      </SwitchGroup>
      {form === 'histogram' && (
        <BarWidth
          longest={longest ?? 1}
          bucket={state.bucket ?? closeBucket}
          isAlwaysEqual={closeBucket !== undefined}
          measure={measure}
          onBucket={(bucket) => setState({ bucket })}
        />
      )}
      {form !== 'histogram' && hasScale && (
        <ScaleSwitch scale={state.scale} onScale={(scale) => setState({ scale })} />
      )}
      {offered.length > 1 && (
        <SwitchGroup name="by">
          {offered.map((one) => (
            <Switch key={one} isOn={group === one} onClick={() => setState({ group: one })}>
              {one === 'key' ? (kind.key_name ?? 'key') : GROUP_NAMES[one]}
            </Switch>
          ))}
        </SwitchGroup>
      )}
    </div>
  );
}

interface BarWidthProps {
  readonly longest: number;
  readonly bucket: Ns | undefined;
  readonly isAlwaysEqual: boolean;
  readonly measure: Measure;
  readonly onBucket: (bucket: Ns | undefined) => void;
}

function BarWidth({ longest, bucket, isAlwaysEqual, measure, onBucket }: BarWidthProps) {
  const [isWrong, setWrong] = useState(false);
  const apply = (text: string) => {
    const typed = measure.hasUnits ? parseDuration(text) : parseNumber(text);
    const isGood = typed !== undefined && typed > 0;
    setWrong(!isGood);
    if (isGood) onBucket(typed);
  };
  const hint = `Width of a bar, such as ${measure.hasUnits ? '50 us' : '50'}`;
  const usual = ns(niceStep(longest / USUAL_BARS));
  return (
    <SwitchGroup name="bars">
      {!isAlwaysEqual && (
        <>
          <Switch isOn={bucket === undefined} onClick={() => onBucket(undefined)}>
            logarithmic
          </Switch>
          <Switch isOn={bucket !== undefined} onClick={() => onBucket(bucket ?? usual)}>
            equal
          </Switch>
        </>
      )}
      {bucket !== undefined && (
        <input
          key={`${bucket} ${measure.axis}`}
          className={styles.width}
          defaultValue={measure.hasUnits ? `${exactIn(bucket, unitOf(bucket))} ${unitOf(bucket)}` : bucket}
          aria-label={hint}
          aria-invalid={isWrong}
          title={hint}
          onBlur={(event) => apply(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </SwitchGroup>
  );
}

/** A bare number, which has no unit to be typed. */
function parseNumber(text: string): Ns | undefined {
  return /^\s*\d{1,15}\s*$/.test(text) ? ns(Number(text)) : undefined;
}
