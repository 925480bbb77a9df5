// Refuses a Node that is too old with instructions: the `node` package brings Node 24, but its install script may have been skipped.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} runs this script; HexLens needs 22.19 or newer and brings Node 24 along as a package.\nRun "npm rebuild node" (its install script was skipped), or put a newer Node on the PATH.`,
  );
  process.exit(1);
}
