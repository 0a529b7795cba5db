"""A whole answer of a comparison, for the reference of the API."""

from pydantic import JsonValue

# Of two files in sample_traces/, with limit=3 and noise_floor=1100ns.
DIFF_EXAMPLE: dict[str, JsonValue] = {
    "abnormal": {
        "trace": "efepzwezuk7i",
        "trace_name": "timer-interrupt-abnormal-annotated",
        "id": "call-cpu1@0.0",
        "title": "smp_apic_timer_interrupt on CPU 1",
        "cpu": 1,
        "pid": None,
        "comm": None,
        "t": 0,
        "duration_ns": 63996,
        "url": "https://jitterscope.example/t/efepzwezuk7i/calls?call=call-cpu1@0.0",
        "set": None,
    },
    "normal": {
        "trace": "s6aa6fnilfgj",
        "trace_name": "timer-interrupt-normal",
        "id": "call-cpu1@0.0",
        "title": "smp_apic_timer_interrupt on CPU 1",
        "cpu": 1,
        "pid": None,
        "comm": None,
        "t": 0,
        "duration_ns": 53940,
        "url": "https://jitterscope.example/t/s6aa6fnilfgj/calls?call=call-cpu1@0.0",
        "set": None,
    },
    "kind": "calls",
    "delta_ns": 10056,
    "summary": "+10.06 µs: 8.37 µs in calls missing from the normal run (ktime_get, hrtimer_forward, "
    "hrtimer_start_range_ns under enqueue_task_rt), 1.69 µs in slower calls.",
    "by_events": None,
    "causes": [],
    "stages": [],
    "shapes": [],
    "is_doubtful": False,
    "guard": [
        {
            "name": "kernel",
            "abnormal": None,
            "normal": None,
            "is_doubtful": False,
            "sentence": "Neither recording names its kernel, so the kernels may differ.",
        }
    ],
    "noise_floor_ns": 1100,
    "contributions": {
        "only_one_side": [
            {
                "names": ["ktime_get", "hrtimer_forward", "hrtimer_start_range_ns"],
                "under": "enqueue_task_rt",
                "path": [
                    "smp_apic_timer_interrupt",
                    "hrtimer_interrupt",
                    "__hrtimer_run_queues",
                    "hrtimer_wakeup",
                    "wake_up_process",
                    "try_to_wake_up",
                    "ttwu_do_activate",
                    "activate_task",
                    "enqueue_task_rt",
                ],
                "row": 2,
                "delta_ns": 8369,
                "count": 3,
                "is_interrupt": False,
                "repeat": "new",
                "hit": [],
                "sentence": "+8.369 µs: ktime_get, hrtimer_forward, "
                "hrtimer_start_range_ns under enqueue_task_rt, "
                "only in the abnormal run",
                "seen": None,
                "distance_mad": None,
            }
        ],
        "slower": [
            {
                "names": ["enqueue_task_rt"],
                "under": "activate_task",
                "path": [
                    "smp_apic_timer_interrupt",
                    "hrtimer_interrupt",
                    "__hrtimer_run_queues",
                    "hrtimer_wakeup",
                    "wake_up_process",
                    "try_to_wake_up",
                    "ttwu_do_activate",
                    "activate_task",
                ],
                "row": 2,
                "delta_ns": 1474,
                "count": 1,
                "is_interrupt": False,
                "repeat": None,
                "hit": [],
                "sentence": "+1.474 µs: enqueue_task_rt under activate_task, slower by itself",
                "seen": None,
                "distance_mad": None,
            }
        ],
        "below_floor": {"count": 20, "delta_ns": 213},
    },
    "rows": {
        "id": [0, 1, 2],
        "parent": [None, 0, 1],
        "depth": [0, 1, 2],
        "name": ["smp_apic_timer_interrupt", "hrtimer_interrupt", "__hrtimer_run_queues"],
        "other_name": [None, None, None],
        "status": ["matched", "matched", "matched"],
        "kind": ["call", "call", "call"],
        "abnormal": {
            "count": [1, 1, 1],
            "start_ns": [0, 8986, 8986],
            "duration_ns": [63996, 46372, 36056],
        },
        "normal": {
            "count": [1, 1, 1],
            "start_ns": [0, 8901, 8901],
            "duration_ns": [53940, 36506, 26086],
        },
        "delta_ns": [10056, 9866, 9970],
        "self_delta_ns": [11, -104, 27],
        "is_ambiguous": [False, False, False],
        "largest_ns": [2439, 2439, 2439],
        "hit": [None, None, None],
    },
    "rows_hidden": {"count": 30, "delta_ns": 10122},
    "notes": [],
    "url": "https://jitterscope.example/diff?abnormal=efepzwezuk7i/call-cpu1@0.0&normal=s6aa6fnilfgj/call-cpu1@0.0",
}
