import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeys } from '../components/keys/keys';
import { useShare } from '../components/share/useShare';
import { switchTheme } from '../components/theme/theme';
import { paths } from '../viewState/paths';
import { VIEWS } from '../views/registry';
import { HelpSheet } from './HelpSheet';
import styles from './Shell.module.css';
import { TopBar } from './TopBar';
import { useTraceId } from './ViewFrame';

/** The frame of every page: top bar, the page under it, and the sheets that lie over both. */
export function Shell() {
  const [showsHelp, setShowsHelp] = useState(false);
  const { share, sheet } = useShare();
  const navigate = useNavigate();
  const traceId = useTraceId();
  const tabs = VIEWS.filter((view) => view.key !== undefined);

  useKeys('Everywhere', [
    { keys: ['?'], does: 'Show keyboard shortcuts', run: () => setShowsHelp(true) },
    { keys: ['y', 'Y'], does: 'Copy a link to this view', run: share },
    { keys: ['h', 'H'], does: 'Switch between dark and light', run: switchTheme },
    { keys: ['0'], does: 'All traces', run: () => void navigate({ to: paths.traces() }) },
    ...(traceId === undefined
      ? []
      : tabs.map((view) => ({
          keys: [view.key ?? ''],
          does: view.title,
          run: () => void navigate({ to: view.path.replace('$trace', encodeURIComponent(traceId)) }),
        }))),
  ]);

  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <TopBar traceId={traceId} onShare={share} onHelp={() => setShowsHelp(true)} />
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      {showsHelp ? <HelpSheet onClose={() => setShowsHelp(false)} /> : null}
      {sheet}
    </div>
  );
}
