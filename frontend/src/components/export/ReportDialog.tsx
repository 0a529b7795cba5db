import { useQuery } from '@tanstack/react-query';
import { saveBlob } from '../../lib/download';
import { problemOf } from '../../lib/problem';
import { Button } from '../button/Button';
import { saveSvg, type PictureFormat } from '../chart/pictureFile';
import { Command } from '../Command';
import { Dialog } from '../dialog/Dialog';
import { useNotice } from '../notices/notices';
import styles from './ReportDialog.module.css';

export type ReportForm = 'text' | 'html' | 'svg';

interface ReportDialogProps {
  readonly title: string;
  /** Of the files, without their ending. */
  readonly name: string;
  /** Which report; the text is kept under it. */
  readonly queryKey: readonly unknown[];
  /** The report as the server writes it. */
  readonly reportIn: (form: ReportForm) => Promise<string>;
  /** What the picture shows, `the ruler`; nothing where there is none. */
  readonly picture: string | undefined;
  /** What the API answers. */
  readonly answer: unknown;
  readonly onClose: () => void;
}

/** A report as text for a mail, as a self-contained page, its chart as a picture, and the JSON of the API. */
export function ReportDialog(props: ReportDialogProps) {
  const { title, name, queryKey, reportIn, picture, answer, onClose } = props;
  const say = useNotice();
  const { data: text, error } = useQuery({
    queryKey: [...queryKey, 'text'],
    queryFn: () => reportIn('text'),
  });
  const save = (content: string, type: string, ending: string) =>
    saveBlob(new Blob([content], { type }), `${name}.${ending}`);
  const attempt = async (saving: Promise<void>) => {
    try {
      await saving;
    } catch (problem) {
      const { title: failure, detail } = problemOf(problem);
      say(detail ?? failure);
    }
  };
  const saveText = async () => save(text ?? (await reportIn('text')), 'text/plain', 'txt');
  const savePage = async () => save(await reportIn('html'), 'text/html', 'html');
  const savePicture = async (format: PictureFormat) => saveSvg(await reportIn('svg'), name, format);
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <div className={styles.sheet}>
        <p className={styles.saves}>
          <Button takesFocus onClick={() => void attempt(saveText())}>
            Save the text
          </Button>
          <Button onClick={() => void attempt(savePage())}>Save as HTML</Button>
          {picture === undefined ? null : (
            <>
              <Button onClick={() => void attempt(savePicture('svg'))}>{`Save ${picture} as SVG`}</Button>
              <Button onClick={() => void attempt(savePicture('png'))}>{`Save ${picture} as PNG`}</Button>
            </>
          )}
          <Button onClick={() => save(JSON.stringify(answer, null, 2), 'application/json', 'json')}>
            Save as JSON
          </Button>
        </p>
        <Command isReport text={text ?? (error === null ? 'Loading…' : problemOf(error).title)} />
      </div>
    </Dialog>
  );
}
