import type { HardhatUserConfig } from 'hardhat/config';

const config: HardhatUserConfig = { solidity: '0.8.30' };
export default config;
