import { lazy, type ComponentType } from 'react';
import { callsState } from '../viewState/calls';
import { caseState } from '../viewState/case';
import { compareState } from '../viewState/compare';
import { diffState } from '../viewState/diff';
import { experimentsState } from '../viewState/experiments';
import { helpState } from '../viewState/help';
import { queryState } from '../viewState/query';
import { timelineState } from '../viewState/timeline';
import { tracesState } from '../viewState/traces';
import { traceState } from '../viewState/trace';
import { trendState } from '../viewState/trend';
import type { RawSearch, ViewReading } from '../viewState/viewSpec';

export interface View {
  readonly path: string;
  /** Names the page in the browser's tab. */
  readonly title: string;
  /** Label of the tab in the top bar; views without one are not about a single trace. */
  readonly tab?: string;
  /** Label in the top bar of pages that are not about a single trace. */
  readonly place?: string;
  /** How the addresses of other pages begin that belong to this place. */
  readonly holds?: readonly string[];
  /** The digit that opens the tab. */
  readonly key?: string;
  readonly state: { readonly read: (raw: RawSearch) => ViewReading<object> };
  /** The trace that the page is about, where its path does not name one. */
  readonly traceOf?: (raw: RawSearch) => string | undefined;
  readonly component: ComponentType;
}

/** Every page. A new view is a folder beside this file and a line here; views never know each other. */
export const VIEWS: readonly View[] = [
  {
    path: '/',
    title: 'Traces',
    place: 'Traces',
    state: tracesState,
    component: lazy(() => import('./traces/TracesView')),
  },
  {
    path: '/t/$trace',
    title: 'Overview',
    tab: 'Overview',
    key: '1',
    state: traceState,
    component: lazy(() => import('./trace/TraceView')),
  },
  {
    path: '/t/$trace/timeline',
    title: 'Timeline',
    tab: 'Timeline',
    key: '2',
    state: timelineState,
    component: lazy(() => import('./timeline/Timeline')),
  },
  {
    path: '/t/$trace/calls',
    title: 'Calls',
    tab: 'Calls',
    key: '3',
    state: callsState,
    component: lazy(() => import('./calls/Calls')),
  },
  {
    path: '/t/$trace/cases/$case',
    title: 'Case',
    state: caseState,
    component: lazy(() => import('./case/CasePage')),
  },
  {
    path: '/diff',
    title: 'Comparison',
    state: diffState,
    traceOf: (raw) => diffState.read(raw).state.abnormal?.trace,
    component: lazy(() => import('./diff/DiffView')),
  },
  {
    path: '/compare',
    title: 'Compared traces',
    state: compareState,
    component: lazy(() => import('./compare/CompareView')),
  },
  { path: '/trend', title: 'Trend', state: trendState, component: lazy(() => import('./trend/TrendView')) },
  {
    path: '/experiments',
    title: 'Experiments',
    place: 'Experiments',
    holds: ['/compare', '/trend', '/experiments/'],
    state: experimentsState,
    component: lazy(() => import('./experiments/ExperimentsView')),
  },
  {
    path: '/query',
    title: 'Query',
    place: 'Query',
    state: queryState,
    component: lazy(() => import('./query/QueryView')),
  },
  {
    path: '/help/$page',
    title: 'Help',
    state: helpState,
    component: lazy(() => import('./help/HelpView')),
  },
  {
    path: '/experiments/$experiment',
    title: 'Experiment',
    state: compareState,
    component: lazy(() => import('./compare/SavedView')),
  },
];
