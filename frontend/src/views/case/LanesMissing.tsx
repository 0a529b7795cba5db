import { NotRecorded } from '../../components/NotRecorded';

const NEEDED = ['sched:sched_switch', 'irq', 'irq_vectors'];

/** In place of lanes that were not recorded: what records them. */
export function LanesMissing() {
  return <NotRecorded what="This trace does not record what ran on this CPU." needs={NEEDED} />;
}
