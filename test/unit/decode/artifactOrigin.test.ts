// By which rule a file counts as the project's own build.
import { describe, expect, test } from 'vitest';
import { getArtifactOrigin, parseBuildProject } from '../../../src/decode/artifactOrigin.ts';

const HARDHAT = parseBuildProject('/w/hardhat.config.ts', "export default { solidity: '0.8.30' };");
const FOUNDRY = parseBuildProject(
  '/w/contracts/foundry.toml',
  '[profile.default]\nsrc = "src"\nout = "../forge-out" # here\n',
);
const COMPUTED = parseBuildProject('/w/hardhat.config.ts', 'export default { paths: { artifacts: folder() } };');

describe('the folder that a configuration names for artifacts', () => {
  test.each([
    ['/w/hardhat.config.ts', 'export default {};', ['/w/artifacts']],
    [
      '/w/hardhat.config.js',
      "module.exports = { paths: { sources: 'src', artifacts: './build/hh' } };",
      ['/w/build/hh'],
    ],
    ['/w/hardhat.config.ts', '// paths: { artifacts: "old" }\nexport default {};', ['/w/artifacts']],
    ['/w/hardhat.config.ts', 'export default { paths: { artifacts: process.env.OUT } };', null],
    ['/w/hardhat.config.ts', 'const paths = x; export default { paths, solidity };', null],
    ['/w/foundry.toml', '', ['/w/out']],
    [
      '/w/foundry.toml',
      '[profile.default]\nout = \'build\'\n[profile.ci]\nout = "build-ci"\n',
      ['/w/build', '/w/build-ci'],
    ],
    ['/w/foundry.toml', '[profile.ci]\nout = "out-ci"\n[fmt]\nline_length = 100\n', ['/w/out', '/w/out-ci']],
    ['/w/a/foundry.toml', '[profile.default]\nout = "../out"\n', ['/w/out']],
  ])('of %s with %j is %j', (path, text, outputs) => {
    expect(parseBuildProject(path, text).outputs).toEqual(outputs);
  });
});

describe('the origin of an artifact', () => {
  test.each([
    // Hardhat's project.
    ['/w/artifacts/contracts/Vault.sol/Vault.json', [HARDHAT], 'build'],
    ['/w/artifacts/@openzeppelin/contracts/proxy/Proxy.sol/Proxy.json', [HARDHAT], 'build'],
    ['/w/ignition/deployments/chain-31337/artifacts/HarborModule#Vault.json', [HARDHAT], 'Ignition'],
    ['/w/deployments/sepolia/Vault_Proxy.json', [HARDHAT], 'hardhat-deploy'],
    ['/w/artifacts-old/contracts/Vault.sol/Vault.json', [HARDHAT], 'copy'],
    ['/w/backup/artifacts/contracts/Vault.sol/Vault.json', [HARDHAT], 'copy'],
    ['/w/out/Vault.sol/Vault.json', [HARDHAT], 'copy'],
    ['/w/typechain-types/artifacts/Vault.json', [HARDHAT], 'copy'],
    // Foundry's project in a folder of the workspace, beside Hardhat's.
    ['/w/forge-out/Vault.sol/Vault.json', [HARDHAT, FOUNDRY], 'build'],
    ['/w/contracts/out/Vault.sol/Vault.json', [HARDHAT, FOUNDRY], 'copy'],
    ['/w/contracts/broadcast/Deploy.s.sol/31337/run-latest.json', [HARDHAT, FOUNDRY], 'Foundry'],
    ['/w/contracts/lib/forge-std/out/Vm.sol/Vm.json', [FOUNDRY], 'copy'],
    // No configuration above the file, or one that does not tell.
    ['/w/out/Vault.sol/Vault.json', [], 'build'],
    ['/w/out/Vault.json', [], 'copy'],
    ['/w/site/dist/out/Vault.sol/Vault.json', [], 'copy'],
    ['/w/artifacts/contracts/Vault.sol/Vault.json', [], 'build'],
    ['/w/artifacts/Vault.json', [], 'copy'],
    ['/w/build/contracts/Vault.json', [], 'build'],
    ['/w/elsewhere/artifacts/contracts/Vault.sol/Vault.json', [COMPUTED], 'build'],
    ['/w/ignition/deployments/chain-1/artifacts/Vault.json', [], 'Ignition'],
  ] as const)('of %s is what the projects %j say: %s', (path, projects, expected) => {
    const origin = getArtifactOrigin(path, projects);
    expect(origin.kind === 'deployment' ? origin.tool : origin.kind).toBe(expected);
  });

  test('names the folder of a deployment', () => {
    expect(getArtifactOrigin('/w/ignition/deployments/chain-1/artifacts/M#Vault.json', [HARDHAT])).toEqual({
      kind: 'deployment',
      tool: 'Ignition',
      folder: '/w/ignition/deployments/chain-1',
    });
  });
});
