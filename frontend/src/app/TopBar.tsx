import { useRouterState } from '@tanstack/react-router';
import { useTrace } from '../api/traces';
import type { Trace } from '../api/types';
import { Button } from '../components/button/Button';
import { keyNames } from '../components/keys/keyNames';
import { SearchSlot } from '../components/search/SearchField';
import { switchTheme, useTheme } from '../components/theme/theme';
import { ViewLink } from '../components/ViewLink';
import { hasLanes } from '../lib/hasLanes';
import { visibleText } from '../lib/visibleText';
import { paths } from '../viewState/paths';
import { VIEWS } from '../views/registry';
import styles from './TopBar.module.css';

interface TopBarProps {
  readonly traceId: string | undefined;
  readonly onFind: () => void;
  readonly onShare: () => void;
  readonly onHelp: () => void;
}

/** The slim bar above every page: where you are, the trace's tabs, search, share, theme, keys. */
export function TopBar({ traceId, onFind, onShare, onHelp }: TopBarProps) {
  const theme = useTheme();
  const paletteKey = keyNames(['Mod+k']).join('');
  return (
    <header className={styles.bar}>
      <ViewLink to={paths.traces()} className={styles.home} title="All traces (0)">
        jitterscope
      </ViewLink>
      {traceId === undefined ? <Places className={styles.places} /> : <TraceTabs traceId={traceId} />}
      <span className={styles.gap} />
      <SearchSlot />
      <div className={styles.tools}>
        <Button look="bare" onClick={onFind}>
          <Magnifier />
          <span className="unseen">Command palette</span>
          <kbd className={styles.hint}>{paletteKey}</kbd>
        </Button>
        <ViewLink to={paths.help('recording')} className={styles.record} title="How to record">
          Record
        </ViewLink>
        <Button look="bare" onClick={onShare}>
          Share
        </Button>
        <Button
          look="bare"
          label={theme.name === 'dark' ? 'Switch to light (h)' : 'Switch to dark (h)'}
          onClick={switchTheme}
        >
          {theme.name === 'dark' ? <Sun /> : <Moon />}
        </Button>
        <Button look="bare" label="Keys (?)" onClick={onHelp}>
          ?
        </Button>
      </div>
    </header>
  );
}

/** The pages that are not about a single trace. */
function Places({ className }: { readonly className: string | undefined }) {
  const path = useRouterState({ select: (router) => router.location.pathname });
  return (
    <nav className={className} aria-label="Pages">
      {VIEWS.filter((view) => view.place !== undefined).map((view) => (
        <TabLink
          key={view.path}
          to={view.path}
          label={view.place ?? ''}
          digit={undefined}
          isAround={view.holds?.some((beginning) => path.startsWith(beginning)) ?? false}
        />
      ))}
    </nav>
  );
}

const OVERVIEW = '/t/$trace';
const TIMELINE = '/t/$trace/timeline';

function TraceTabs({ traceId }: { readonly traceId: string }) {
  const trace = useTrace(traceId);
  const name = visibleText(trace.data?.name ?? traceId);
  // The name would push the tabs from under the pointer.
  const shown = { visibility: trace.isPending ? 'hidden' : 'visible' } as const;
  const hasPage = (path: string) => trace.data === undefined || !isEmptyPage(path, trace.data);
  // A trace that is not there has no views: the pages take the row that was kept for them, so that nothing moves.
  if (trace.isError && trace.data === undefined) return <Places className={styles.tabs} />;
  return (
    <>
      <span className={styles.where} style={shown} title={name}>
        <span aria-hidden className={styles.arrow}>
          ▸
        </span>
        {name}
      </span>
      <nav className={styles.tabs} style={shown} aria-label="Views of this trace">
        {VIEWS.filter((view) => view.tab !== undefined && hasPage(view.path)).map((view) => (
          <TabLink
            key={view.path}
            to={view.path.replace('$trace', encodeURIComponent(traceId))}
            label={view.tab ?? ''}
            digit={view.key}
          />
        ))}
      </nav>
    </>
  );
}

/**
 * Nothing ran in a file of measurements, nothing is known of a file that could not be read, and a recording of calls
 * alone has no lanes: they are drawn with the calls.
 */
function isEmptyPage(path: string, trace: Trace): boolean {
  if (trace.is_measurement || trace.status === 'failed') return path !== OVERVIEW;
  return path === TIMELINE && (trace.call_count ?? 0) > 0 && !hasLanes(trace);
}

interface TabLinkProps {
  readonly to: string;
  readonly label: string;
  readonly digit: string | undefined;
  /** Another page is open, but it belongs to this tab. */
  readonly isAround?: boolean;
}

function TabLink({ to, label, digit, isAround = false }: TabLinkProps) {
  return (
    <ViewLink
      to={to}
      className={styles.tab}
      isAround={isAround}
      {...(digit !== undefined && { title: `${label} (${digit})` })}
    >
      {label}
    </ViewLink>
  );
}

function Magnifier() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden>
      <circle cx="6" cy="6" r="4" />
      <path d="m9 9 3.5 3.5" />
    </svg>
  );
}

function Sun() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden>
      <circle cx="7" cy="7" r="2.5" />
      <path d="M7 1v1.5M7 11.5V13M1 7h1.5M11.5 7H13M2.8 2.8l1 1M10.2 10.2l1 1M11.2 2.8l-1 1M3.8 10.2l-1 1" />
    </svg>
  );
}

function Moon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden>
      <path d="M12 8.5A5.5 5.5 0 1 1 5.5 2 4.5 4.5 0 0 0 12 8.5Z" />
    </svg>
  );
}
