// Why code has no lines and names: no build has it, or builds are not read because the workspace is not trusted.
import { t } from '../../base/localize.ts';

/** For a workspace whose builds are not read. */
export const getRestrictedText = (): string =>
  t(
    'Restricted Mode: builds and sources of this workspace are not read until you trust it (“Workspaces: Manage Workspace Trust”).',
  );

/** `text`: what to say where the builds of the workspace were read. */
export const getNoBuildText = (isTrusted: boolean, text: string): string => (isTrusted ? text : getRestrictedText());
