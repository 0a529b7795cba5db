import type { ReactNode } from 'react';
import { Button } from '../../components/button/Button';
import { Switch, SwitchGroup, Toolbar, ToolbarGap } from '../../components/toolbar/Toolbar';
import type { DiffState } from '../../viewState/diff';
import type { SetViewState } from '../../viewState/useViewState';
import { NoiseFloor } from './NoiseFloor';

interface DiffToolbarProps {
  readonly state: DiffState;
  readonly setState: SetViewState<DiffState>;
  /** Opens the list of single calls or cases. */
  readonly onPick: () => void;
  /** Absent where the normal side is a set. */
  readonly onSwap: (() => void) | undefined;
  readonly isLoading: boolean;
  /** Exports, at the right end. */
  readonly children: ReactNode;
}

/** Calls of a function by what they have in common, as links spell them. */
const isGroup = (normal: DiffState['normal']) => typeof normal === 'object' && normal.id.startsWith('calls:');

/** What is compared, what counts as noise, and what colours mean. */
export function DiffToolbar({ state, setState, onPick, onSwap, isLoading, children }: DiffToolbarProps) {
  const { normal } = state;
  const take = (choice: DiffState['normal']) =>
    setState({ normal: choice, row: undefined, toggled: [], window: undefined }, { history: 'push' });
  return (
    <Toolbar>
      <SwitchGroup name="normal">
        <Switch isOn={normal === 'auto'} onClick={() => take('auto')}>
          the median
        </Switch>
        <Switch isOn={normal === 'all'} onClick={() => take('all')}>
          all others
        </Switch>
        <Switch isOn={typeof normal === 'object'} onClick={onPick}>
          {isGroup(normal) ? 'a group …' : 'a single one …'}
        </Switch>
      </SwitchGroup>
      <Button look="bare" disabled={onSwap === undefined} {...(onSwap && { onClick: onSwap })}>
        Swap <kbd>X</kbd>
      </Button>
      <NoiseFloor floor={state.floor ?? 0} onFloor={(floor) => setState({ floor, toggled: [] })} />
      <SwitchGroup name="colour by">
        <Switch isOn={state.colour === 'self'} onClick={() => setState({ colour: 'self' })}>
          self
        </Switch>
        <Switch isOn={state.colour === 'total'} onClick={() => setState({ colour: 'total' })}>
          total
        </Switch>
      </SwitchGroup>
      <span aria-live="polite">{isLoading ? 'comparing …' : ''}</span>
      <ToolbarGap />
      {children}
    </Toolbar>
  );
}
