// `npm run test:store -- --url postgres://user@host/database`: the suites of the PostgreSQL store on any server.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EXTERNAL_URL_VARIABLE } from '../support/postgresServer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { url: { type: 'string' } } });
const suites = [
  'test/store/postgres',
  ...['servePostgres', 'scopedIndexesPostgres', 'scopedIndexesKill', 'sharedNonces', 'nonceStatements'].map(
    name => `test/service/${name}.test.ts`,
  ),
];
// Deleting the schemas of all tests at the end takes minutes where tables are distributed.
const hookTimeout = values.url === undefined ? [] : ['--hook-timeout=1800000'];
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...hookTimeout, ...suites],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(values.url !== undefined && { [EXTERNAL_URL_VARIABLE]: values.url }) },
  },
);
child.once('exit', code => {
  process.exitCode = code ?? 1;
});
