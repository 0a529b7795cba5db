import type { LatencyCase } from '../../api/latencyTypes';
import type { Trace } from '../../api/types';
import { CaseEventTable } from './CaseEventTable';
import { NotRecorded } from '../../components/NotRecorded';
import { Panel } from '../../components/panel/Panel';
import { Switch, SwitchGroup } from '../../components/toolbar/Toolbar';
import { groupDigits } from '../../lib/ns';
import { caseState } from '../../viewState/case';
import { useViewState } from '../../viewState/useViewState';
import styles from './CaseEvents.module.css';
import type { Lights } from './useLit';

interface CaseEventsProps {
  readonly trace: Trace;
  readonly latencyCase: LatencyCase;
  readonly lights: Lights;
}

/** The events in and around the case in order of time; those that the case is made of are marked, and those of what is lit. */
export function CaseEvents({ trace, latencyCase, lights }: CaseEventsProps) {
  const [state, setState] = useViewState(caseState);
  const relevant = latencyCase.events.filter((event) => event.is_relevant || event.is_key);
  // Where every event is part of the case, both lists are the same.
  const isChoice = relevant.length < latencyCase.events.length;
  const rows = state.events === 'relevant' ? relevant : latencyCase.events;
  return (
    <Panel
      title="Events"
      note={`${groupDigits(rows.length)} around the case${latencyCase.events_truncated ? ', the nearest only' : ''}`}
      actions={
        isChoice && (
          <SwitchGroup name="show">
            <Switch isOn={state.events === 'all'} onClick={() => setState({ events: 'all' })}>
              all
            </Switch>
            <Switch isOn={state.events === 'relevant'} onClick={() => setState({ events: 'relevant' })}>
              {`part of the case (${groupDigits(relevant.length)})`}
            </Switch>
          </SwitchGroup>
        )
      }
    >
      {rows.length === 0 ? (
        <NoEvents hasOthers={latencyCase.events.length > 0} />
      ) : (
        <CaseEventTable
          key={state.events}
          trace={trace}
          latencyCase={latencyCase}
          rows={rows}
          lights={lights}
        />
      )}
    </Panel>
  );
}

const NEEDED = ['sched', 'irq', 'irq_vectors', 'timer'];

function NoEvents({ hasOthers }: { readonly hasOthers: boolean }) {
  if (hasOthers) return <p className={styles.note}>None of these events is part of the case.</p>;
  return <NotRecorded what="No events were recorded around the case." needs={NEEDED} />;
}
