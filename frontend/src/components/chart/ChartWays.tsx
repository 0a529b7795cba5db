import { Button } from '../button/Button';
import type { PictureFormat } from './pictureFile';

interface ChartWaysProps {
  /** What the chart shows, in the plural: `the lanes`. */
  readonly what: string;
  /** There is nothing to show or save yet; the buttons keep their place. */
  readonly disabled?: boolean;
  readonly onTable: () => void;
  readonly onPicture: (format: PictureFormat) => void;
}

/** The ways out of a chart: the table behind it, and pictures of it. */
export function ChartWays({ what, disabled = false, onTable, onPicture }: ChartWaysProps) {
  return (
    <>
      <Button look="bare" disabled={disabled} label={`Show ${what} as a table`} onClick={onTable}>
        Table
      </Button>
      <Button
        look="bare"
        disabled={disabled}
        label={`Save ${what} as a PNG picture`}
        onClick={() => onPicture('png')}
      >
        PNG
      </Button>
      <Button
        look="bare"
        disabled={disabled}
        label={`Save ${what} as an SVG picture`}
        onClick={() => onPicture('svg')}
      >
        SVG
      </Button>
    </>
  );
}
