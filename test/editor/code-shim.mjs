#!/usr/bin/env node
// Replaces the `code` executable: runs codeCommand.ts with a Node that supports TypeScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const [major, minor] = process.versions.node.split('.').map(Number);
const codeCommand = join(import.meta.dirname, 'codeCommand.ts');
if (major > 22 || (major === 22 && minor >= 18)) await import(codeCommand);
else runWithOwnNode();

/** With a Node that cannot read TypeScript (an older one first on PATH): the one that `npm ci` brought. */
function runWithOwnNode() {
  const node = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(node)) {
    console.error(`Node ${process.versions.node} is too old for VS Code's server. Run npm ci, which brings Node 24.`);
    process.exit(1);
  }
  // The pipe closes when this process exits, which ends codeCommand.ts.
  const child = spawn(node, [codeCommand, ...process.argv.slice(2)], { stdio: ['pipe', 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.stdin.pipe(child.stdin);
  child.on('error', error => {
    console.error(`Cannot start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', code => process.exit(code ?? 1));
}
