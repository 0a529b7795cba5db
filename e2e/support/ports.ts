/** Ports for the products that the tests start; the default port may be in use by a developer. */
export const ports = {
  shared: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125),
  restart: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125) + 1,
  reload: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125) + 2,
  journeys: Number(process.env['JITTERSCOPE_E2E_PORT'] ?? 8125) + 3,
} as const;
