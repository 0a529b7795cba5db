import { caseReport } from '../../api/latencies';
import type { LatencyCase } from '../../api/latencyTypes';
import { ReportDialog } from '../../components/export/ReportDialog';

interface CaseExportProps {
  readonly traceId: string;
  readonly latencyCase: LatencyCase;
  readonly onClose: () => void;
}

/** The case in the forms that it can be saved in, with its ruler as a picture. */
export function CaseExport({ traceId, latencyCase, onClose }: CaseExportProps) {
  const { id } = latencyCase;
  const hasRuler = latencyCase.why.length > 0 || latencyCase.stages.length > 0;
  return (
    <ReportDialog
      title="Export this case"
      name={id}
      queryKey={['trace', traceId, 'latencies', 'case', id]}
      reportIn={(form) => caseReport(traceId, id, form)}
      picture={hasRuler ? 'the ruler' : undefined}
      answer={latencyCase}
      onClose={onClose}
    />
  );
}
