// Hovers with all of their parts.
import { hoverPartNames } from '../../src/manifest/settingDefaults.ts';
import type { HoverParts } from '../../src/view/hover/hoverParts.ts';

export const allHoverParts = Object.fromEntries(hoverPartNames.map(name => [name, true])) as unknown as HoverParts;
