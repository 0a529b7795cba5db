/** An instant of the calendar in the reader's time zone, to the minute: `2026-11-21 02:30`. Empty for what is no instant. */
export function formatWhen(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(part: number): string {
  return part.toString().padStart(2, '0');
}
