import { Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useKeys } from '../components/keys/keys';
import { useNoticesOfPage } from '../components/notices/notices';
import { useShare } from '../components/share/useShare';
import { switchTheme } from '../components/theme/theme';
import { paths } from '../viewState/paths';
import { VIEWS } from '../views/registry';
import { HelpSheet } from './HelpSheet';
import { PAGES } from './palette/actionItems';
import { CommandPalette } from './palette/CommandPalette';
import styles from './Shell.module.css';
import { TopBar } from './TopBar';
import { usePageScroll } from './usePageScroll';
import { useTraceId } from './ViewFrame';

const PALETTE_KEY = 'Mod+k';

/** The frame of every page: top bar, the page under it, and the sheets that lie over both. */
export function Shell() {
  const [sheet, setSheet] = useState<'keys' | 'palette'>();
  const { share, sheet: shareSheet } = useShare();
  const traceId = useTraceId();
  const close = () => setSheet(undefined);
  const page = useRef<HTMLElement>(null);
  // What only search parameters change is the same page.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  usePageScroll(page, path);
  useNoticesOfPage(path);
  usePageKeys(traceId);
  useKeys('Everywhere', [
    {
      keys: [PALETTE_KEY],
      does: 'Find an action, page, trace, CPU, task, function or case',
      run: () => setSheet('palette'),
    },
    { keys: ['?'], does: 'Show keyboard shortcuts', run: () => setSheet('keys') },
    { keys: ['y', 'Y'], does: 'Copy a link to this view', run: share },
    { keys: ['h', 'H'], does: 'Switch between dark and light', run: switchTheme },
  ]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <TopBar
        traceId={traceId}
        onFind={() => setSheet('palette')}
        onShare={share}
        onHelp={() => setSheet('keys')}
      />
      <main ref={page} id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      {sheet === 'keys' && <HelpSheet onClose={close} />}
      {sheet === 'palette' && <CommandPalette traceId={traceId} openKey={PALETTE_KEY} onClose={close} />}
      {shareSheet}
    </div>
  );
}

/** The ways to other pages: the tabs of the trace by their digits, and the pages about no single one. */
function usePageKeys(traceId: string | undefined): void {
  const navigate = useNavigate();
  const tabs = traceId === undefined ? [] : VIEWS.filter((view) => view.tab !== undefined);
  const places = VIEWS.filter((view) => view.place !== undefined && view.path !== paths.traces());
  useKeys(PAGES, [
    ...tabs.map(({ key, title, path }) => ({
      keys: key === undefined ? [] : [key],
      does: title,
      run: () => void navigate({ to: path.replace('$trace', encodeURIComponent(traceId ?? '')) }),
    })),
    { keys: ['0'], does: 'All traces', run: () => void navigate({ to: paths.traces() }) },
    ...places.map(({ title, path }) => ({ keys: [], does: title, run: () => void navigate({ to: path }) })),
  ]);
}
