import type { Trace } from '../../api/types';
import type { TimeWindow } from '../../components/chart/timeWindow';
import { SidePanel } from '../../components/panel/SidePanel';
import { ns } from '../../lib/ns';
import { recordedOrigin } from '../../lib/stamp';
import type { TimelineState } from '../../viewState/timeline';
import type { SetViewState } from '../../viewState/useViewState';
import { AreaDetails } from './AreaDetails';
import { SliceDetails } from './SliceDetails';

interface TimelinePanelProps {
  readonly trace: Trace;
  readonly state: TimelineState;
  readonly setState: SetViewState<TimelineState>;
  readonly onFrame: (stretch: TimeWindow) => void;
}

/** Details of the selected slice or stretch; nothing where none is. */
export function TimelinePanel({ trace, state, setState, onFrame }: TimelinePanelProps) {
  const { slice, area } = state;
  if (slice === undefined && area === undefined) return null;
  return (
    <SidePanel title="Details" onClose={() => setState({ slice: undefined, area: undefined })}>
      {slice && (
        <SliceDetails
          traceId={trace.id}
          originNs={recordedOrigin(trace)}
          id={slice}
          onFrame={onFrame}
          onMark={({ start, end }) => setState({ a: ns(start), b: ns(end) })}
        />
      )}
      {area && <AreaDetails traceId={trace.id} area={area} onFrame={onFrame} />}
    </SidePanel>
  );
}
