// Types of the undici modules that are imported one by one: its main module is 245 kB larger and loads twice as long.
// biome-ignore-all lint/style/noDefaultExport: a CommonJS module has no other export.
declare module 'undici/lib/dispatcher/agent.js' {
  import Agent from 'undici/types/agent';
  export default Agent;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import Pool from 'undici/types/pool';
  export default Pool;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import EnvHttpProxyAgent from 'undici/types/env-http-proxy-agent';
  export default EnvHttpProxyAgent;
}

declare module 'undici/lib/api/api-connect.js' {
  import type Dispatcher from 'undici/types/dispatcher';

  /** What undici's main module puts on every dispatcher as `connect`. */
  const connect: Dispatcher['connect'];
  export default connect;
}

declare module 'undici/lib/dispatcher/dispatcher1-wrapper.js' {
  import Dispatcher1Wrapper from 'undici/types/dispatcher1-wrapper';
  export default Dispatcher1Wrapper;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import Dispatcher from 'undici/types/dispatcher';
  export default Dispatcher;
}
