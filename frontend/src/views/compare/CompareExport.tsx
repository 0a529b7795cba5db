import { useState } from 'react';
import { compareReport, type CompareRequest, type Comparison } from '../../api/compare';
import { Button } from '../../components/button/Button';
import { ReportDialog } from '../../components/export/ReportDialog';

interface CompareExportProps {
  readonly asked: CompareRequest;
  /** Nothing until it is there. */
  readonly answer: Comparison | undefined;
}

/** Opens the forms that the comparison can be saved in, with its curves as a picture. */
export function CompareExport({ asked, answer }: CompareExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button disabled={answer === undefined} onClick={() => setOpen(true)}>
        Export…
      </Button>
      {isOpen && answer ? (
        <ReportDialog
          title="Export this experiment"
          name={`compare-${asked.kind}`}
          queryKey={['compare', 'report', asked]}
          reportIn={(form) => compareReport(asked, form)}
          picture={answer.unit === 'none' ? 'the shelves' : 'the percentiles'}
          answer={answer}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
