// The command Report Issue: opens VS Code's issue reporter with what a report needs to be understood.
import { commands, type Extension, env, version, workspace } from 'vscode';
import type { Platform } from '../platform.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createIssueReport } from './issueReport.ts';

export interface ReportIssueDeps {
  readonly extension: Extension<unknown>;
  readonly worker: WorkerClient;
  readonly platform: Pick<Platform, 'describe'>;
}

/** A node that hangs must not delay a report. */
const CLIENT_TIMEOUT_MS = 2_000;

async function readClients(worker: WorkerClient): Promise<Record<string, string | null>> {
  const entries = worker.chains().map(async ({ selector }) => {
    const status = worker.lookup('chainStatus', { chain: selector }, AbortSignal.timeout(CLIENT_TIMEOUT_MS));
    return [selector, await status.then(({ client }) => client).catch(() => null)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function createReport({ extension, worker, platform }: ReportIssueDeps): Promise<string> {
  const { system, node } = platform.describe();
  const section = workspace.getConfiguration('hexlens');
  return createIssueReport({
    version: String((extension.packageJSON as { readonly version?: unknown }).version),
    editor: `${env.appName} ${version}`,
    platform: system,
    host: env.remoteName ?? 'local',
    node,
    clients: await readClients(worker),
    getSetting: key => section.get(key.slice('hexlens.'.length)),
  });
}

export async function reportIssue(deps: ReportIssueDeps): Promise<void> {
  const issueBody = await createReport(deps);
  await commands.executeCommand('workbench.action.openIssueReporter', { extensionId: deps.extension.id, issueBody });
}
