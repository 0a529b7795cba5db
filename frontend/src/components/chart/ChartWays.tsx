import { Button } from '../button/Button';
import type { PictureFormat } from './exportPicture';

interface ChartWaysProps {
  /** What the chart shows, in the plural: `the lanes`. */
  readonly what: string;
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
}

/** The ways out of a chart: the table behind it, and pictures of it. */
export function ChartWays({ what, onTable, onPicture }: ChartWaysProps) {
  return (
    <>
      <Button look="bare" label={`What ${what} show, as a table`} onClick={onTable}>
        Table
      </Button>
      <Button look="bare" label={`Save ${what} as a PNG picture`} onClick={() => onPicture('png')}>
        PNG
      </Button>
      <Button look="bare" label={`Save ${what} as an SVG picture`} onClick={() => onPicture('svg')}>
        SVG
      </Button>
    </>
  );
}
