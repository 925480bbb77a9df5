// CPU time instead of time on the clock: what else the machine does hardly changes it.

/** Milliseconds of CPU time that this process has used while `work` ran. */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
