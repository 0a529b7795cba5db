import type { Trend, TrendChange } from '../../api/trend';
import { countText, groupDigits } from '../../lib/ns';
import type { Measure } from '../../lib/measure';
import { changeText as shareText } from '../../lib/percent';
import { visibleText } from '../../lib/visibleText';
import { isByLabel } from '../../lib/runOrder';
import type { TrendStat } from '../../viewState/trend';
import { STAT_NAMES } from './trendPlot';

/** `p99 rose from 50 µs to 61 µs (+22 %)`. */
export function changeText(
  { before_ns, after_ns, share }: TrendChange,
  stat: TrendStat,
  measure: Measure,
): string {
  const verb = after_ns < before_ns ? 'fell' : after_ns > before_ns ? 'rose' : 'varies differently';
  if (after_ns === before_ns) return `${STAT_NAMES[stat]} ${verb} around ${measure.text(after_ns)}`;
  const much = share === null ? '' : ` (${shareText(share)})`;
  return `${STAT_NAMES[stat]} ${verb} from ${measure.text(before_ns)} to ${measure.text(after_ns)}${much}`;
}

/** Where a change begins: `at run 151 (6.12.4)`; by the name of the run where no label places it. */
export function placeText({ points }: Trend, { index, x }: TrendChange, by: string): string {
  const where = isByLabel(by) ? x : (points[index]?.name ?? x);
  return `at run ${groupDigits(index + 1)} (${visibleText(where)})`;
}

/** The number of runs that are needed on each side of a change. */
const LEAST_RUNS = 5;

/** The whole trend in a sentence: its last change, or that there is none. */
export function trendSentence(trend: Trend, stat: TrendStat, measure: Measure, by: string): string {
  const { changes, points } = trend;
  const runs = `${groupDigits(points.length)} ${points.length === 1 ? 'run' : 'runs'}`;
  const last = changes.at(-1);
  if (last === undefined) {
    const isEnough = points.length >= 2 * LEAST_RUNS;
    return isEnough
      ? `No change in ${STAT_NAMES[stat]} over ${runs}`
      : `${STAT_NAMES[stat]} of ${runs}: too few to find a change`;
  }
  const sentence = `${changeText(last, stat, measure)} ${placeText(trend, last, by)}`;
  return changes.length === 1
    ? sentence
    : `${groupDigits(changes.length)} changes in ${runs}; the last: ${sentence}`;
}

/** What is not in the picture, or nothing. */
export function leftOutText({ without_x, without_samples }: Trend, by: string): string {
  const parts = [
    without_x > 0 ? `${countText(without_x, 'trace')} without the label ${visibleText(by)}` : '',
    without_samples > 0 ? `${countText(without_samples, 'trace')} not loaded or without such samples` : '',
  ].filter((text) => text !== '');
  return parts.length === 0 ? '' : `Left out: ${parts.join(', ')}.`;
}
