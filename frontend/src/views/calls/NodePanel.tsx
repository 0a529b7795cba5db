import { useState } from 'react';
import { SidePanel } from '../../components/panel/SidePanel';
import type { CallsPart } from './Calls';
import type { PlacedNode } from './flameGraph';
import { NodeDetails } from './NodeDetails';

interface NodePanelProps extends Pick<CallsPart, 'trace' | 'state' | 'setState'> {
  readonly placed: PlacedNode | undefined;
  /** What all that is drawn adds up to. */
  readonly totalNs: number;
  /** It is drawn as a caller: its time is that of what it calls. */
  readonly isCaller?: boolean;
}

/** The function that fills the screen, at the side; closing it does not zoom out. */
export function NodePanel({ placed, ...props }: NodePanelProps) {
  const { focus } = props.state;
  const [closed, setClosed] = useState<string>();
  if (placed === undefined || closed === focus) return null;
  return (
    <SidePanel title="Function" onClose={() => setClosed(focus)}>
      <NodeDetails {...props} placed={placed} />
    </SidePanel>
  );
}
