// Ends the process of a test node or database with this one and deletes its folder, and reads the port that a node chose.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HexLensError } from '../../../src/base/errors.ts';
import type { StartedProcess } from '../startProcess.ts';
import { createTemporaryFolder } from '../temporaryFolder.ts';
import { scaleLimit } from '../timeLimits.ts';

const START_TIMEOUT_MS = scaleLimit(60_000);

/** Reads the port from the node's output: a port chosen beforehand could be taken by another process meanwhile. */
export function waitForListeningPort(child: StartedProcess, name: string, pattern: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    let complaint = '';
    const fail = (message: string, cause?: unknown) => {
      clearTimeout(timer);
      const details = complaint.trim() || output.trim();
      const suffix = details === '' ? '' : ` It wrote: ${details.split('\n')[0]}`;
      const fix = /in use/i.test(details)
        ? 'Choose another port, or none: then a free one is taken.'
        : 'Correct the options, or run the binary by hand to see why.';
      reject(new HexLensError('node-unreachable', `${message}${suffix}`, { details, fix, cause }));
    };
    const timer = setTimeout(
      () => fail(`${name} did not listen within ${START_TIMEOUT_MS / 1000} s.`),
      START_TIMEOUT_MS,
    );
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length > 100_000) return; // read on, without storing it
      output += text;
      const port = pattern.exec(output)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 10_000) complaint += text;
    });
    child.on('error', error => fail(`${name} could not be started.`, error));
    child.on('close', code => fail(`${name} ended with code ${code} before it listened.`));
  });
}

/**
 * Ends the process and deletes the folder when this process ends in any way; resolves when both are gone. `signal`: for one
 * that has processes or memory to give back, sent where this process ends normally.
 */
export function ownChildProcess(
  child: StartedProcess,
  folder: string,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  const atExit = () => {
    killProcess(child, signal);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', atExit);
  const releaseGuard = guardAgainstSuddenDeath(child, folder);
  return new Promise(resolve => {
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      process.off('exit', atExit);
      releaseGuard();
      rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(resolve, resolve);
    };
    child.once('exit', finish);
    child.once('error', () => {
      if (child.pid === undefined) finish(); // never started: there will be no exit
    });
  });
}

/**
 * A signal ends Node without running exit handlers, and its test nodes would stay. A shell in its own session waits until a
 * pipe that only this process holds is closed, and then cleans up: `$0` has a file for each process, named like it, with the
 * path of its folder. One shell for all: starting a process takes long in one as large as this.
 */
const CLEAN_UP = `read -r _
for file in "$0"/*; do [ -e "$file" ] || continue; kill -9 "\${file##*/}"; rm -rf -- "$(cat "$file")"; done
rm -rf -- "$0"`;

/** Of the folders with lists of processes, which their shell deletes in the end. */
export const OWNED_PREFIX = 'hexlens-owned-';

let owned: string | undefined;

function startGuard(): string {
  const files = createTemporaryFolder(OWNED_PREFIX);
  const guard = spawn('/bin/sh', ['-c', CLEAN_UP, files], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => {}); // no shell: the exit handlers still cover a normal end
  guard.stdin?.on('error', () => {});
  guard.unref();
  (guard.stdin as { unref?(): void } | null)?.unref?.(); // a pipe has it, but not its type
  return files;
}

function guardAgainstSuddenDeath(child: StartedProcess, folder: string): () => void {
  if (process.platform === 'win32' || child.pid === undefined) return () => {};
  owned ??= startGuard();
  const file = join(owned, String(child.pid));
  writeFileSync(file, folder);
  return () => rmSync(file, { force: true });
}

/** SIGKILL: a test node has nothing to save, and may be slow to handle SIGTERM. */
export function killProcess(child: StartedProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}
