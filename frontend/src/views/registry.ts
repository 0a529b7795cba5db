import { lazy, type ComponentType } from 'react';
import { callsState } from '../viewState/calls';
import { caseState } from '../viewState/case';
import { compareState } from '../viewState/compare';
import { diffState } from '../viewState/diff';
import { experimentsState } from '../viewState/experiments';
import { helpState } from '../viewState/help';
import { queryState } from '../viewState/query';
import { serverState } from '../viewState/server';
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
  /** Brings the page's script, which may be wanted before the page is drawn. */
  readonly load: () => Promise<unknown>;
}

/** A page whose script comes with the first visit. */
const page = (load: () => Promise<{ readonly default: ComponentType }>) => ({ component: lazy(load), load });

/** Every page. A new view is a folder beside this file and a line here; views never know each other. */
export const VIEWS: readonly View[] = [
  {
    path: '/',
    title: 'Traces',
    place: 'Traces',
    state: tracesState,
    ...page(() => import('./traces/TracesView')),
  },
  {
    path: '/t/$trace',
    title: 'Overview',
    tab: 'Overview',
    key: '1',
    state: traceState,
    ...page(() => import('./trace/TraceView')),
  },
  {
    path: '/t/$trace/timeline',
    title: 'Timeline',
    tab: 'Timeline',
    key: '2',
    state: timelineState,
    ...page(() => import('./timeline/Timeline')),
  },
  {
    path: '/t/$trace/calls',
    title: 'Calls',
    tab: 'Calls',
    key: '3',
    state: callsState,
    ...page(() => import('./calls/Calls')),
  },
  {
    path: '/t/$trace/cases/$case',
    title: 'Case',
    state: caseState,
    ...page(() => import('./case/CasePage')),
  },
  {
    path: '/diff',
    title: 'Comparison',
    state: diffState,
    traceOf: (raw) => diffState.read(raw).state.abnormal?.trace,
    ...page(() => import('./diff/DiffView')),
  },
  {
    path: '/compare',
    title: 'Compared traces',
    state: compareState,
    ...page(() => import('./compare/CompareView')),
  },
  { path: '/trend', title: 'Trend', state: trendState, ...page(() => import('./trend/TrendView')) },
  {
    path: '/experiments',
    title: 'Experiments',
    place: 'Experiments',
    holds: ['/compare', '/trend', '/experiments/'],
    state: experimentsState,
    ...page(() => import('./experiments/ExperimentsView')),
  },
  {
    path: '/query',
    title: 'Query',
    place: 'Query',
    state: queryState,
    ...page(() => import('./query/QueryView')),
  },
  { path: '/help', title: 'Help', state: helpState, ...page(() => import('./help/HelpView')) },
  {
    path: '/help/$page',
    title: 'Help',
    state: helpState,
    ...page(() => import('./help/HelpView')),
  },
  {
    path: '/server',
    title: 'This server',
    state: serverState,
    ...page(() => import('./server/ServerView')),
  },
  {
    path: '/experiments/$experiment',
    title: 'Experiment',
    state: compareState,
    ...page(() => import('./compare/SavedView')),
  },
];
