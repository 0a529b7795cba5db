import type { ChainLink } from '../../api/chain';
import type { LatencyCase } from '../../api/latencyTypes';
import { causeName } from '../../components/cause/causeLook';
import { measureOfCase } from '../../lib/measure';
import { durationText, exactNs, groupDigits, ns } from '../../lib/ns';
import { taskLabel } from '../../lib/taskKind';
import { visibleText } from '../../lib/visibleText';
import { percentText } from '../../lib/percent';
import { normalText } from './chainWords';

interface TraceNames {
  readonly name: string;
  readonly kernel: string | null;
}

/** The case as a plain text for a mail or a ticket: headline, stages, chain, blame, evidence, link. */
export function caseText(latencyCase: LatencyCase, trace: TraceNames, link: string): string {
  const subject = latencyCase.pid === null ? '' : `, ${taskLabel(latencyCase.comm, latencyCase.pid)}`;
  const lines = [
    latencyCase.headline,
    '',
    `${latencyCase.kind} on CPU ${latencyCase.cpu}${subject}: ${measureOfCase(latencyCase).isTime ? spoken(latencyCase.duration_ns) : groupDigits(latencyCase.duration_ns)}`,
    `trace ${trace.name}${trace.kernel === null ? '' : `, kernel ${trace.kernel}`}`,
    ...section(
      'Stages',
      latencyCase.stages.map(({ from, to, duration_ns }) => [from, '→', to, spoken(duration_ns)].join(' ')),
    ),
    ...section('Why', (latencyCase.why ?? []).map(linkText)),
    ...section(
      'Where the time went',
      latencyCase.blame.map(
        ({ cause, what, where, share, duration_ns }) =>
          `${percentText(share, 1)} ${causeName(cause)} ${what}${where === null ? '' : ` (${where})`}: ${spoken(duration_ns)}`,
      ),
    ),
    ...section(
      'Evidence',
      latencyCase.evidence.map(({ sentence }) => sentence),
    ),
    ...section('Stack', latencyCase.stack?.frames ?? []),
    '',
    link,
  ];
  // A name from a trace may hold anything; line breaks in it must not look like lines of this text.
  return `${lines.map(visibleText).join('\n')}\n`;
}

/** One link of the chain in one line. */
function linkText({ duration_ns, sentence, normal, certainty }: ChainLink): string {
  const notes = [certainty === 'recorded' ? undefined : certainty, normal ? normalText(normal) : undefined];
  const known = notes.filter((note) => note !== undefined);
  return `${spoken(duration_ns)}: ${sentence}${known.length === 0 ? '' : ` (${known.join('; ')})`}`;
}

/** As people say it, and every nanosecond. */
function spoken(duration: number): string {
  const [text, exact] = [durationText(ns(duration)), exactNs(ns(duration))];
  return text === exact ? exact : `${text} (${exact})`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
