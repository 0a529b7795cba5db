import { useQuery } from '@tanstack/react-query';
import { caseReport } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import { Button } from '../../components/button/Button';
import { saveSvg, type PictureFormat } from '../../components/chart/pictureFile';
import { Command } from '../../components/Command';
import { Dialog } from '../../components/dialog/Dialog';
import { useNotice } from '../../components/notices/notices';
import { saveBlob } from '../../lib/download';
import { problemOf } from '../../lib/problem';
import styles from './CaseExport.module.css';

interface CaseExportProps {
  readonly traceId: string;
  readonly latencyCase: LatencyCase;
  readonly onClose: () => void;
}

/** The case as text for a mail, as a page that stands alone, its ruler as a picture, and the JSON of the API. */
export function CaseExport({ traceId, latencyCase, onClose }: CaseExportProps) {
  const say = useNotice();
  const { id } = latencyCase;
  const { data: text, error } = useQuery({
    queryKey: ['trace', traceId, 'latencies', 'case', id, 'text'],
    queryFn: () => caseReport(traceId, id, 'text'),
  });
  const hasRuler = latencyCase.why.length > 0 || latencyCase.stages.length > 0;
  const save = (content: string, type: string, ending: string) =>
    saveBlob(new Blob([content], { type }), `${id}.${ending}`);
  const attempt = async (saving: Promise<void>) => {
    try {
      await saving;
    } catch (problem) {
      const { title, detail } = problemOf(problem);
      say(detail ?? title);
    }
  };
  const savePage = async () => save(await caseReport(traceId, id, 'html'), 'text/html', 'html');
  const savePicture = async (format: PictureFormat) =>
    saveSvg(await caseReport(traceId, id, 'svg'), id, format);
  return (
    <Dialog title="Export this case" isWide onClose={onClose}>
      <div className={styles.sheet}>
        <p className={styles.saves}>
          <Button
            takesFocus
            disabled={text === undefined}
            onClick={() => save(text ?? '', 'text/plain', 'txt')}
          >
            Save the text
          </Button>
          <Button onClick={() => void attempt(savePage())}>Save as HTML</Button>
          {hasRuler && (
            <>
              <Button onClick={() => void attempt(savePicture('svg'))}>Save the ruler as SVG</Button>
              <Button onClick={() => void attempt(savePicture('png'))}>Save the ruler as PNG</Button>
            </>
          )}
          <Button onClick={() => save(JSON.stringify(latencyCase, null, 2), 'application/json', 'json')}>
            Save as JSON
          </Button>
        </p>
        <Command text={text ?? (error === null ? 'Loading…' : problemOf(error).title)} />
      </div>
    </Dialog>
  );
}
