/** Three points on two CPUs, the longest on the second. */
export const SERIES = {
  lanes: [
    { cpu: 0, t: [100_000, 1_100_000], duration_ns: [2_000, 3_000], count: [1, 1], id: ['a', 'b'] },
    { cpu: 1, t: [995_449], duration_ns: [18_551], count: [1], id: ['cyclic-1213@995449'] },
  ],
};
