// Whether the workspace has a Move package or uses an SDK of Aptos.
import { workspace } from 'vscode';

const EXCLUDED = '**/node_modules/**';
const MAX_PACKAGES = 20;
const APTOS_SDK = /"(@aptos-labs\/[\w-]+|aptos)"\s*:/;

export async function isAptosWorkspace(): Promise<boolean> {
  const moveFiles = await workspace.findFiles('**/Move.toml', EXCLUDED, 1);
  if (moveFiles.length > 0) return true;
  for (const uri of await workspace.findFiles('**/package.json', EXCLUDED, MAX_PACKAGES)) {
    const bytes = await workspace.fs.readFile(uri).then(undefined, () => new Uint8Array());
    if (APTOS_SDK.test(new TextDecoder().decode(bytes))) return true;
  }
  return false;
}
