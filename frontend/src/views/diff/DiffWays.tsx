import { useState } from 'react';
import { diffHtmlUrl, type DiffRequest, diffText } from '../../api/diff';
import { Button } from '../../components/button/Button';
import { ChartWays } from '../../components/chart/ChartWays';
import type { PictureFormat } from '../../components/chart/pictureFile';
import { useClock } from '../../components/clock/useClock';
import { Command } from '../../components/Command';
import { Dialog } from '../../components/dialog/Dialog';
import { KeyHint } from '../../components/keys/KeyHint';
import { useKeys } from '../../components/keys/keys';
import { useNotice } from '../../components/notices/notices';
import { useShare } from '../../components/share/useShare';
import { type ChartColumn, ChartTable } from '../../components/table/ChartTable';
import { problemOf } from '../../lib/problem';
import { visibleText } from '../../lib/visibleText';
import styles from './DiffPage.module.css';
import type { DiffRow } from './diffTree';

interface DiffWaysProps {
  readonly asked: DiffRequest;
  /** Of the saved page, without its ending. */
  readonly fileName: string;
  readonly rows: readonly DiffRow[];
  readonly onPicture: (format: PictureFormat) => void;
}

/** Exports: the charts' numbers and pictures, and the comparison as text for a mail, as an HTML file and as a link. */
export function DiffWays({ asked, fileName, rows, onPicture }: DiffWaysProps) {
  const say = useNotice();
  const { share, sheet } = useShare();
  const [text, setText] = useState<string>();
  const [showsTable, setShowsTable] = useState(false);
  const copy = async () => {
    let written: string;
    try {
      written = await diffText(asked);
    } catch (error) {
      const { title, detail } = problemOf(error);
      say(detail ?? title);
      return;
    }
    try {
      await navigator.clipboard.writeText(written);
      say('Copied as text.');
    } catch {
      // Without its permission the text is shown, to be copied by hand.
      setText(written);
    }
  };
  useKeys('Comparison', [{ keys: ['c', 'C'], does: 'Copy as text', run: () => void copy() }]);
  return (
    <span className={styles.ways}>
      <ChartWays what="the two sides" onTable={() => setShowsTable(true)} onPicture={onPicture} />
      <Button look="bare" onClick={() => void copy()}>
        Copy text <KeyHint>C</KeyHint>
      </Button>
      <a
        className={styles.way}
        href={diffHtmlUrl(asked)}
        download={`${fileName}.html`}
        title="Download as one HTML file"
      >
        HTML
      </a>
      <Button look="bare" onClick={share}>
        Copy link <KeyHint>Y</KeyHint>
      </Button>
      {sheet}
      {showsTable && <DiffRowTable name={fileName} rows={rows} onClose={() => setShowsTable(false)} />}
      {text !== undefined && (
        <Dialog title="The comparison as text" isWide onClose={() => setText(undefined)}>
          <Command isReport text={text} />
        </Dialog>
      )}
    </span>
  );
}

interface DiffRowTableProps {
  readonly name: string;
  readonly rows: readonly DiffRow[];
  readonly onClose: () => void;
}

/** The whole tree as exact numbers, to look at or to save. */
function DiffRowTable({ name, rows, onClose }: DiffRowTableProps) {
  const { isCounting } = useClock();
  const columns = columnsOf(isCounting ? 'clock ticks' : 'ns');
  return (
    <ChartTable title="Both sides, row by row" name={name} columns={columns} rows={rows} onClose={onClose} />
  );
}

const columnsOf = (unit: string): readonly ChartColumn<DiffRow>[] => [
  { title: 'depth', isNumber: true, cell: (row) => row.depth },
  { title: 'name', isCode: true, cell: (row) => visibleText(row.name) },
  { title: 'in', cell: (row) => SIDES[row.status] },
  { title: `abnormal, ${unit}`, isNumber: true, cell: (row) => row.sides.abnormal?.ns ?? '' },
  { title: `normal, ${unit}`, isNumber: true, cell: (row) => row.sides.normal?.ns ?? '' },
  { title: `delta, ${unit}`, isNumber: true, cell: (row) => row.deltaNs },
  { title: `self delta, ${unit}`, isNumber: true, cell: (row) => row.selfDeltaNs },
];

const SIDES = {
  matched: 'both',
  added: 'abnormal only',
  removed: 'normal only',
  elided: 'elided on one side',
} as const;
