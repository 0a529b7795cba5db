import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeys } from '../components/keys/keys';
import { useNotice } from '../components/notices/notices';
import { switchTheme } from '../components/theme/theme';
import { paths } from '../viewState/paths';
import { VIEWS } from '../views/registry';
import { HelpSheet } from './HelpSheet';
import { copyLink, ShareSheet } from './ShareSheet';
import styles from './Shell.module.css';
import { TopBar } from './TopBar';
import { useTraceId } from './ViewFrame';

type Sheet = 'help' | 'share';

/** The frame of every page: top bar, the page under it, and the sheets that lie over both. */
export function Shell() {
  const [sheet, setSheet] = useState<Sheet | undefined>();
  const say = useNotice();
  const navigate = useNavigate();
  const traceId = useTraceId();
  const tabs = VIEWS.filter((view) => view.key !== undefined);

  const share = async () => {
    if (await copyLink()) say('Link copied. It opens on exactly what you see.');
    else setSheet('share');
  };
  useKeys('Everywhere', [
    { keys: ['?'], does: 'Show these keys', run: () => setSheet('help') },
    { keys: ['y', 'Y'], does: 'Copy a link to what is on the screen', run: () => void share() },
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
        Skip to the page
      </a>
      <TopBar traceId={traceId} onShare={() => void share()} onHelp={() => setSheet('help')} />
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      {sheet === 'help' ? <HelpSheet onClose={() => setSheet(undefined)} /> : null}
      {sheet === 'share' ? <ShareSheet onClose={() => setSheet(undefined)} /> : null}
    </div>
  );
}
