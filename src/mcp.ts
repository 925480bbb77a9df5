// Entry of the MCP server in the packed extension: the same as `hexlens mcp`.
import { formatFault } from './base/errors.ts';

import('./cli/mcpCommand.ts')
  .then(({ planMcp, runMcp }) =>
    runMcp(planMcp(process.argv.slice(2), process.env), process.env['HEXLENS_VERSION'] ?? ''),
  )
  .catch(error => {
    process.stderr.write(`hexlens: ${formatFault(error)}\n`);
    process.exitCode = 1;
  });
