import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callQuery } from '../../api/calls';
import type { TimeWindow } from '../../components/chart/timeWindow';

/** A link that names a call and no window opens with that call filling the screen. */
export function useFrameLinkedCall(
  trace: string,
  id: string | undefined,
  isOpen: boolean,
  frame: (stretch: TimeWindow) => void,
) {
  const found = useQuery({ ...callQuery(trace, id ?? ''), enabled: id !== undefined && isOpen });
  const call = found.data?.call;
  const framed = useRef<string>(undefined);
  const show = useRef(frame);
  useEffect(() => {
    show.current = frame;
  });
  useEffect(() => {
    if (!isOpen || call === undefined || framed.current === call.id) return;
    framed.current = call.id;
    show.current({ start: call.t, end: call.t + call.duration_ns });
  }, [call, isOpen]);
}
